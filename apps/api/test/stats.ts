/** The stored figures of the dashboard, and the same figures worked out row by row, without the database's own sums. */
import { sql } from 'kysely';
import type { TestApp } from './test-app.ts';

/** `metric dimension time`, count and units. */
export type Figure = readonly [name: string, count: bigint, units: bigint];

const byName = (figures: Iterable<Figure>): Figure[] =>
  [...figures].toSorted(([one], [other]) => (one < other ? -1 : 1));

interface Row {
  readonly metric: string;
  readonly dimension: string;
  readonly at: Date | string;
  readonly count: bigint;
  readonly units: bigint;
}

const figuresOf = (rows: readonly Row[]): Figure[] =>
  byName(
    rows.map(({ metric, dimension, at, count, units }) => [
      `${metric} ${dimension} ${typeof at === 'string' ? at : at.toISOString()}`,
      count,
      units,
    ]),
  );

export async function storedHours({ deps }: TestApp): Promise<Figure[]> {
  const { rows } = await sql<Row>`
    select metric, dimension, bucket as at, count, units from stat_hours`.execute(deps.db);
  return figuresOf(rows);
}

export async function storedDays({ deps }: TestApp): Promise<Figure[]> {
  const { rows } = await sql<Row>`
    select metric, dimension, day::text as at, count, units from stat_days`.execute(deps.db);
  return figuresOf(rows);
}

const clockOf = (timeZone: string) =>
  new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
  });

/** The beginning of the hour, by the hands of a clock in the time zone. */
function hourOf(at: Date, clock: Intl.DateTimeFormat): Date {
  const parts = Object.fromEntries(clock.formatToParts(at).map(({ type, value }) => [type, value]));
  const [minute = 0, second = 0, milli = 0] = ['minute', 'second', 'fractionalSecond'].map((type) =>
    parseInt(parts[type] ?? '0', 10),
  );
  return new Date(at.getTime() - minute * 60_000 - second * 1_000 - milli);
}

interface Fact {
  readonly metric: string;
  readonly dimension: string;
  readonly at: Date;
  readonly count?: bigint;
  readonly units?: bigint;
}

const FIRSTS: Readonly<Record<string, string>> = {
  sold: 'first_purchase',
  redeemed: 'first_redemption',
  card_paid: 'first_top_up',
};

/** Every fact that is counted, oldest first, from plain reads of the tables. */
async function readFacts({ deps: { db } }: TestApp): Promise<Fact[]> {
  const { rows: moves } = await sql<Fact>`
    select 'moved' as metric, at, amount_units as units, kind || ':' ||
           (case when debit_account_id > 0 then debit_account_id & 7 else debit_account_id end) || ':' ||
           (case when credit_account_id > 0 then credit_account_id & 7 else credit_account_id end) as dimension
      from ledger_transfers`.execute(db);
  const { rows: owned } = await sql<Fact & { readonly user_id: bigint; readonly act: bigint }>`
    select 'sold' as metric, line.offer_id::text as dimension, made.created_at as at, line.item_count::bigint as count,
           line.item_count * line.price_ath_hundredths * 10000::bigint as units, made.user_id, made.id as act
      from purchases made join purchase_lines line on line.purchase_id = made.id
    union all
    select distinct 'redeemed', made.venue_id::text, made.created_at, 1::bigint, (made.answer ->> 'redeemed_count')::bigint,
           purchase.user_id, made.id
      from redemptions made join purchase_items item on item.redemption_id = made.id
      join purchases purchase on purchase.id = item.purchase_id
    union all
    select case when state = 'credited' then 'card_paid' else 'card_failed' end, '', closed_at, 1::bigint, total_usd_cents,
           user_id, history_id
      from card_orders
    union all
    select 'refunded', '', accepted_at, 1::bigint, total_usd_cents, user_id, 0 from card_refunds where accepted_at is not null`.execute(
    db,
  );
  const { rows: others } = await sql<Fact>`
    select 'verified' as metric, '' as dimension, created_at as at from users
    union all select event, dimension, quarter from event_counts, generate_series(1, count)`.execute(
    db,
  );
  const seen = new Set<string>();
  const firsts = owned
    .toSorted((one, other) => (one.act < other.act ? -1 : 1))
    .flatMap(({ metric, at, user_id: userId }): Fact[] => {
      const first = FIRSTS[metric];
      if (first === undefined || seen.has(`${first} ${userId}`)) return [];
      seen.add(`${first} ${userId}`);
      return [{ metric: first, dimension: '', at, units: 0n }];
    });
  return [...moves, ...owned, ...others, ...firsts];
}

/** What the hours must hold. */
export async function expectedHours(test: TestApp, timeZone: string): Promise<Figure[]> {
  const clock = clockOf(timeZone);
  const sums = new Map<string, Figure>();
  for (const { metric, dimension, at, count = 1n, units = 0n } of await readFacts(test)) {
    const name = `${metric} ${dimension} ${hourOf(at, clock).toISOString()}`;
    const [, knownCount, knownUnits] = sums.get(name) ?? [name, 0n, 0n];
    sums.set(name, [name, knownCount + count, knownUnits + units]);
  }
  const { rows: rates } = await sql<{ at: Date; rate: string }>`
    select in_force_from as at, usd_per_ath::text as rate from exchange_rates order by in_force_from, id`.execute(
    test.deps.db,
  );
  for (const { at, rate } of rates) {
    const name = `rate  ${hourOf(at, clock).toISOString()}`;
    sums.set(name, [name, 1n, BigInt(rate.replace('.', ''))]);
  }
  return byName(sums.values());
}

/** The hours of each day together. Of a rate, the last of the day counts. */
export function sumByDay(hours: readonly Figure[], timeZone: string): Figure[] {
  const days = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
  const sums = new Map<string, Figure>();
  for (const [name, count, units] of hours) {
    const [metric = '', dimension = '', at = ''] = name.split(' ');
    const day = `${metric} ${dimension} ${days.format(new Date(at))}`;
    const [, knownCount, knownUnits] = sums.get(day) ?? [day, 0n, 0n];
    const isGauge = metric === 'rate';
    sums.set(day, isGauge ? [day, count, units] : [day, knownCount + count, knownUnits + units]);
  }
  return byName(sums.values());
}
