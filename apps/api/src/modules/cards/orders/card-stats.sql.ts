import { sql } from 'kysely';
import {
  hourOf,
  selectFirstAt,
  type StatRow,
  type StatSource,
} from '../../../platform/stats/stat-source.ts';

/**
 * Counts paid orders, and orders given up after a card was tried, by the time of their end; customers who bought tokens for the first
 * time; refunds that the provider accepted; and disputes by the time when we learned of them, because the provider's own time may be days
 * earlier.
 */
export const cardStats: StatSource = {
  name: 'cards',
  metrics: ['card_paid', 'card_failed', 'first_top_up', 'refunded', 'disputed'],
  firstAt: (db) => selectFirstAt(db, 'card_orders', 'created_at'),
  async count(db, { from, to, timeZone }) {
    const { rows } = await sql<StatRow>`
      with ended as materialized (
        select user_id, state, history_id, total_usd_cents, ${hourOf(sql`closed_at`, timeZone)} as bucket
          from card_orders
         where history_id is not null
           and closed_at >= ${from}::timestamptz and closed_at < ${to}::timestamptz
      )
      select case when state = 'credited' then 'card_paid' else 'card_failed' end as metric, '' as dimension, bucket,
             count(*) as count, sum(total_usd_cents)::bigint as units
        from ended group by metric, bucket
      union all
      select 'first_top_up', '', bucket, count(*), 0::bigint
        from ended
       where state = 'credited' and not exists (
         select from card_orders earlier
          where earlier.user_id = ended.user_id and earlier.history_id < ended.history_id and earlier.state = 'credited')
       group by bucket
      union all
      select 'refunded', '', ${hourOf(sql`accepted_at`, timeZone)} as bucket, count(*), sum(total_usd_cents)::bigint
        from card_refunds
       where accepted_at >= ${from}::timestamptz and accepted_at < ${to}::timestamptz
       group by bucket
      union all
      select 'disputed', '', ${hourOf(sql`created_at`, timeZone)} as bucket, count(*), 0::bigint
        from card_disputes
       where created_at >= ${from}::timestamptz and created_at < ${to}::timestamptz
       group by bucket`.execute(db);
    return rows;
  },
};
