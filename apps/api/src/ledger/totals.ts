/**
 * Balances at any time, of each account of the programme and of all customers together. Totals are stored after every
 * `ROWS_PER_TOTALS` transfers, so that few rows have to be read.
 */
import { sql, type QueryExecutorProvider } from 'kysely';
import { units, type Asset, type Units } from '@athos/domain/money';
import { assetOfAccount, type LedgerAccountId } from './accounts.ts';

/** Bounds the reading for a balance to at most 1.5 ms, and costs some 20 rows of totals each time. */
const ROWS_PER_TOTALS = 2_500;
/** Reading this many rows takes about a second, in case no totals were added for a while. The statement limit is three seconds. */
const ROWS_PER_READ_MAX = 500_000;
/** Covers five million transfers in one run. The next run continues. */
const TOTALS_PER_RUN = 2_000;

export interface BalancesAt {
  /** Computed from the running balances in the journal. */
  readonly programme: ReadonlyMap<LedgerAccountId, Units>;
  /** Computed from the amounts that moved, so it is independent of every running balance. */
  readonly customers: ReadonlyMap<Asset, Units>;
}

/** The balances just before a time, or after the last transfer. `undefined` if too many transfers have no totals yet. */
export async function selectBalancesBefore(
  executor: QueryExecutorProvider,
  time: Date | 'end',
): Promise<BalancesAt | undefined> {
  const { rows } = await sql<{ id: string; balance: string }>`
    select account_id::text as id, balance_units::text as balance
      from ledger_balances_before(ledger_first_id_at(${time === 'end' ? 'infinity' : time}::timestamptz), ${sql.lit(ROWS_PER_READ_MAX)}) b
     order by b.account_id desc`.execute(executor);
  if (rows.length === 0) return undefined;
  const balances = rows.map(({ id, balance }) => ({
    id: BigInt(id) as LedgerAccountId,
    balanceUnits: units(BigInt(balance)),
  }));
  const programme = balances.filter(({ id }) => id < 0n);
  const customers = balances.filter(({ id }) => id >= 0n);
  return {
    programme: new Map(programme.map(({ id, balanceUnits }) => [id, balanceUnits])),
    customers: new Map(customers.map(({ id, balanceUnits }) => [assetOfAccount(id), balanceUnits])),
  };
}

/** Adds the totals that are due, and returns whether it added all of them. Concurrent runs add each total only once. */
export async function addTotals(
  executor: QueryExecutorProvider,
  rowsPerTotals: number = ROWS_PER_TOTALS,
): Promise<boolean> {
  for (let count = 0; count < TOTALS_PER_RUN; count++) {
    const { rows } = await sql<{ added: boolean }>`
      select ledger_add_totals(${rowsPerTotals}) as added`.execute(executor);
    if (rows[0]?.added !== true) return true;
  }
  return false;
}
