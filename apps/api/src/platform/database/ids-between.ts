import { sql } from 'kysely';
import type { Db, Tx } from './database.ts';
import { prepared } from './prepared.ts';

/**
 * How far the time of a row may be from that of the row with the next id: the clocks of processes differ, and commits overtake each
 * other.
 */
const DISORDER_MS = 60_000;

/** The column that holds the time of a row. */
const TIME_COLUMNS = { purchases: 'created_at', redemptions: 'created_at', scans: 'at' } as const;

/**
 * Ids of rows whose ids and times rise together, so that a range of times needs no index of its own: those from `first` on and before
 * `past` hold every row between the two times, and few others.
 */
export async function idsBetween(
  db: Db | Tx,
  table: keyof typeof TIME_COLUMNS,
  { from, to }: { readonly from: Date | undefined; readonly to: Date | undefined },
): Promise<{ readonly first: bigint | undefined; readonly past: bigint | undefined }> {
  const [first, past] = await Promise.all([
    from && firstIdAt(db, table, new Date(from.getTime() - DISORDER_MS)),
    to && firstIdAt(db, table, new Date(to.getTime() + DISORDER_MS)),
  ]);
  return { first, past };
}

/** The lowest id whose row is not before `at`, found by bisection in the primary key. */
async function firstIdAt(db: Db | Tx, table: keyof typeof TIME_COLUMNS, at: Date): Promise<bigint> {
  const name = sql.table(table);
  const time = sql.ref(TIME_COLUMNS[table]);
  const { rows } = await prepared(
    `first_id_of_${table}`,
    sql<{ high: bigint }>`
    with recursive step (low, high) as (
      select 0::bigint, coalesce(max(id), 0) + 1 from ${name}
      union all
      select case when probe.time < ${at}::timestamptz then probe.id else low end,
             case when probe.time < ${at}::timestamptz then high else middle end
        from step
        cross join lateral (select low + (high - low) / 2 as middle) half
        left join lateral (select id, ${time} as time from ${name} where id >= middle order by id limit 1) probe on true
       where high - low > 1
    )
    select high from step order by high - low limit 1`,
  ).execute(db);
  return rows[0]?.high ?? 0n;
}
