/**
 * Verifies the whole ledger from its rows alone: every running balance, every link of every account's list, every stored
 * balance, the sum of every asset, the stored totals and the hash chain. Each pass stops at the first wrong row and names it. It can run
 * while the ledger is in use: the journal is read in short statements, and only its end and the accounts in one snapshot.
 */
import pg from 'pg';
import {
  BookCheck,
  ChainCheck,
  LedgerFaultError,
  transferFault,
  type LedgerFault,
} from './verify-checks.ts';
import {
  countAccounts,
  estimateTransferCount,
  JOURNAL_START,
  pieceOf,
  readChunk,
  ROWS_PER_READ,
  selectAccounts,
  selectHeadHash,
  selectRowAfter,
  type ChunkEnd,
  type JournalChunk,
} from './verify-rows.ts';
import { connectTo } from '../platform/database/address.ts';
import { KEEP_ALIVE } from '../platform/database/connection.ts';
import { selectStart, type Checkpoint, type CheckpointKeys } from './checkpoints.ts';
import { StandChecks, type Stand } from './verify-stand.ts';
import { TotalsCheck } from './verify-totals.ts';

/**
 * The accounts kept in memory at once, about 100 MB, and again for the end of a piece (verify-stand.ts). With more accounts, the journal is read
 * once per this many.
 */
const ACCOUNTS_PER_PASS = 1_000_000n;
/** Counting all accounts takes longest. A server that was lost is noticed, and does not keep a worker for ever. */
const QUERY_TIMEOUT_MS = 10 * 60_000;
const CONNECT_TIMEOUT_MS = 30_000;
const BEFORE_ALL_ACCOUNTS = -(2n ** 63n);

export interface LedgerReport {
  /** `undefined` if the books are correct. */
  readonly fault: LedgerFault | undefined;
  readonly accountCount: bigint;
  /** The number of transfers that the chain covers. */
  readonly transferCount: bigint;
  readonly batchCount: bigint;
  /** The number of transfers read, over all passes. */
  readonly rowCount: bigint;
  /** The last verified hash, hexadecimal. If it is stored elsewhere, it can prove later that nothing before it was rewritten. */
  readonly head: string;
  /** The checkpoint at which the run began; `undefined` for the first row. */
  readonly checkpoint: Checkpoint | undefined;
  /** Verified states, from which checkpoints can be made; empty if the books are wrong. */
  readonly stands: readonly Stand[];
}

interface VerifyOptions {
  /** The `head` of an earlier report: the chain must still contain it. */
  readonly knownHead?: string | undefined;
  readonly accountsPerPass?: bigint;
  readonly rowsPerRead?: number;
  /** Begins at the newest checkpoint that one of these keys signed. Without keys, or if a head is given, it begins at the first row. */
  readonly keys?: CheckpointKeys | undefined;
  /** The last transfers of the checkpoints that there are. The end of a piece that has one is not looked for. */
  readonly places?: ReadonlySet<bigint>;
  /** Called after each read, of some ten thousand rows. */
  readonly onProgress?: (progress: VerifyProgress) => Promise<void>;
}

export interface VerifyProgress {
  /** Transfers read so far, in all passes. */
  readonly rowCount: bigint;
  /** An estimate of how many will be read. */
  readonly rowsTotal: bigint;
}

/** Throws only if the database cannot be read. */
export async function verifyLedger({
  databaseUrl,
  ...options
}: VerifyOptions & { readonly databaseUrl: string }): Promise<LedgerReport> {
  const client = new pg.Client({
    ...connectTo(databaseUrl),
    application_name: 'athos-ledger-verify',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    ...KEEP_ALIVE,
  });
  // Without a listener, a lost connection would end the process. The query that runs fails, or the next one does.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await verifyLedgerOn(client, options);
  } finally {
    await client.end();
  }
}

/** The same over an open connection, which is in no transaction before and after. */
export async function verifyLedgerOn(
  client: pg.Client,
  options: VerifyOptions = {},
): Promise<LedgerReport> {
  const { start, forged } = await selectStart(client, options);
  const accountCount = await countAccounts(client);
  const { accountsPerPass: perPass = ACCOUNTS_PER_PASS, rowsPerRead = ROWS_PER_READ } = options;
  // After a checkpoint, only accounts that have moved since need to be in memory.
  const passCount = start === undefined ? (accountCount + perPass - 1n) / perPass : 1n;
  const chain = new ChainCheck(options.knownHead, start);
  const stands = new StandChecks(start, { known: options.places, accountsMax: perPass });
  const faults: LedgerFault[] = [...forged];
  const rowsBefore = start?.transferCount ?? 0n;
  const rowsTotal = passCount * ((await estimateTransferCount(client)) - rowsBefore);
  let rowCount = 0n;
  const onRows = async (count: number): Promise<void> => {
    rowCount += BigInt(count);
    await options.onProgress?.({
      rowCount,
      rowsTotal: rowsTotal > rowCount ? rowsTotal : rowCount,
    });
  };
  let found: readonly Stand[] = [];
  for (let pass = 0n; pass < passCount; pass++) {
    const isOfPass = (id: bigint): boolean =>
      passCount === 1n || BigInt.asUintN(61, id >> 3n) % passCount === pass;
    const books = new BookCheck(
      isOfPass,
      start && ((accountId, opening) => stands.noteOpening(accountId, opening)),
    );
    const totals = new TotalsCheck(client, start?.totals);
    const first = pass === 0n ? { chain, totals, stands } : undefined;
    const fault = await faultOf(async () => {
      const passed = await verifyPass(
        client,
        { books, first, rowsPerRead, onRows },
        start ?? JOURNAL_START,
      );
      if (first !== undefined) found = passed;
    });
    if (fault !== undefined) faults.push(fault);
  }
  const { transferCount, batchCount, head } = chain;
  const fault = firstOf(faults);
  const report = { accountCount, transferCount, batchCount, rowCount, head, checkpoint: start };
  return { ...report, fault, stands: fault === undefined ? found : [] };
}

