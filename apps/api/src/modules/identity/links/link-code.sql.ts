import type { Db, Tx } from '../../../platform/database/database.ts';

type Subject =
  | { readonly purpose: 'verify'; readonly signUpId: bigint }
  | { readonly purpose: 'reset'; readonly userId: bigint };

export async function insertLinkCode(
  tx: Tx,
  code: Subject & { readonly codeHash: Buffer; readonly expiresAt: Date },
): Promise<void> {
  await tx
    .insertInto('link_codes')
    .values({
      code_hash: code.codeHash,
      purpose: code.purpose,
      sign_up_id: code.purpose === 'verify' ? code.signUpId : null,
      user_id: code.purpose === 'reset' ? code.userId : null,
      expires_at: code.expiresAt,
    })
    .execute();
}

interface SignUpOfCode {
  readonly signUpId: bigint;
  readonly passwordHash: string;
  /** `null` if the device sent no id. */
  readonly deviceHash: Buffer | null;
}

/** Selects the sign-up of an unexpired verification code. */
export async function selectSignUpOfCode(
  db: Db | Tx,
  codeHash: Buffer,
  now: Date,
): Promise<SignUpOfCode | undefined> {
  return db
    .selectFrom('link_codes')
    .innerJoin('sign_ups', 'sign_ups.id', 'link_codes.sign_up_id')
    .select([
      'sign_ups.id as signUpId',
      'sign_ups.password_hash as passwordHash',
      'sign_ups.device_hash as deviceHash',
    ])
    .where('code_hash', '=', codeHash)
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

/** Selects the user of an unexpired reset code. */
export async function selectUserOfCode(
  db: Db | Tx,
  codeHash: Buffer,
  now: Date,
): Promise<bigint | undefined> {
  const row = await db
    .selectFrom('link_codes')
    .select('user_id')
    .where('code_hash', '=', codeHash)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row?.user_id ?? undefined;
}

/** Returns whether the code existed: of two concurrent uses, only one deletes it. */
export async function deleteLinkCode(tx: Tx, codeHash: Buffer): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('link_codes')
    .where('code_hash', '=', codeHash)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function deleteResetCodesOf(tx: Tx, userId: bigint): Promise<void> {
  await tx.deleteFrom('link_codes').where('user_id', '=', userId).execute();
}

/** The expiry times of a user's unused reset codes. */
export async function selectResetCodeExpiries(tx: Tx, userId: bigint): Promise<Date[]> {
  const rows = await tx
    .selectFrom('link_codes')
    .select('expires_at')
    .where('user_id', '=', userId)
    .execute();
  return rows.map((row) => row.expires_at);
}

/** The expiry times of the unused verification codes of some sign-ups. */
export async function selectVerifyCodeExpiries(
  tx: Tx,
  signUpIds: readonly bigint[],
): Promise<{ signUpId: bigint | null; expiresAt: Date }[]> {
  return tx
    .selectFrom('link_codes')
    .select(['sign_up_id as signUpId', 'expires_at as expiresAt'])
    .where('sign_up_id', 'in', signUpIds)
    .execute();
}
