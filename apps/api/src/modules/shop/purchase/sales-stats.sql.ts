import { sql } from 'kysely';
import { idsBetween } from '../../../platform/database/ids-between.ts';
import {
  hourOf,
  selectTimeOfFirst,
  type StatRow,
  type StatSource,
} from '../../../platform/stats/stat-source.ts';

/**
 * Sold items and their price by offer, and customers who bought for the first time. Refunds are not counted here, because they are
 * movements of the ledger.
 */
export const salesStats: StatSource = {
  name: 'sales',
  metrics: ['sold', 'first_purchase'],
  firstAt: (db) => selectTimeOfFirst(db, 'purchases'),
  async count(db, { from, to, timeZone }) {
    const { first, past } = await idsBetween(db, 'purchases', { from, to });
    const bucket = hourOf(sql`made.created_at`, timeZone);
    const { rows } = await sql<StatRow>`
      with made as materialized (
        select id, user_id, created_at from purchases
         where id >= ${first ?? 0n}::bigint and id < ${past ?? 0n}::bigint
           and created_at >= ${from}::timestamptz and created_at < ${to}::timestamptz
      )
      select 'sold' as metric, line.offer_id::text as dimension, ${bucket} as bucket,
             sum(line.item_count)::bigint as count,
             -- A hundredth of a token has 10,000 of its smallest units.
             sum(line.item_count::bigint * line.price_ath_hundredths * 10000)::bigint as units
        from made join purchase_lines line on line.purchase_id = made.id
       group by line.offer_id, bucket
      union all
      select 'first_purchase', '', ${bucket} as bucket, count(*), 0::bigint
        from made
       where not exists (select from purchases earlier where earlier.user_id = made.user_id and earlier.id < made.id)
       group by bucket`.execute(db);
    return rows;
  },
};
