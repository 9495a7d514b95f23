/** Statements on quotas and declines: the limits against card testing (design of card payments, section 9). */
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/database/database.ts';

interface Quota {
  readonly minuteBeganAt: Date;
  readonly minutePostCount: number;
  readonly hourBeganAt: Date;
  readonly hourPostCount: number;
}

/** Counts one call and answers the counts with it. A window begins with the first call after the end of the last. */
export async function countPost(db: Db, userId: bigint, now: Date): Promise<Quota> {
  const { rows } = await sql<Quota>`
    insert into payment_quotas as quota
      (user_id, minute_began_at, minute_post_count, hour_began_at, hour_post_count)
    values (${userId}::bigint, ${now}::timestamptz, 1, ${now}::timestamptz, 1)
    on conflict (user_id) do update set
      minute_began_at = case when quota.minute_began_at > excluded.minute_began_at - interval '1 minute'
        then quota.minute_began_at else excluded.minute_began_at end,
      minute_post_count = case when quota.minute_began_at > excluded.minute_began_at - interval '1 minute'
        then quota.minute_post_count + 1 else 1 end,
      hour_began_at = case when quota.hour_began_at > excluded.hour_began_at - interval '1 hour'
        then quota.hour_began_at else excluded.hour_began_at end,
      hour_post_count = case when quota.hour_began_at > excluded.hour_began_at - interval '1 hour'
        then quota.hour_post_count + 1 else 1 end
    returning minute_began_at as "minuteBeganAt", minute_post_count as "minutePostCount",
      hour_began_at as "hourBeganAt", hour_post_count as "hourPostCount"`.execute(db);
  const [quota] = rows;
  if (quota === undefined) throw new Error('an upsert returned no row');
  return quota;
}

/** `false` where the charge was counted before. */
export async function insertDecline(
  tx: Tx,
  decline: { chargeId: string; orderId: string; userId: bigint; declinedAt: Date },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('payment_declines')
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

/** When the newest run of `count` declines within one hour was complete, if that is less than an hour ago. */
export async function selectPauseBegin(
  db: Db | Tx,
  { userId, count, now }: { userId: bigint; count: number; now: Date },
): Promise<Date | undefined> {
  const { rows } = await sql<{ declined_at: Date }>`
    select declined_at from (
      select declined_at, lag(declined_at, ${count - 1}::integer) over (order by declined_at) as first_at
      from payment_declines
      where user_id = ${userId}::bigint and declined_at > ${now}::timestamptz - interval '2 hours'
    ) runs
    where declined_at - first_at <= interval '1 hour'
      and declined_at > ${now}::timestamptz - interval '1 hour'
    order by declined_at desc
    limit 1`.execute(db);
  return rows[0]?.declined_at;
}
