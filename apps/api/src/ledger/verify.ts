/**
 * Verifies the whole ledger from its rows alone: every running balance, every link of every account's list, every stored
 * balance, the sum of every asset, the stored totals and the hash chain. Each pass stops at the first wrong row and names it. It can run while the
 * ledger is in use: the journal is read in short statements, and only its end and the accounts in one snapshot.
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
  readChunk,
  selectAccounts,
  selectHeadHash,
  selectRowAfter,
  type ChunkEnd,
  type JournalChunk,
} from './verify-rows.ts';
import { connectTo } from '../platform/database/address.ts';
import { TotalsCheck } from './verify-totals.ts';

/** The accounts kept in memory at once, about 100 MB. With more accounts, the journal is read once per this many. */
const ACCOUNTS_PER_PASS = 1_000_000n;
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
}

interface VerifyOptions {
  readonly databaseUrl: string;
  /** The `head` of an earlier report: the chain must still contain it. */
  readonly knownHead?: string | undefined;
  readonly accountsPerPass?: bigint;
  /** Called after every few thousand rows. */
  readonly onProgress?: (progress: VerifyProgress) => Promise<void>;
}

export interface VerifyProgress {
  /** Transfers read so far, in all passes. */
  readonly rowCount: bigint;
  /** About how many will be read. */
  readonly rowsTotal: bigint;
}

/** Throws only if the database cannot be read. */
export async function verifyLedger(options: VerifyOptions): Promise<LedgerReport> {
  const client = new pg.Client({
    ...connectTo(options.databaseUrl),
    application_name: 'athos-ledger-verify',
  });
  await client.connect();
  try {
    const accountCount = await countAccounts(client);
    const perPass = options.accountsPerPass ?? ACCOUNTS_PER_PASS;
    const passCount = (accountCount + perPass - 1n) / perPass;
    const chain = new ChainCheck(options.knownHead);
    const faults: LedgerFault[] = [];
    const rowsTotal = passCount * (await estimateTransferCount(client));
    let rowCount = 0n;
    const onRows = async (count: number): Promise<void> => {
      rowCount += BigInt(count);
      await options.onProgress?.({
        rowCount,
        rowsTotal: rowsTotal > rowCount ? rowsTotal : rowCount,
      });
    };
    for (let pass = 0n; pass < passCount; pass++) {
      const books = new BookCheck((id) => BigInt.asUintN(61, id >> 3n) % passCount === pass);
      const isFirst = pass === 0n;
      const checks = {
        books,
        chain: isFirst ? chain : undefined,
        totals: isFirst ? new TotalsCheck(client) : undefined,
        onRows,
      };
      const fault = await faultOf(() => verifyPass(client, checks));
      if (fault !== undefined) faults.push(fault);
    }
    const { transferCount, batchCount, head } = chain;
    return { fault: firstOf(faults), accountCount, transferCount, batchCount, rowCount, head };
  } finally {
    await client.end();
  }
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

async function verifyPass(client: pg.Client, checks: Checks): Promise<void> {
  const { books, chain } = checks;
  const almostEnd = await verifyJournal(client, JOURNAL_START, checks);
  // A long snapshot would retain every old version of the busiest rows, so it covers only what was posted in the meantime.
  await client.query('begin isolation level repeatable read, read only');
  try {
    const end = await verifyJournal(client, almostEnd, checks);
    const stray = await selectRowAfter(client, end.transferId);
    if (stray !== undefined) throw transferFault(BigInt(stray), 'belongs to no batch');
    chain?.finish(await selectHeadHash(client));
    let after = BEFORE_ALL_ACCOUNTS;
    for (;;) {
      const accounts = await selectAccounts(client, after);
      for (const account of accounts) books.checkAccount(account);
      const last = accounts.at(-1);
      if (last === undefined) break;
      after = last.id;
    }
    books.finish();
  } finally {
    await client.query('rollback');
  }
}

interface Checks {
  readonly books: BookCheck;
  readonly chain: ChainCheck | undefined;
  readonly totals: TotalsCheck | undefined;
  readonly onRows: (count: number) => Promise<void>;
}

async function verifyJournal(
  client: pg.Client,
  start: ChunkEnd,
  checks: Checks,
): Promise<ChunkEnd> {
  let end = start;
  for (;;) {
    const chunk = await readChunk(client, end);
    if (chunk === undefined) return end;
    verifyChunk(chunk, checks);
    await checks.totals?.check(chunk);
    await checks.onRows(chunk.rows.length);
    end = chunk.end;
  }
}

function verifyChunk({ batches, rows }: JournalChunk, { books, chain }: Checks): void {
  let position = 0;
  for (const batch of batches) {
    const own = rows.slice(position, position + batch.transferCount);
    position += batch.transferCount;
    for (let index = 0; index < batch.transferCount; index++) {
      const id = own[index]?.id;
      const expectedId = batch.firstId + BigInt(index);
      if (id === undefined || id > expectedId) throw transferFault(expectedId, 'is missing');
      if (id < expectedId) throw transferFault(id, 'belongs to no batch');
    }
    const broken = chain?.follow(batch, own);
    for (const row of own) {
      if (broken !== undefined && row.id >= (broken.transferId ?? 0n)) break;
      books.check(row);
    }
    if (broken !== undefined) throw new LedgerFaultError(broken);
  }
}
