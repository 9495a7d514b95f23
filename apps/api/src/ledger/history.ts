/** Reads history by walking linked lists in the journal: each row has the id of the previous row of both its accounts. */
import { sql, type QueryExecutorProvider } from 'kysely';
import type pg from 'pg';
import { units, type Units } from '@athos/domain/money';
import type { LedgerAccountId } from './accounts.ts';
import type { JournalTransfer, TransferKind } from './transfer.ts';

export interface HistoryQuery {
  /** Accounts of one user; their movements are merged, newest first. */
  accountIds: readonly LedgerAccountId[];
  /** 1 to 100. */
  limit: number;
  /** `next` of the previous page, for the same accounts in the same order. */
  cursor?: string;
  /** The kinds to include, separately for movements that the accounts paid and received. Default: all. */
  kinds?: { readonly paid: readonly TransferKind[]; readonly received: readonly TransferKind[] };
  /** Inclusive. */
  from?: Date;
  /** Exclusive. */
  to?: Date;
  /** The range of amounts to include, both ends included. */
  amountUnits?: { readonly min?: Units | undefined; readonly max?: Units | undefined };
}

export interface HistoryPage {
  /** May be shorter than `limit` even if `next` is set, since a walk reads a bounded number of rows. */
  transfers: readonly JournalTransfer[];
  /** Opaque; `undefined` at the end. Even a forged cursor gives access only to rows of `accountIds`. */
  next: string | undefined;
}

const LIMIT_MAX = 100;
/**
 * The maximum number of rows read for one page, about 5 ms: the share of a connection that one request may take from the others. If fewer
 * than `limit` of them match, the page is short and has a cursor.
 */
const SCAN_MAX = 500;

export const TRANSFER_COLUMNS = `t.id::text as id, t.debit_account_id::text as debit, t.credit_account_id::text as credit,
  t.amount_units::text as amount, t.debit_after::text as debit_after, t.credit_after::text as credit_after,
  t.at, t.key, t.line, t.kind`;

const walkSql = (
  besides = '',
): string => `select ${TRANSFER_COLUMNS}, w.next_ids::text as next_ids${besides}
  from ledger_walk($1::bigint[], $2::bigint[], $3::int, $4::int, $5::smallint[], $6::smallint[], $7::timestamptz, $8::timestamptz) w,
       lateral (select (w.transfer).*) t
  where t.id is null or (($9::bigint is null or t.amount_units >= $9) and ($10::bigint is null or t.amount_units <= $10))
  limit $11::int`;
const WALK_SQL = walkSql();
/**
 * Movements are committed in the order of their ids, and a standby replays them in that order. So a standby that has the newest movement
 * named by the cursor has all movements of the page.
 */
const REPLAYED_WALK_SQL = walkSql(`, pg_is_in_recovery() and exists (
    select from ledger_transfers where id = (select max(id) from unnest($2::bigint[]) id)) as has_replayed`);
const KEY_USED_SQL = `select from ledger_transfers
  where key = $1::uuid and (debit_account_id >> 3) = $2::bigint and line = 0`;
const BY_ID_SQL = `select ${TRANSFER_COLUMNS} from ledger_transfers t where t.id = $1::bigint`;

export interface TransferRow {
  id: string;
  debit: string;
  credit: string;
  amount: string;
  debit_after: string;
  credit_after: string;
  at: Date;
  key: string;
  line: number;
  kind: TransferKind;
}

type WalkRow = (TransferRow | { id: null }) & { next_ids: string };

export type CursorQuery = HistoryQuery & { readonly cursor: string };

/** Thrown for a cursor that does not come from `walkHistory`. */
export class BadCursorError extends Error {
  override readonly name = 'BadCursorError';
}

export async function walkHistory(pool: pg.Pool, query: HistoryQuery): Promise<HistoryPage> {
  const { rows } = await pool.query<WalkRow>({
    name: 'ledger_walk',
    text: WALK_SQL,
    values: walkValues(query),
  });
  return pageOf(rows);
}

/**
 * Reads the page from a standby. Returns `undefined` if the standby has not replayed the movements that the cursor names, or is no longer
 * a standby.
 */
export async function walkReplayed(
  pool: pg.Pool,
  query: CursorQuery,
): Promise<HistoryPage | undefined> {
  const { rows } = await pool.query<WalkRow & { has_replayed: boolean }>({
    name: 'ledger_walk_replayed',
    text: REPLAYED_WALK_SQL,
    values: walkValues(query),
  });
  return rows[0]?.has_replayed === true ? pageOf(rows) : undefined;
}

