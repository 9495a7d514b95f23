/** The queries of a merchant's statement: the figures of a month of days. */
import { sql } from 'kysely';
import type { LedgerAccountId } from '../../ledger/index.ts';
import type { Db } from '../../platform/database/database.ts';
import { FLOW_METRIC } from './flows.ts';
import { LEDGER } from './roll.ts';
import type {} from './tables.ts';

interface CountedMonth {
  /** The beginning of the month's first day, in the time zone in which days were counted. */
  readonly startsAt: Date;
  readonly isBegun: boolean;
  readonly countedUntil: Date | null;
}

/** `month` has the form `2026-11`. `timeZone` is used only if nothing has been counted yet. */
export async function selectMonth(
  db: Db,
  month: string,
  { timeZone, now }: { readonly timeZone: string; readonly now: Date },
): Promise<CountedMonth> {
  const { rows } = await sql<CountedMonth>`
    select start.at as "startsAt", start.at <= ${now}::timestamptz as "isBegun", progress.rolled_at as "countedUntil"
      from (select 1) one left join stat_progress progress on progress.source = ${LEDGER},
           lateral (select ${`${month}-01`}::timestamp at time zone coalesce(progress.time_zone, ${timeZone}) as at) start`.execute(
    db,
  );
  const [row] = rows;
  if (row === undefined) throw new RangeError('a month has a beginning');
  return row;
}

export interface MovementsOfDay {
  readonly day: string;
  readonly kind: number;
  /** Whether the account received the value. */
  readonly isCredit: boolean;
  readonly count: bigint;
  readonly units: bigint;
}

/** The movements of an account by day and kind, in the order of the days. Reads the figures of one month, whatever else has moved. */
export async function selectMovements(
  db: Db,
  accountId: LedgerAccountId,
  month: string,
): Promise<MovementsOfDay[]> {
  const account = accountId.toString();
  const first = sql`${`${month}-01`}::date`;
  const { rows } = await sql<MovementsOfDay>`
    select to_char(day, 'YYYY-MM-DD') as day, split_part(dimension, ':', 1)::int as kind,
           split_part(dimension, ':', 3) = ${account} as "isCredit",
           sum(count)::bigint as count, sum(units)::bigint as units
      from stat_days
     where metric = ${FLOW_METRIC} and stat_days.day >= ${first} and stat_days.day < ${first} + interval '1 month'
       and ${account} in (split_part(dimension, ':', 2), split_part(dimension, ':', 3))
     group by 1, 2, 3 order by 1, 2, 3`.execute(db);
  return rows;
}
