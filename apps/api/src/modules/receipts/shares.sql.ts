/** Statements on the links with which customers show a receipt to others. */
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/database/database.ts';
import { deleteInBatches } from '../../platform/database/delete-in-batches.ts';

export interface Share {
  readonly id: string;
  readonly userId: bigint;
  readonly transferId: bigint;
  readonly withNames: boolean;
  readonly madeAt: Date;
  readonly expiresAt: Date;
}

export async function insertShare(tx: Tx, share: Share, tokenHash: Buffer): Promise<void> {
  const { id, userId, transferId, withNames, madeAt, expiresAt } = share;
  await tx
    .insertInto('receipt_shares')
    .values({
      id,
      user_id: userId,
      transfer_id: transferId,
      token_hash: tokenHash,
      with_names: withNames,
      made_at: madeAt,
      expires_at: expiresAt,
    })
    .execute();
}

const live = (db: Db | Tx, now: Date) =>
  db
    .selectFrom('receipt_shares')
    .select([
      'id',
      'user_id as userId',
      'transfer_id as transferId',
      'with_names as withNames',
      'made_at as madeAt',
      'expires_at as expiresAt',
    ])
    .where('expires_at', '>', now);

/** Links that have not expired, newest first. */
export const selectShares = (db: Db | Tx, userId: bigint, now: Date): Promise<Share[]> =>
  live(db, now).where('user_id', '=', userId).orderBy('id', 'desc').execute();

/** Returns `undefined` for an unknown link, and for one that was ended or has expired. */
export const selectShareByToken = (
  db: Db,
  tokenHash: Buffer,
  now: Date,
): Promise<Share | undefined> =>
  live(db, now).where('token_hash', '=', tokenHash).executeTakeFirst();

/** Returns whether the link belonged to the user. */
export async function deleteShare(db: Db, userId: bigint, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('receipt_shares')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

export async function eraseShares(tx: Tx, userId: bigint): Promise<void> {
  await tx.deleteFrom('receipt_shares').where('user_id', '=', userId).execute();
}

export const deletePastShares = (db: Db, now: Date): Promise<void> =>
  deleteInBatches(db, 'receipt_shares', sql`expires_at <= ${now}`);
