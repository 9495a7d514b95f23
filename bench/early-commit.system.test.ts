/** A crash of the server loses nothing that was acknowledged, but only because of the barrier. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startPostgres, type Postgres, type PostgresOptions } from '@athos/postgres/launch';
import { units } from '@athos/domain/money';
import {
  createLedger,
  systemAccountId,
  TransferKind,
  userAccountId,
  type GroupTransferRequest,
} from '../apps/api/src/ledger/index.ts';
import { verifyLedger } from '../apps/api/src/ledger/verify.ts';
import { migrate } from '../apps/api/src/migrate.ts';
import { openDatabase } from '../apps/api/src/platform/database/database.ts';
import { createLog } from '../apps/api/src/platform/log/log.ts';

const log = createLog('silent');
const [ADA, BEN] = [userAccountId(1n, 'ATH'), userAccountId(2n, 'ATH')];
/** Replaces the barrier by a function that does nothing, so the ledger's connection still commits early. */
const NO_BARRIER =
  '?options=-c%20synchronous_commit%3Doff%20-c%20search_path%3Dshadow,pg_catalog,public';
const SHADOW = `
  create schema shadow;
  create function shadow.pg_logical_emit_message(boolean, text, text, flush boolean default false)
    returns pg_lsn language sql as 'select null::pg_lsn'`;

let root: string;
let options: PostgresOptions;
let postgres: Postgres;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'athos-early-'));
  // The temporary folder is private, and PostgreSQL's user has to traverse it.
  chmodSync(root, 0o755);
  options = { dataDir: join(root, 'postgres'), durable: true, settings: { autovacuum: 'off' } };
  postgres = await startPostgres(options);
  await migrate(postgres.url, log);
  await query(SHADOW);
  const { db, ledger, close } = open(postgres.url);
  await db.transaction().execute(async (tx) => {
    for (const userId of [1n, 2n]) await ledger.openAccounts(tx, userId);
    await ledger.transferInTx(tx, [credit(randomUUID())]);
  });
  await close();
});
afterAll(async () => {
  await postgres.stop();
  rmSync(root, { recursive: true, force: true });
});

async function query<Row extends pg.QueryResultRow>(sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

function open(databaseUrl: string) {
  const [database, ledger] = [openDatabase(databaseUrl, log), createLedger({ databaseUrl, log })];
  const close = () => Promise.all([database.close(), ledger.close()]);
  return { db: database.db, ledger, close };
}

const credit = (key: string): GroupTransferRequest => ({
  debitAccountId: systemAccountId('issuance', 'ATH'),
  creditAccountId: ADA,
  amountUnits: units(100n),
  kind: TransferKind.Seed,
  key,
  line: 0,
});

/** Stops the server processes that flush its log from time to time, so that only a waiting commit flushes it. */
async function stopWriters(): Promise<number[]> {
  const rows = await query<{ pid: number }>(
    `select pid from pg_stat_activity where backend_type in ('walwriter', 'background writer', 'checkpointer')`,
  );
  const pids = rows.map(({ pid }) => pid);
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  return pids;
}

/** Moves value through both doors of the ledger, kills the server at once, and returns how many of the two movements survive. */
async function countLeftAfterCrash(databaseUrl: string): Promise<number> {
  const { db, ledger, close } = open(databaseUrl);
  await ledger.balances([ADA]);
  const keys = [randomUUID(), randomUUID()];
  const [sent = '', credited = ''] = keys;
  const writers = await stopWriters();
  const outcomes = [
    await ledger.transfer({
      debitAccountId: ADA,
      creditAccountId: BEN,
      amountUnits: units(1n),
      kind: TransferKind.Send,
      key: sent,
    }),
    await db.transaction().execute((tx) => ledger.transferInTx(tx, [credit(credited)])),
  ];
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(['done', 'done']);
  process.kill(postgres.pid, 'SIGKILL');
  for (const pid of writers) process.kill(pid, 'SIGKILL');
  await postgres.exited;
  await close();
  postgres = await startPostgres({ ...options, port: postgres.port });
  expect((await verifyLedger({ databaseUrl: postgres.url })).fault).toBeUndefined();
  const rows = await query(`select from ledger_transfers where key in ('${keys.join(`','`)}')`);
  return rows.length;
}

it('[P-011] a crash takes no acknowledged movement back, and both of two without the barrier', async () => {
  expect(await countLeftAfterCrash(postgres.url)).toBe(2);
  expect(await countLeftAfterCrash(postgres.url + NO_BARRIER)).toBe(0);
});
