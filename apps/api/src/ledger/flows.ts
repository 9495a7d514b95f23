/** How much value moved between which accounts in each hour, with all customers counted as one account. */
import { sql, type QueryExecutorProvider } from 'kysely';
import type { TokenAsset } from '@athos/domain/money';
import { stateName } from './account-states.ts';
import { userAccountId, type LedgerAccountId } from './accounts.ts';

export interface LedgerFlow {
  /** The beginning of the hour, in the requested time zone. */
  readonly hour: Date;
  readonly kind: number;
  /** An account of the programme, or, for all customers together, the number of the asset. */
  readonly debitId: LedgerAccountId;
  readonly creditId: LedgerAccountId;
  readonly count: bigint;
  readonly units: bigint;
}

export interface FlowsAfter {
  readonly flows: readonly LedgerFlow[];
  /** The last transfer included in the flows; `undefined` if there was none. */
  readonly lastId: bigint | undefined;
}

interface FlowRow {
  readonly last_id: string;
  readonly hour: Date;
  readonly kind: number;
  readonly debit: string;
  readonly credit: string;
  readonly count: string;
  readonly units: string;
}

/**
 * Adds up the transfers after `afterId`, at most `rowCountMax`. Ids are drawn under the ledger's lock, so no transfer can appear later
 * with an id below one that was read.
 */
export async function selectFlowsAfter(
  executor: QueryExecutorProvider,
  {
    afterId,
    untilId = 2n ** 63n - 1n,
    rowCountMax,
    timeZone,
  }: { afterId: bigint; untilId?: bigint; rowCountMax: number; timeZone: string },
): Promise<FlowsAfter> {
  const { rows } = await sql<FlowRow>`
    with moved as materialized (
      select id, at, kind, amount_units,
             case when debit_account_id > 0 then debit_account_id & 7 else debit_account_id end as debit,
             case when credit_account_id > 0 then credit_account_id & 7 else credit_account_id end as credit
        from ledger_transfers where id > ${afterId.toString()}::bigint and id <= ${untilId.toString()}::bigint
       order by id limit ${rowCountMax}
    )
    select (select max(id) from moved)::text as last_id, date_trunc('hour', at, ${timeZone}::text) as hour,
           kind, debit::text, credit::text, count(*)::text as count, sum(amount_units)::text as units
      from moved group by 2, 3, 4, 5 order by 2, 3, 4, 5`.execute(executor);
  const lastId = rows[0]?.last_id;
  return {
    lastId: lastId === undefined ? undefined : BigInt(lastId),
    flows: rows.map((row) => ({
      hour: row.hour,
      kind: row.kind,
      debitId: BigInt(row.debit) as LedgerAccountId,
      creditId: BigInt(row.credit) as LedgerAccountId,
      count: BigInt(row.count),
      units: BigInt(row.units),
    })),
  };
}

export async function selectAccountIdMax(executor: QueryExecutorProvider): Promise<bigint> {
  const { rows } = await sql<{ id: string }>`
    select coalesce(max(id), 0)::text as id from ledger_accounts`.execute(executor);
  return BigInt(rows[0]?.id ?? 0);
}

/**
 * Sums the balances above 0 of customers in one asset whose last movement is before a time, for the accounts in a range of ids. The time
 * is looked up in a query of its own: as a plain condition it would be looked up again for every account.
 */
export async function sumDormant(
  executor: QueryExecutorProvider,
  {
    asset,
    lastMovedBefore,
    fromId,
    toId,
  }: { asset: TokenAsset; lastMovedBefore: Date; fromId: bigint; toId: bigint },
): Promise<{ readonly count: bigint; readonly units: bigint }> {
  const { rows } = await sql<{ count: string; units: string }>`
    select count(*)::text as count, coalesce(sum(balance_units), 0)::text as units from ledger_accounts
     where ledger_accounts.id between ${fromId.toString()}::bigint and ${toId.toString()}::bigint
       and (ledger_accounts.id & 7) = ${userAccountId(0n, asset).toString()}::bigint and balance_units > 0
       and last_transfer_id < (select ledger_first_id_at(${lastMovedBefore}::timestamptz))`.execute(
    executor,
  );
  return { count: BigInt(rows[0]?.count ?? 0), units: BigInt(rows[0]?.units ?? 0) };
}

/**
 * Counts customers' balances in one asset by size, for the accounts in a range of ids. A balance is rounded down to its first three
 * digits, and to 0 below a hundredth of a token. Closed accounts are left out.
 */
export async function countBalances(
  executor: QueryExecutorProvider,
  { asset, fromId, toId }: { asset: TokenAsset; fromId: bigint; toId: bigint },
): Promise<{ readonly fromUnits: bigint; readonly count: bigint }[]> {
  const { rows } = await sql<{ from: string; count: string }>`
    select (case when balance_units < 10000 then 0
                 else trunc(balance_units::numeric, 3 - length(balance_units::text)) end)::bigint::text as "from",
           count(*)::text as count
      from ledger_accounts
     where ledger_accounts.id between ${fromId.toString()}::bigint and ${toId.toString()}::bigint
       and (ledger_accounts.id & 7) = ${userAccountId(0n, asset).toString()}::bigint and ${stateName} <> 'closed'
     group by 1`.execute(executor);
  return rows.map((row) => ({ fromUnits: BigInt(row.from), count: BigInt(row.count) }));
}
