/** Reads of the journal and of the programme's accounts for bookkeeping. They use only indexes that other reads need anyway. */
import { sql, type QueryExecutorProvider, type RawBuilder } from 'kysely';
import { units, type Asset, type Units } from '@athos/domain/money';
import { invariant } from '../platform/errors.ts';
import { stateName, type AccountState } from './account-states.ts';
import type { LedgerAccountId, SystemAccount } from './accounts.ts';
import { presentTransfer, TRANSFER_COLUMNS, type TransferRow } from './history.ts';
import type { JournalTransfer, TransferKind } from './transfer.ts';

export interface LedgerAccount {
  readonly id: LedgerAccountId;
  /** The name of an account of the programme; `undefined` for a user's. */
  readonly code: SystemAccount | `campaign_${number}` | `merchant_${number}` | undefined;
  readonly balanceUnits: Units;
  readonly floorUnits: Units;
  readonly state: AccountState;
  /** 0 before the first transfer. */
  readonly lastTransferId: bigint;
}

interface AccountRow {
  readonly id: string;
  readonly code: LedgerAccount['code'] | null;
  readonly balance: string;
  readonly floor: string;
  readonly state: AccountState;
  readonly last: string;
}

const accountColumns = sql`
  id::text, code, balance_units::text as balance, floor_units::text as floor, ${stateName} as state,
  last_transfer_id::text as last`;

const presentAccount = (row: AccountRow): LedgerAccount => ({
  id: BigInt(row.id) as LedgerAccountId,
  code: row.code ?? undefined,
  balanceUnits: units(BigInt(row.balance)),
  floorUnits: units(BigInt(row.floor)),
  state: row.state,
  lastTransferId: BigInt(row.last),
});

/** More accounts than a programme has, campaigns and merchants included. */
const PROGRAMME_ACCOUNTS_MAX = 5_000;

/** The accounts of the programme in the order of their numbers. */
export async function selectProgrammeAccounts(
  executor: QueryExecutorProvider,
): Promise<readonly LedgerAccount[]> {
  const { rows } = await sql<AccountRow>`
    select ${accountColumns} from ledger_accounts
     where ledger_accounts.id < 0 order by ledger_accounts.id desc limit ${sql.lit(PROGRAMME_ACCOUNTS_MAX)}`.execute(
    executor,
  );
  return rows.map(presentAccount);
}

/** Unknown ids are omitted. */
export async function selectAccountsById(
  executor: QueryExecutorProvider,
  ids: readonly LedgerAccountId[],
): Promise<ReadonlyMap<LedgerAccountId, LedgerAccount>> {
  const { rows } = await sql<AccountRow>`
    select ${accountColumns} from ledger_accounts where id = any(${`{${ids.join(',')}}`}::bigint[])`.execute(
    executor,
  );
  return new Map(rows.map(presentAccount).map((account) => [account.id, account]));
}

export interface JournalFilter {
  /** Excludes this id and those above it: the id of the last transfer shown or read. */
  readonly beforeId?: bigint | undefined;
  /** Inclusive. */
  readonly from?: Date | undefined;
  /** Exclusive. */
  readonly to?: Date | undefined;
  readonly kinds?: readonly TransferKind[] | undefined;
  readonly amountMin?: bigint | undefined;
  readonly amountMax?: bigint | undefined;
}

export interface JournalPage {
  /** Newest first. Fewer than requested if the rows that were read had no more matches. */
  readonly transfers: readonly JournalTransfer[];
  /** The id from which the next page continues; `undefined` at the end. */
  readonly nextBeforeId: bigint | undefined;
  /** The time of the last row read, if the row limit cut the page short. */
  readonly lookedUntil: Date | undefined;
}

/** The maximum number of rows that one call reads, which takes about 3 ms. */
const JOURNAL_SCAN_MAX = 10_000;
const ID_MAX = 2n ** 63n - 1n;

const idAt = (time: Date | undefined, otherwise: bigint): RawBuilder<unknown> =>
  time === undefined
    ? sql`${otherwise.toString()}::bigint`
    : sql`ledger_first_id_at(${time}::timestamptz)`;

