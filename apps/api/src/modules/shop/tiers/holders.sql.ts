/** The number of customers who hold an amount or more. */
import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/database/database.ts';

/** Replaces the counts. `counts` contains the number of people from each step up to the next. */
export async function replaceHistogram(
  tx: Tx,
  counts: ReadonlyMap<bigint, bigint>,
  at: Date,
): Promise<void> {
  // Takes the lock of the ladder, so that two runs take turns.
  await tx.updateTable('tier_ladder').set({ counted_at: at }).execute();
  await tx.deleteFrom('tier_histogram').execute();
  await sql`
    insert into tier_histogram (from_micro_ath, holder_count)
    select from_micro_ath, sum(count) over (order by from_micro_ath desc)::bigint
      from unnest(${`{${[...counts.keys()].join(',')}}`}::bigint[], ${`{${[...counts.values()].join(',')}}`}::bigint[])
           as counted (from_micro_ath, count)`.execute(tx);
}

export interface Holders {
  readonly amount: bigint;
  readonly count: number;
  /** False if the amount is inside a step, so that its holders are estimated. */
  readonly isExact: boolean;
}

const STEP_DIGITS = 3;
const FIRST_STEP_UNITS = 10_000n;

/** The first amount above a step. Must agree with `countBalances` of the ledger. */
const endOf = (from: bigint): bigint =>
  from < FIRST_STEP_UNITS
    ? FIRST_STEP_UNITS
    : from + 10n ** BigInt(from.toString().length - STEP_DIGITS);

/** In the order of the amounts. Reads two rows for each amount, however many rows there are. */
export async function selectHolders(db: Db | Tx, amounts: readonly bigint[]): Promise<Holders[]> {
  const { rows } = await sql<{
    amount: string;
    above: string;
    below: string | null;
    from: string | null;
  }>`
    select asked.amount::text, coalesce(above.holder_count, 0)::text as above,
           below.holder_count::text as below, below.from_micro_ath::text as "from"
      from unnest(${`{${amounts.join(',')}}`}::bigint[]) with ordinality as asked (amount, place)
      left join lateral (
        select holder_count from tier_histogram where from_micro_ath >= asked.amount order by from_micro_ath limit 1
      ) above on true
      left join lateral (
        select from_micro_ath, holder_count from tier_histogram where from_micro_ath < asked.amount
         order by from_micro_ath desc limit 1
      ) below on true
     order by asked.place`.execute(db);
  return rows.map((row) => {
    const [amount, above] = [BigInt(row.amount), BigInt(row.above)];
    const from = BigInt(row.from ?? amount);
    const inStep = row.below === null || endOf(from) <= amount ? 0n : BigInt(row.below) - above;
    const share = (inStep * (endOf(from) - amount)) / (endOf(from) - from);
    return { amount, count: parseInt((above + share).toString(), 10), isExact: inStep === 0n };
  });
}
