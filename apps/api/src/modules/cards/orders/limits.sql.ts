/** Statements on declined cards (docs/cards.md, "Limits"). */
import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/database/database.ts';

/** Counts a declined charge. Returns `false` if it was already counted. */
export async function insertDecline(
  tx: Tx,
  decline: { chargeId: string; orderId: string; userId: bigint; declinedAt: Date },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('card_declines')
    .values({
      charge_id: decline.chargeId,
      order_id: decline.orderId,
      user_id: decline.userId,
      declined_at: decline.declinedAt,
    })
    .onConflict((conflict) => conflict.column('charge_id').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** The time of the decline that completed the latest run of `count` within an hour, if that was less than an hour ago. */
export async function selectPauseBegin(
  db: Db | Tx,
  { userId, count, now }: { userId: bigint; count: number; now: Date },
): Promise<Date | undefined> {
  const { rows } = await sql<{ declined_at: Date }>`
    select declined_at from (
      select declined_at, lag(declined_at, ${count - 1}::integer) over (order by declined_at) as first_at
      from card_declines
      where user_id = ${userId}::bigint and declined_at > ${now}::timestamptz - interval '2 hours'
    ) runs
    where declined_at - first_at <= interval '1 hour'
      and declined_at > ${now}::timestamptz - interval '1 hour'
    order by declined_at desc
    limit 1`.execute(db);
  return rows[0]?.declined_at;
}