/** The conditions that no index supports. */
const hasMatch = ({ kinds, amountMin, amountMax }: JournalFilter): RawBuilder<boolean> => sql`(
  (${kinds === undefined ? null : `{${kinds.join(',')}}`}::smallint[] is null
    or t.kind = any(${kinds === undefined ? null : `{${kinds.join(',')}}`}::smallint[]))
  and t.amount_units between ${(amountMin ?? 0n).toString()}::bigint and ${(amountMax ?? ID_MAX).toString()}::bigint)`;

const isFiltered = ({ kinds, amountMin, amountMax }: JournalFilter): boolean =>
  kinds !== undefined || amountMin !== undefined || amountMax !== undefined;

/** One page of the journal, newest first. Reads `JOURNAL_SCAN_MAX` rows at most. */
export async function readJournal(
  executor: QueryExecutorProvider,
  filter: JournalFilter,
  limit: number,
): Promise<JournalPage> {
  const scanMax = isFiltered(filter) ? JOURNAL_SCAN_MAX : limit;
  const { rows } = await sql<JournalRow>`
    with bounds as materialized (
      select ${idAt(filter.from, 0n)} as first,
             least(${idAt(filter.to, ID_MAX)}, ${(filter.beforeId ?? ID_MAX).toString()}::bigint) as past
    ), looked as materialized (
      select * from ledger_transfers
       where id >= (select first from bounds) and id < (select past from bounds)
       order by id desc limit ${scanMax}
    ), seen as (
      select count(*)::int as count, min(id)::text as last_id, min(at) as last_at from looked
    )
    select seen.count as seen_count, seen.last_id as seen_id, seen.last_at as seen_at, found.*
      from seen left join lateral (
        select ${sql.raw(TRANSFER_COLUMNS)} from looked t where ${hasMatch(filter)} order by t.id desc limit ${limit}
      ) found on true
     order by found.id::bigint desc`.execute(executor);
  return pageOf(rows, { limit, scanMax });
}

type JournalRow = (TransferRow | { readonly id: null }) & {
  readonly seen_count: number;
  readonly seen_id: string | null;
  readonly seen_at: Date | null;
};

function pageOf(
  rows: readonly JournalRow[],
  { limit, scanMax }: { readonly limit: number; readonly scanMax: number },
): JournalPage {
  const transfers = rows.filter((row) => row.id !== null).map(presentTransfer);
  const [first] = rows;
  const isExhausted = first === undefined || first.seen_count < scanMax;
  if (transfers.length === limit) {
    const nextBeforeId = transfers.at(-1)?.transferId;
    return { transfers, nextBeforeId, lookedUntil: undefined };
  }
  if (isExhausted || first.seen_id === null) {
    return { transfers, nextBeforeId: undefined, lookedUntil: undefined };
  }
  return {
    transfers,
    nextBeforeId: BigInt(first.seen_id),
    lookedUntil: first.seen_at ?? undefined,
  };
}

