/** Statements on recoveries: the wait of an account after which its lost second step is removed. */
import type { Db, Tx } from '../../../platform/database/database.ts';

/** Stores the link of the newest mail only. A wait that has begun is not changed. */
export async function upsertRecoveryLink(
  tx: Tx,
  userId: bigint,
  { linkHash, expiresAt }: { readonly linkHash: Buffer; readonly expiresAt: Date },
): Promise<void> {
  const link = { link_hash: linkHash, link_expires_at: expiresAt };
  await tx
    .insertInto('second_step_recoveries')
    .values({ user_id: userId, ...link })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(link))
    .execute();
}

/** The user of the link; `undefined` if it has expired or was used. */
export async function selectUserOfLink(
  db: Db | Tx,
  linkHash: Buffer,
  now: Date,
): Promise<bigint | undefined> {
  const row = await db
    .selectFrom('second_step_recoveries')
    .select('user_id')
    .where('link_hash', '=', linkHash)
    .where('link_expires_at', '>', now)
    .executeTakeFirst();
  return row?.user_id;
}

export interface BegunRecovery {
  readonly stopHash: Buffer;
  /** Sealed. */
  readonly stopCode: Buffer;
  readonly begunAt: Date;
  readonly endsAt: Date;
}

/** Uses up the link. Returns whether it was still valid; of several concurrent uses, only one succeeds. */
export async function updateBegun(
  tx: Tx,
  linkHash: Buffer,
  { stopHash, stopCode, begunAt, endsAt }: BegunRecovery,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('second_step_recoveries')
    .set({
      link_hash: null,
      link_expires_at: null,
      stop_hash: stopHash,
      stop_code: stopCode,
      begun_at: begunAt,
      ends_at: endsAt,
    })
    .where('link_hash', '=', linkHash)
    .where('link_expires_at', '>', begunAt)
    .where('begun_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export interface Waiting {
  readonly userId: bigint;
  readonly begunAt: Date;
  readonly endsAt: Date;
  readonly remindedAt: Date | null;
  readonly stopCode: Buffer;
}

const waiting = (db: Db | Tx) =>
  db
    .selectFrom('second_step_recoveries')
    .select([
      'user_id as userId',
      'begun_at as begunAt',
      'ends_at as endsAt',
      'reminded_at as remindedAt',
      'stop_code as stopCode',
    ])
    .where('begun_at', 'is not', null)
    .$narrowType<{ begunAt: Date; endsAt: Date; stopCode: Buffer }>();

/** The pending recovery of an account. */
export const selectWaiting = (db: Db | Tx, userId: bigint): Promise<Waiting | undefined> =>
  waiting(db).where('user_id', '=', userId).executeTakeFirst();

export async function selectUserOfStop(db: Db, stopHash: Buffer): Promise<bigint | undefined> {
  const row = await waiting(db).where('stop_hash', '=', stopHash).executeTakeFirst();
  return row?.userId;
}

/** Deletes a recovery. Returns whether its wait had begun. */
export async function deleteWaiting(tx: Tx, userId: bigint): Promise<boolean> {
  const row = await tx
    .deleteFrom('second_step_recoveries')
    .where('user_id', '=', userId)
    .returning('begun_at')
    .executeTakeFirst();
  return row !== undefined && row.begun_at !== null;
}

/** Returns `false` unless the wait is pending and would end later. */
export async function updateEndsAt(tx: Tx, userId: bigint, endsAt: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('second_step_recoveries')
    .set({ ends_at: endsAt })
    .where('user_id', '=', userId)
    .where('ends_at', '>', endsAt)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

const ROUND_MAX = 100;

/** Users whose wait began before a time and who were not reminded yet. */
export async function selectToRemind(db: Db, begunBefore: Date): Promise<bigint[]> {
  const rows = await waiting(db)
    .where('reminded_at', 'is', null)
    .where('begun_at', '<=', begunBefore)
    .limit(ROUND_MAX)
    .execute();
  return rows.map(({ userId }) => userId);
}

/** Returns `false` if the wait was stopped or reminded of in the meantime. */
export async function updateReminded(tx: Tx, userId: bigint, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('second_step_recoveries')
    .set({ reminded_at: now })
    .where('user_id', '=', userId)
    .where('begun_at', 'is not', null)
    .where('reminded_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function selectToEnd(db: Db, now: Date): Promise<bigint[]> {
  const rows = await waiting(db).where('ends_at', '<=', now).limit(ROUND_MAX).execute();
  return rows.map(({ userId }) => userId);
}

/** Returns `false` if the wait was stopped or ended in the meantime. */
export async function deleteEnded(tx: Tx, userId: bigint, now: Date): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('second_step_recoveries')
    .where('user_id', '=', userId)
    .where('ends_at', '<=', now)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** Deletes links that expired unused. */
export async function deletePastLinks(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom('second_step_recoveries')
    .where('begun_at', 'is', null)
    .where('link_expires_at', '<=', now)
    .execute();
}
