import type { Tx } from '../../../platform/database/database.ts';
import type { NewUser } from '../users.sql.ts';

interface NewSignUp extends NewUser {
  /** `null` if the device sent no id. */
  readonly deviceHash: Buffer | null;
  readonly placeHash: Buffer;
}

export async function insertSignUp(tx: Tx, signUp: NewSignUp): Promise<bigint> {
  const { id } = await tx
    .insertInto('sign_ups')
    .values({
      email: signUp.email,
      password_hash: signUp.passwordHash,
      terms_version: signUp.termsVersion,
      terms_accepted_at: signUp.termsAcceptedAt,
      created_at: signUp.createdAt,
      mailed_at: null,
      device_hash: signUp.deviceHash,
      place_hash: signUp.placeHash,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export interface MailedSignUp {
  readonly signUpId: bigint;
  readonly mailedAt: Date | null;
  /** The network place of the sign-up; `null` for sign-ups from before places were stored. */
  readonly placeHash: Buffer | null;
  /** `null` if the device sent no id. */
  readonly deviceHash: Buffer | null;
}

/**
 * The address of a sign-up and all sign-ups of that address. They are locked in a fixed order, so that one transaction at a
 * time decides about an address. `undefined` if the sign-up no longer exists.
 */
export async function lockSignUpsBeside(
  tx: Tx,
  signUpId: bigint,
): Promise<{ email: string; signUps: readonly MailedSignUp[] } | undefined> {
  const found = await tx
    .selectFrom('sign_ups')
    .select('email')
    .where('id', '=', signUpId)
    .executeTakeFirst();
  if (found === undefined) return undefined;
  const signUps = await tx
    .selectFrom('sign_ups')
    .select([
      'id as signUpId',
      'mailed_at as mailedAt',
      'place_hash as placeHash',
      'device_hash as deviceHash',
    ])
    .where('email', '=', found.email)
    .orderBy('id')
    .forUpdate()
    .execute();
  return signUps.some((signUp) => signUp.signUpId === signUpId)
    ? { email: found.email, signUps }
    : undefined;
}

export async function selectSignUp(tx: Tx, signUpId: bigint): Promise<Omit<NewUser, 'createdAt'>> {
  return tx
    .selectFrom('sign_ups')
    .select([
      'email',
      'password_hash as passwordHash',
      'terms_version as termsVersion',
      'terms_accepted_at as termsAcceptedAt',
    ])
    .where('id', '=', signUpId)
    .executeTakeFirstOrThrow();
}

export async function updateMailedAt(
  tx: Tx,
  signUpId: bigint,
  mailedAt: Date | null,
): Promise<void> {
  await tx
    .updateTable('sign_ups')
    .set({ mailed_at: mailedAt })
    .where('id', '=', signUpId)
    .execute();
}

/** Deletes a sign-up and its codes. */
export async function deleteSignUp(tx: Tx, signUpId: bigint): Promise<void> {
  await tx.deleteFrom('sign_ups').where('id', '=', signUpId).execute();
}

/** Deletes all sign-ups of an address and their codes. */
export async function deleteSignUpsOf(tx: Tx, email: string): Promise<void> {
  await tx.deleteFrom('sign_ups').where('email', '=', email).execute();
}

export async function selectNewestSignUpId(tx: Tx, email: string): Promise<bigint | undefined> {
  const row = await tx
    .selectFrom('sign_ups')
    .select('id')
    .where('email', '=', email)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}
