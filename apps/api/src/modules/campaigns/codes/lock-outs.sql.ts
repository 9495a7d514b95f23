import { sql } from 'kysely';
import type { ListCount } from '@athos/contract/console/lists';
import { countRows } from '../../../platform/console/list-count.sql.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { deleteInBatches } from '../../../platform/database/delete-in-batches.ts';
import type { AttemptSubject } from '../../../platform/limits/attempt-counters.sql.ts';

interface LockOutOf {
  readonly subject: Buffer;
  readonly countMax: number;
  readonly userId: bigint | null;
  /** Sealed. */
  readonly place: Buffer | null;
}

/** Records that the subject has reached its limit, if it has. Writes nothing if that is already recorded. */
export async function noteLockOut(db: Db, of: LockOutOf, now: Date): Promise<void> {
  await sql`
    insert into reward_lock_outs as known (subject, user_id, place, locked_at, ends_at)
    select subject, ${of.userId?.toString() ?? null}::bigint, ${of.place}::bytea, ${now}::timestamptz, window_ends_at
      from attempt_counters
     where subject = ${of.subject} and attempt_count >= ${of.countMax} and window_ends_at > ${now}
    on conflict (subject) do update set locked_at = excluded.locked_at, ends_at = excluded.ends_at
      where known.ends_at < excluded.ends_at`.execute(db);
}

const present = (db: Db | Tx, now: Date) =>
  db
    .selectFrom('reward_lock_outs as lock_out')
    .leftJoin('users', 'users.id', 'lock_out.user_id')
    .select([
      'lock_out.id',
      'lock_out.subject',
      'lock_out.user_id as userId',
      'lock_out.place',
      'lock_out.locked_at as lockedAt',
      'lock_out.ends_at as endsAt',
      'users.uuid as customerUuid',
      'users.email',
    ])
    .where('lock_out.ends_at', '>', now);

export type LockOutRow = NonNullable<Awaited<ReturnType<typeof selectLockOut>>>;

/** Newest first. Returns one row more than `limit` if there is a next page. */
export const selectLockOuts = (
  db: Db,
  now: Date,
  { limit, beforeId }: { readonly limit: number; readonly beforeId: bigint | undefined },
): Promise<LockOutRow[]> =>
  present(db, now)
    .$if(beforeId !== undefined, (rows) => rows.where('lock_out.id', '<', beforeId ?? 0n))
    .orderBy('lock_out.id', 'desc')
    .limit(limit + 1)
    .execute();

export const countLockOuts = (db: Db, now: Date): Promise<ListCount> =>
  countRows(db, present(db, now));

export const selectLockOut = (tx: Tx, id: number, now: Date) =>
  present(tx, now).where('lock_out.id', '=', BigInt(id)).executeTakeFirst();

/** Deletes the lock-outs of a subject: while a hashing key is replaced, one may be recorded under both keys. */
export async function deleteLockOut(tx: Tx, subject: AttemptSubject): Promise<void> {
  await tx.deleteFrom('reward_lock_outs').where('subject', 'in', subject).execute();
}

export const deleteEndedLockOuts = (db: Db, now: Date): Promise<void> =>
  deleteInBatches(db, 'reward_lock_outs', sql`ends_at <= ${now}`);

export async function deleteLockOutsOf(tx: Tx, userId: bigint): Promise<void> {
  await tx.deleteFrom('reward_lock_outs').where('user_id', '=', userId).execute();
}