/**
 * Amounts are compared outside of the walk. With an amount filter, the walk emits every row that it reads, each with the ids at which the
 * lists continue, so that the page can end at any row. Otherwise the walk would end after `limit` rows, of which perhaps none matches.
 */
function walkValues(query: HistoryQuery): unknown[] {
  const { accountIds, limit, cursor, kinds, from, to, amountUnits } = query;
  if (!(limit >= 1 && limit <= LIMIT_MAX)) throw new RangeError(`limit must be 1 to ${LIMIT_MAX}`);
  return [
    `{${accountIds.join(',')}}`,
    cursor === undefined ? null : nextIdsOf(cursor, accountIds.length),
    amountUnits === undefined ? limit : SCAN_MAX,
    SCAN_MAX,
    kinds === undefined ? null : `{${kinds.paid.join(',')}}`,
    kinds === undefined ? null : `{${kinds.received.join(',')}}`,
    from ?? null,
    to ?? null,
    amountUnits?.min?.toString() ?? null,
    amountUnits?.max?.toString() ?? null,
    limit,
  ];
}

const pageOf = (rows: readonly WalkRow[]): HistoryPage => ({
  transfers: rows.filter((row) => row.id !== null).map(presentTransfer),
  next: cursorOf(rows.at(-1)?.next_ids),
});

export async function transferById(
  pool: pg.Pool,
  transferId: bigint,
): Promise<JournalTransfer | undefined> {
  const { rows } = await pool.query<TransferRow>({
    name: 'ledger_transfer_by_id',
    text: BY_ID_SQL,
    values: [transferId.toString()],
  });
  const row = rows[0];
  return row === undefined ? undefined : presentTransfer(row);
}

/**
 * The movements of an account down to and including the given transfer, newest first; all of them if it is not in the account's
 * list. `undefined` if there are more than `rowCountMax`.
 */
export async function movementsSince(
  executor: QueryExecutorProvider,
  accountId: LedgerAccountId,
  { sinceId, rowCountMax }: { sinceId: bigint; rowCountMax: number },
): Promise<readonly JournalTransfer[] | undefined> {
  const account = accountId.toString();
  const { rows } = await sql<TransferRow>`
    with recursive listed as (
      select t.*, 1 as position from ledger_accounts a join ledger_transfers t on t.id = a.last_transfer_id
       where a.id = ${account}::bigint
      union all
      select t.*, position + 1 from listed l
        join ledger_transfers t
          on t.id = case when l.debit_account_id = ${account}::bigint then l.debit_prev_id else l.credit_prev_id end
       where l.id > ${sinceId.toString()}::bigint and position <= ${rowCountMax}::int
    )
    select ${sql.raw(TRANSFER_COLUMNS)} from listed t order by t.id desc`.execute(executor);
  return rows.length > rowCountMax ? undefined : rows.map(presentTransfer);
}

export async function isKeyUsed(pool: pg.Pool, userId: bigint, key: string): Promise<boolean> {
  const { rows } = await pool.query({
    name: 'ledger_key_used',
    text: KEY_USED_SQL,
    values: [key, userId.toString()],
  });
  return rows.length > 0;
}

/** The time of the last batch, which is the earliest time of the next one; `undefined` before the first. */
export async function lastPostedAt(pool: pg.Pool): Promise<Date | undefined> {
  const { rows } = await pool.query<{ at: Date }>(
    'select posted_at as at from ledger_head where isfinite(posted_at)',
  );
  return rows[0]?.at;
}

/** `12.0.7` lists the transfer to continue with for each account, 0 at the end of its list. */
function nextIdsOf(cursor: string, accountCount: number): string {
  const parts = cursor.split('.');
  if (parts.length !== accountCount || !parts.every((part) => /^\d{1,18}$/.test(part))) {
    throw new BadCursorError('not a cursor of these accounts');
  }
  return `{${parts.join(',')}}`;
}

function cursorOf(nextIds: string | undefined): string | undefined {
  const parts = nextIds?.slice(1, -1).split(',') ?? [];
  return parts.some((part) => part !== '0') ? parts.join('.') : undefined;
}

const account = (text: string): LedgerAccountId => BigInt(text) as LedgerAccountId;

export function presentTransfer(row: TransferRow): JournalTransfer {
  return {
    transferId: BigInt(row.id),
    debitAccountId: account(row.debit),
    creditAccountId: account(row.credit),
    amountUnits: units(BigInt(row.amount)),
    debitAfterUnits: units(BigInt(row.debit_after)),
    creditAfterUnits: units(BigInt(row.credit_after)),
    at: row.at,
    key: row.key,
    line: row.line,
    kind: row.kind,
  };
}
