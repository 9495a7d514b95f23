import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import { idsBetween } from '../../platform/database/ids-between.ts';
import {
  hourOf,
  selectTimeOfFirst,
  type StatRow,
  type StatSource,
} from '../../platform/stats/stat-source.ts';

/**
 * Redemptions and redeemed items by venue, and customers who redeemed for the first time. A reversal changes none of them: the redemption
 * at the door did happen.
 */
export const redemptionStats: StatSource = {
  name: 'redemptions',
  metrics: ['redeemed', 'first_redemption'],
  firstAt: (db) => selectTimeOfFirst(db, 'redemptions'),
  async count(db, { from, to, timeZone }) {
    const { first, past } = await idsBetween(db, 'redemptions', { from, to });
    const { rows } = await sql<StatRow>`
      with made as materialized (
        select id, venue_id, (answer ->> 'redeemed_count')::bigint as item_count, ${hourOf(sql`created_at`, timeZone)} as bucket
          from redemptions
         where id >= ${first ?? 0n}::bigint and id < ${past ?? 0n}::bigint
           and created_at >= ${from}::timestamptz and created_at < ${to}::timestamptz
           and answer ->> 'redeemed_count' <> '0'
      ), buyer as (
        -- All items of a redemption belong to one customer.
        select made.id, made.bucket, purchase.user_id
          from made
          cross join lateral (
            select purchase_id from (
              (select purchase_id from purchase_items where redemption_id = made.id limit 1)
              union all
              (select item.purchase_id from redemption_reversals reversal
                 join purchase_items item on item.id = reversal.item_id
                where reversal.redemption_id = made.id limit 1)) either limit 1
          ) item
          join purchases purchase on purchase.id = item.purchase_id
      )
      select 'redeemed' as metric, venue_id::text as dimension, bucket, count(*) as count, sum(item_count)::bigint as units
        from made group by venue_id, bucket
      union all
      select 'first_redemption', '', bucket, count(*), 0::bigint
        from buyer
       where not exists (
         select from purchases purchase
           join purchase_items item on item.purchase_id = purchase.id
           left join redemption_reversals reversal on reversal.item_id = item.id
          where purchase.user_id = buyer.user_id
            and (item.redemption_id < buyer.id or reversal.redemption_id < buyer.id))
       group by bucket`.execute(db);
    return rows;
  },
};

/** The names of venues by their ids, for figures. Unknown ids are omitted. */
export const selectVenuesById = (db: Db, ids: readonly number[]) =>
  db
    .selectFrom('venues')
    .select(['id', 'name'])
    .where(sql<boolean>`id = any(${ids}::integer[])`)
    .orderBy('name')
    .execute();
