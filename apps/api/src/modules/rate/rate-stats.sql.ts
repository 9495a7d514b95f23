import { sql } from 'kysely';
import { hourOf, type StatRow, type StatSource } from '../../platform/stats/stat-source.ts';

/** The rate at the end of each hour in which one was published, in hundred-millionths of a US dollar. */
export const rateStats: StatSource = {
  name: 'rate',
  metrics: ['rate'],
  isGauge: true,
  /** Older rates are thinned to one a day, so their hours cannot be counted again. */
  async firstAt(db) {
    const { rows } = await sql<{ at: Date | null }>`
      select min(in_force_from) as at from exchange_rates where in_force_from > now() - interval '399 days'`.execute(
      db,
    );
    return rows[0]?.at ?? undefined;
  },
  async count(db, { from, to, timeZone }) {
    const { rows } = await sql<StatRow>`
      select 'rate' as metric, '' as dimension, ${hourOf(sql`in_force_from`, timeZone)} as bucket, 1::bigint as count,
             ((array_agg(usd_per_ath order by in_force_from desc, id desc))[1] * 100000000)::bigint as units
        from exchange_rates
       where in_force_from >= ${from}::timestamptz and in_force_from < ${to}::timestamptz
       group by bucket`.execute(db);
    return rows;
  },
};
