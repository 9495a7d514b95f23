import { sql } from 'kysely';
import {
  hourOf,
  selectFirstAt,
  type StatRow,
  type StatSource,
} from '../../../platform/stats/stat-source.ts';

/** Accounts by the time of their creation, which is when their address was verified. Deleted accounts keep their row. */
export const identityStats: StatSource = {
  name: 'identity',
  metrics: ['verified'],
  firstAt: (db) => selectFirstAt(db, 'users', 'created_at'),
  async count(db, { from, to, timeZone }) {
    const { rows } = await sql<StatRow>`
      select 'verified' as metric, '' as dimension, ${hourOf(sql`created_at`, timeZone)} as bucket,
             count(*) as count, 0::bigint as units
        from users where created_at >= ${from}::timestamptz and created_at < ${to}::timestamptz
       group by bucket`.execute(db);
    return rows;
  },
};
