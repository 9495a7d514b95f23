/** The second step of a customer's sign-in: the authenticator app and the recovery codes that replace it. */
import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { deleteInBatches } from '../../../platform/database/delete-in-batches.ts';

export interface TotpRow {
  readonly id: string;
  /** Sealed. */
  readonly secret: Buffer;
  readonly lastStep: bigint | null;
}

const totpOf = (db: Db | Tx, userId: bigint) =>
  db
    .selectFrom('totp_secrets')
    .select(['id', 'secret', 'last_step as lastStep'])
    .where('user_id', '=', userId);

/** The authenticator app that the account asks for. */
export const selectTotp = (db: Db | Tx, userId: bigint): Promise<TotpRow | undefined> =>
  totpOf(db, userId).where('confirmed_at', 'is not', null).executeTakeFirst();

/** The app that is being set up, if its secret was created after this time. There is at most one. */
export const selectUnconfirmedTotp = (
  tx: Tx,
  userId: bigint,
  createdAfter: Date,
): Promise<TotpRow | undefined> =>
  totpOf(tx, userId)
    .where('confirmed_at', 'is', null)
    .where('created_at', '>', createdAfter)
    .executeTakeFirst();

/** The time since which the account has asked for codes; `undefined` if it does not. */
export async function selectConfirmedAt(db: Db | Tx, userId: bigint): Promise<Date | undefined> {
  const row = await db
    .selectFrom('totp_secrets')
    .select('confirmed_at')
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst();
  return row?.confirmed_at ?? undefined;
}

export async function insertTotp(
  tx: Tx,
  { id, userId, secret, now }: { id: string; userId: bigint; secret: Buffer; now: Date },
): Promise<void> {
  await tx
    .insertInto('totp_secrets')
    .values({ id, user_id: userId, secret, created_at: now })
    .execute();
}

export async function deleteUnconfirmedTotp(tx: Tx, userId: bigint): Promise<void> {
  await tx
    .deleteFrom('totp_secrets')
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is', null)
    .execute();
}

/** Deletes apps whose setting up began at `before` or earlier and was not finished. */
export const deleteOldUnconfirmedTotp = (db: Db, before: Date): Promise<void> =>
  deleteInBatches(db, 'totp_secrets', sql`confirmed_at is null and created_at <= ${before}`);

export async function updateTotpConfirmed(
  tx: Tx,
  id: string,
  { step, now }: { readonly step: bigint; readonly now: Date },
): Promise<void> {
  await tx
    .updateTable('totp_secrets')
    .set({ confirmed_at: now, last_step: step })
    .where('id', '=', id)
    .execute();
}

/** Uses up a time step. Returns whether it was unused; of several concurrent attempts, only one succeeds. */
export async function useTotpStep(tx: Tx, id: string, step: bigint): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('totp_secrets')
    .set({ last_step: step })
    .where('id', '=', id)
    .where((where) => where.or([where('last_step', 'is', null), where('last_step', '<', step)]))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** The hashes of the unused codes. */
export async function selectRecoveryCodes(db: Db | Tx, userId: bigint): Promise<Buffer[]> {
  const rows = await db
    .selectFrom('recovery_codes')
    .select('code_hash')
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .execute();
  return rows.map(({ code_hash: hash }) => hash);
}

/** Replaces all codes, used or not. */
export async function replaceRecoveryCodes(
  tx: Tx,
  userId: bigint,
  { hashes, now }: { readonly hashes: readonly Buffer[]; readonly now: Date },
): Promise<void> {
  await deleteRecoveryCodes(tx, userId);
  await tx
    .insertInto('recovery_codes')
    .values(hashes.map((hash) => ({ user_id: userId, code_hash: hash, created_at: now })))
    .execute();
}

/** Uses up a code. Returns whether it was unused. */
export async function useRecoveryCode(
  tx: Tx,
  userId: bigint,
  { hash, now }: { readonly hash: Buffer; readonly now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('recovery_codes')
    .set({ used_at: now })
    .where('user_id', '=', userId)
    .where('code_hash', '=', hash)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function deleteTotp(tx: Tx, userId: bigint): Promise<void> {
  await tx.deleteFrom('totp_secrets').where('user_id', '=', userId).execute();
}

export async function deleteRecoveryCodes(tx: Tx, userId: bigint): Promise<void> {
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
}
