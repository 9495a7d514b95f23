/**
 * Reads the journal for `ledger:verify` as text, so that nothing is rounded or trimmed. Sorts by `t.id`, because a plain
 * `order by id` would sort by the text column and put 10 before 9.
 */
import type pg from 'pg';
import { JournalText } from './journal-text.ts';

/** 8 MB of text. With fewer, a read costs more for each of them. */
export const ROWS_PER_READ = 65_536;
const BATCHES_PER_READ = 2_048;
/** The most that post_batch accepts. A batch that claims more was forged. */
const ROWS_PER_BATCH_MAX = 1_023;

export interface BatchRow {
  readonly firstId: bigint;
  readonly transferCount: number;
  readonly rowDigests: Buffer;
  readonly hash: Buffer;
}

export interface JournalChunk {
  readonly batches: readonly BatchRow[];
  /** All rows after the previous chunk, up to the end of the last batch. */
  readonly journal: JournalText;
  /** The end of this chunk, after which the next one begins. */
  readonly end: ChunkEnd;
}

export interface ChunkEnd {
  readonly batchId: bigint;
  readonly transferId: bigint;
}

/** Lower than every possible id, even a forged one. */
export const JOURNAL_START: ChunkEnd = { batchId: -(2n ** 63n), transferId: -(2n ** 63n) };

/** `undefined` if there are no more batches. Batches are committed in the order of their ids, so a chunk is complete. */
export async function readChunk(
  client: pg.Client,
  after: ChunkEnd,
  rowsPerRead: number,
): Promise<JournalChunk | undefined> {
  const batches = ofOnePiece(await selectBatches(client, after.batchId, rowsPerRead));
  const last = batches.at(-1);
  if (last === undefined) return undefined;
  const end = {
    batchId: last.firstId,
    transferId: last.firstId + BigInt(last.transferCount) - 1n,
  };
  const ids = { after: after.transferId, to: end.transferId };
  return { batches, journal: await selectRows(client, ids, rowsPerRead + ROWS_PER_BATCH_MAX), end };
}

/** Ids per piece (migration 0093). */
const PIECE_BITS = 44n;
export const pieceOf = (id: bigint): bigint => (id < 0n ? 0n : id >> PIECE_BITS);

/** No chunk spans two pieces, so that a checkpoint can be made at the end of each piece. */
const ofOnePiece = (batches: readonly BatchRow[]): readonly BatchRow[] =>
  batches.filter(({ firstId }) => pieceOf(firstId) === pieceOf(batches[0]?.firstId ?? 0n));

/** Batches after an id, the last of which begins within `rowCount` rows. */
async function selectBatches(
  client: pg.Client,
  afterId: bigint,
  rowCount: number,
): Promise<BatchRow[]> {
  const { rows } = await client.query<[string, number, Buffer, Buffer]>({
    text: `select first_id::text, transfer_count, row_digests, hash
             from (select b.*, sum(greatest(transfer_count, 0)) over (order by b.first_id) - greatest(transfer_count, 0) as rows_before
                     from (select * from ledger_batches b where first_id > $1::bigint order by b.first_id limit $2::int) b) b
            where rows_before < $3::int order by b.first_id`,
    values: [afterId.toString(), BATCHES_PER_READ, rowCount],
    rowMode: 'array',
  });
  return rows.map(([firstId, transferCount, rowDigests, hash]) => ({
    firstId: BigInt(firstId),
    transferCount,
    rowDigests,
    hash,
  }));
}

/**
 * Microseconds since 1970, as the chain hashes them. `timestamptz_send` gives what is stored, the microseconds since 2000; `date_part` would
 * take a sixth of the whole read.
 */
const AT_SQL = `timestamptz_send(at)::bigint + ${Date.UTC(2000, 0, 1)}000`;

/** No column is of a type that could contain `|` or the end of a line. */
async function selectRows(
  client: pg.Client,
  { after, to }: { readonly after: bigint; readonly to: bigint },
  countMax: number,
): Promise<JournalText> {
  const query: pg.QueryArrayConfig & { readonly binary: true } = {
    text: `select string_agg(line, e'\\n' order by id)
             from (select t.id, concat_ws('|', id, debit_account_id, credit_account_id, amount_units, debit_after, credit_after, debit_prev_id,
                                          credit_prev_id, ${AT_SQL}, key, line, kind) as line
                     from ledger_transfers t where id > $1::bigint and id <= $2::bigint order by t.id limit $3::int) rows`,
    values: [after.toString(), to.toString(), countMax],
    rowMode: 'array',
    // The same bytes, without a copy and a search for their end.
    binary: true,
  };
  const { rows } = await client.query<[string | null]>(query);
  return new JournalText(rows[0]?.[0] ?? '');
}

/** Finds a row after the last batch, which cannot have been posted by the ledger. */
export async function selectRowAfter(
  client: pg.Client,
  afterId: bigint,
): Promise<string | undefined> {
  const { rows } = await client.query<{ id: string }>(
    'select id::text from ledger_transfers t where id > $1::bigint order by t.id limit 1',
    [afterId.toString()],
  );
  return rows[0]?.id;
}

export interface AccountRow {
  readonly id: bigint;
  readonly asset: string;
  readonly balanceUnits: bigint;
  readonly floorUnits: bigint;
  readonly lastTransferId: bigint;
}

const ACCOUNTS_PER_READ = 10_000;

export async function selectAccounts(client: pg.Client, afterId: bigint): Promise<AccountRow[]> {
  const { rows } = await client.query<[string, string, string, string, string]>({
    text: `select id::text, asset, balance_units::text, floor_units::text, last_transfer_id::text
             from ledger_accounts a where id > $1::bigint order by a.id limit $2::int`,
    values: [afterId.toString(), ACCOUNTS_PER_READ],
    rowMode: 'array',
  });
  return rows.map(([id, asset, balance, floor, lastTransferId]) => ({
    id: BigInt(id),
    asset,
    balanceUnits: BigInt(balance),
    floorUnits: BigInt(floor),
    lastTransferId: BigInt(lastTransferId),
  }));
}

export async function countAccounts(client: pg.Client): Promise<bigint> {
  const { rows } = await client.query<{ count: string }>(
    'select count(*)::text as count from ledger_accounts',
  );
  return BigInt(rows[0]?.count ?? '0');
}

/** An estimate of the number of transfers. Counting ten million takes as long as verifying a good part of them. */
export async function estimateTransferCount(client: pg.Client): Promise<bigint> {
  const { rows } = await client.query<{ count: string }>(
    `select coalesce(sum(greatest(c.reltuples, 0)), 0)::bigint::text as count
       from pg_partition_tree('ledger_transfers') piece join pg_class c on c.oid = piece.relid where piece.isleaf`,
  );
  return BigInt(rows[0]?.count ?? '0');
}

export async function selectHeadHash(client: pg.Client): Promise<Buffer | undefined> {
  const { rows } = await client.query<{ hash: Buffer }>('select hash from ledger_head');
  return rows[0]?.hash;
}