/** Picks the cause: a wrong transfer makes accounts wrong, and a wrong account makes a sum wrong. */
function firstOf(faults: readonly LedgerFault[]): LedgerFault | undefined {
  const inJournal = faults.filter(({ transferId }) => transferId !== undefined);
  const [earliest] = inJournal.toSorted((a, b) =>
    (a.transferId ?? 0n) < (b.transferId ?? 0n) ? -1 : 1,
  );
  return earliest ?? faults.find(({ row }) => row.startsWith('account')) ?? faults[0];
}

async function faultOf(check: () => Promise<void>): Promise<LedgerFault | undefined> {
  try {
    await check();
    return undefined;
  } catch (error) {
    if (error instanceof LedgerFaultError) return error.fault;
    throw error;
  }
}

/** Returns the states found. Throws LedgerFaultError. */
async function verifyPass(
  client: pg.Client,
  checks: Checks,
  start: ChunkEnd,
): Promise<readonly Stand[]> {
  const { books, first } = checks;
  const almostEnd = await verifyJournal(client, start, checks);
  // A long snapshot would retain every old version of the busiest rows, so it covers only what was posted in the meantime.
  await client.query('begin isolation level repeatable read, read only');
  try {
    const end = await verifyJournal(client, almostEnd, checks);
    const stray = await selectRowAfter(client, end.transferId);
    if (stray !== undefined) throw transferFault(BigInt(stray), 'belongs to no batch');
    first?.chain.finish(await selectHeadHash(client));
    first?.stands.addEnd(placeOf(first, end));
    let after = BEFORE_ALL_ACCOUNTS;
    for (;;) {
      const accounts = await selectAccounts(client, after);
      for (const account of accounts) {
        books.checkAccount(account);
        first?.stands.noteAccount(account);
      }
      const last = accounts.at(-1);
      if (last === undefined) break;
      after = last.id;
      // Tells that the run lives: with many accounts, this takes minutes.
      await checks.onRows(0);
    }
    const stands = first?.stands.finish() ?? [];
    books.finish();
    return stands;
  } finally {
    await client.query('rollback');
  }
}

interface Checks {
  readonly books: BookCheck;
  /** The checks that only the first pass makes. */
  readonly first: FirstPass | undefined;
  readonly rowsPerRead: number;
  readonly onRows: (count: number) => Promise<void>;
}

interface FirstPass {
  readonly chain: ChainCheck;
  readonly totals: TotalsCheck;
  readonly stands: StandChecks;
}

const placeOf = ({ chain, totals }: FirstPass, { transferId, batchId }: ChunkEnd) => ({
  transferId,
  batchId,
  transferCount: chain.transferCount,
  batchCount: chain.batchCount,
  hash: chain.head,
  totals: totals.text,
});

async function verifyJournal(
  client: pg.Client,
  start: ChunkEnd,
  checks: Checks,
): Promise<ChunkEnd> {
  const { first } = checks;
  let end = start;
  for (;;) {
    const chunk = await readChunk(client, end, checks.rowsPerRead);
    if (chunk === undefined) return end;
    if (pieceOf(chunk.end.batchId) > pieceOf(end.batchId)) {
      first?.stands.addPieceEnd(placeOf(first, end));
    }
    await first?.totals.read(end.transferId, chunk.end.transferId);
    await checks.onRows(verifyChunk(chunk, checks));
    end = chunk.end;
  }
}

/** Returns the number of rows. Throws LedgerFaultError. */
function verifyChunk({ batches, journal }: JournalChunk, { books, first }: Checks): number {
  let count = 0;
  for (const batch of batches) {
    const own = journal.take(batch.transferCount);
    for (let index = 0; index < batch.transferCount; index++) {
      const id = own.rows[index]?.id;
      const expectedId = batch.firstId + BigInt(index);
      if (id === undefined || id > expectedId) throw transferFault(expectedId, 'is missing');
      if (id < expectedId) throw transferFault(id, 'belongs to no batch');
    }
    const broken = first?.chain.follow(batch, own);
    for (const row of own.rows) {
      if (broken !== undefined && row.id >= (broken.transferId ?? 0n)) break;
      books.check(row);
      first?.totals.check(row);
      first?.stands.note(row);
    }
    if (broken !== undefined) throw new LedgerFaultError(broken);
    count += own.rows.length;
  }
  const [stray] = journal.take(1).rows;
  if (stray !== undefined) throw transferFault(stray.id, 'belongs to no batch');
  return count;
}