/** The number of transfers between two times, counted up to `countMax`. */
export async function countJournal(
  executor: QueryExecutorProvider,
  { from, to }: Pick<JournalFilter, 'from' | 'to'>,
  countMax: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from ledger_transfers
       where id >= ${idAt(from, 0n)} and id < ${idAt(to, ID_MAX)} limit ${countMax}) counted`.execute(
    executor,
  );
  return rows[0]?.count ?? 0;
}

/**
 * The maximum number of transfers returned. Several payers can use the same key, and a group has up to 1,023 lines, so there may be many.
 */
const TRANSFERS_OF_KEYS_MAX = 200;

export async function selectTransfersByKeys(
  executor: QueryExecutorProvider,
  keys: readonly string[],
): Promise<readonly JournalTransfer[]> {
  const { rows } = await sql<TransferRow>`
    select ${sql.raw(TRANSFER_COLUMNS)} from ledger_transfers t
     where t.key = any(${`{${keys.join(',')}}`}::uuid[]) order by t.id limit ${sql.lit(TRANSFERS_OF_KEYS_MAX)}`.execute(
    executor,
  );
  return rows.map(presentTransfer);
}

/** The movement that an account made under this key, not in a group; `undefined` if there is none. */
export async function selectTransferOfKey(
  executor: QueryExecutorProvider,
  { accountId, key }: { readonly accountId: LedgerAccountId; readonly key: string },
): Promise<JournalTransfer | undefined> {
  const account = accountId.toString();
  const { rows } = await sql<TransferRow>`
    select ${sql.raw(TRANSFER_COLUMNS)} from ledger_transfers t
     where t.key = ${key}::uuid and (t.debit_account_id >> 3) = (${account}::bigint >> 3) and t.line = 0
       and t.debit_account_id = ${account}::bigint`.execute(executor);
  return rows.map(presentTransfer)[0];
}

/** The ids of a user's movements, by their keys and lines. Unknown ones are omitted. */
export async function selectTransferIds(
  executor: QueryExecutorProvider,
  userId: bigint,
  named: readonly { readonly key: string; readonly line: number }[],
): Promise<readonly bigint[]> {
  if (named.length === 0) return [];
  const [keys, lines] = [named.map(({ key }) => key), named.map(({ line }) => line)];
  const { rows } = await sql<{ id: string }>`
    select t.id::text from unnest(${keys}::uuid[], ${lines}::smallint[]) as named (key, line)
      join ledger_transfers t
        on t.key = named.key and (t.debit_account_id >> 3) = ${userId.toString()}::bigint and t.line = named.line`.execute(
    executor,
  );
  return rows.map(({ id }) => BigInt(id));
}

export interface ChainHead {
  /** Hexadecimal. */
  readonly hash: string;
  /** `undefined` before the first batch. */
  readonly postedAt: Date | undefined;
}

export async function selectChainHead(executor: QueryExecutorProvider): Promise<ChainHead> {
  const { rows } = await sql<{ hash: string; posted_at: Date | null }>`
    select encode(hash, 'hex') as hash, case when isfinite(posted_at) then posted_at end as posted_at
      from ledger_head`.execute(executor);
  return { hash: rows[0]?.hash ?? '', postedAt: rows[0]?.posted_at ?? undefined };
}

/** The newest batch: its first id, its number of transfers, and the hash that covers it and all before it. */
export interface NewestBatch {
  readonly firstId: bigint;
  readonly transferCount: number;
  /** Hexadecimal. */
  readonly hash: string;
  /** The time of the read, by the database's clock. */
  readonly readAt: Date;
}

/** An empty ledger has no batch: id and count are 0 then, and the hash is the one that the chain begins with. */
export async function selectNewestBatch(executor: QueryExecutorProvider): Promise<NewestBatch> {
  const { rows } = await sql<{ id: string; count: number; hash: string; at: Date }>`
    select coalesce(newest.first_id, 0)::text as id, coalesce(newest.transfer_count, 0) as count,
           encode(coalesce(newest.hash, head.hash), 'hex') as hash, clock_timestamp() as at
      from ledger_head head
      left join lateral (select first_id, transfer_count, hash from ledger_batches
                          order by first_id desc limit 1) newest on true`.execute(executor);
  const [row] = rows;
  invariant(row !== undefined, 'the ledger has a head');
  return { firstId: BigInt(row.id), transferCount: row.count, hash: row.hash, readAt: row.at };
}

/** Users' debts by asset: the number of accounts below 0 and the sum of their balances. */
export async function selectDebts(
  executor: QueryExecutorProvider,
): Promise<readonly { readonly asset: Asset; readonly count: number; readonly units: Units }[]> {
  const { rows } = await sql<{ asset: Asset; count: number; sum: string }>`
    select asset, count(*)::int as count, sum(balance_units)::text as sum from ledger_accounts
     where ledger_accounts.id > 0 and floor_units < 0 and balance_units < 0 group by asset order by asset`.execute(
    executor,
  );
  return rows.map(({ asset, count, sum }) => ({ asset, count, units: units(BigInt(sum)) }));
}
