/** The processor time of sealing, in this process and in PostgreSQL, and the time to create a receipt. */
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { openDatabase, type Db } from '../apps/api/src/platform/database/database.ts';
import { createSigningKeys } from '../apps/api/src/platform/keys/signing-keys.ts';
import { createLog } from '../apps/api/src/platform/log/log.ts';
import { createLedger, userIdOfAccount } from '../apps/api/src/ledger/index.ts';
import {
  createSaltKeys,
  makeReceipt,
  ownView,
  sealNext,
} from '../apps/api/src/modules/receipts/index.ts';
import { fillJournal } from './filler.sql.ts';
import type { MeasuredRatio } from './report.ts';
import { say, type Samples } from './samples.ts';
import type { BenchScale } from './scale.ts';
import type { Workbench } from './workbench.ts';

/** The goal is stated for this many rows; times for other counts are scaled. */
const STATED_ROWS = 1_000_000;
/** Made before any is counted: they compile code and fill caches. */
const WARM_UP_RECEIPTS = 200;
const RECEIPTS = 2_000;
/** By then, all times in the journal are in the past. */
const LATER_MS = 60 * 60_000;

interface SealsBench {
  readonly bench: Workbench;
  readonly samples: Samples;
  readonly scale: BenchScale;
  readonly userCount: number;
}

const SEALING = 'sealing of a million rows, s of one core';
const RECEIPT = 'a receipt, p99 ms';

export async function measureSeals({
  bench,
  samples,
  scale,
  userCount,
}: SealsBench): Promise<void> {
  const rows = Math.min(scale.verifiedRows, STATED_ROWS);
  say(`seals over ${rows} rows`);
  await bench.copy('prepared', 'sealed');
  const databaseUrl = bench.databaseUrl('sealed');
  await fillJournal(databaseUrl, { transferCount: rows, userCount });
  const saltKeys = createSaltKeys([randomBytes(32)]);
  const cpuMs = await bench.cpuMsOf(() =>
    withDatabase(databaseUrl, async (db) => {
      const keys = createSigningKeys([randomBytes(32)]);
      const clock = { nowMs: () => Date.now() + LATER_MS };
      const deps = { db, clock, keys, saltKeys, sealAfterMs: 0 };
      while ((await sealNext(deps)) === 'sealed');
    }),
  );
  samples.note(SEALING, (cpuMs * STATED_ROWS) / rows / 1_000);
  await measureReceipts(databaseUrl, { samples, saltKeys });
  await bench.drop('sealed');
}

async function withDatabase(databaseUrl: string, use: (db: Db) => Promise<void>): Promise<void> {
  const database = openDatabase(databaseUrl, createLog('warn'));
  try {
    await use(database.db);
  } finally {
    await database.close();
  }
}

/** Receipts of different movements, one after another, created as the route does. */
async function measureReceipts(
  databaseUrl: string,
  {
    samples,
    saltKeys,
  }: { readonly samples: Samples; readonly saltKeys: ReturnType<typeof createSaltKeys> },
): Promise<void> {
  const ledger = createLedger({ databaseUrl, log: createLog('warn') });
  await withDatabase(databaseUrl, async (db) => {
    const { rows } = await sql<{ id: bigint }>`
      select id from ledger_transfers tablesample system (20) where kind = 1 order by random() limit ${WARM_UP_RECEIPTS + RECEIPTS}`.execute(
      db,
    );
    const times: number[] = [];
    for (const { id } of rows) {
      const startMs = performance.now();
      const transfer = await ledger.transferById(id);
      if (transfer === undefined) throw new Error(`no transfer ${id}`);
      const userId = userIdOfAccount(transfer.creditAccountId) ?? 0n;
      const receipt = await makeReceipt({ db, saltKeys }, transfer, ownView(transfer, userId));
      if (receipt === undefined) throw new Error(`transfer ${id} is not sealed`);
      times.push(performance.now() - startMs);
    }
    times.splice(0, WARM_UP_RECEIPTS);
    times.sort((one, other) => one - other);
    samples.note(RECEIPT, times[Math.ceil(times.length * 0.99) - 1] ?? NaN);
  });
  await ledger.close();
}

export const sealsGoals = ({ samples }: SealsBench): MeasuredRatio[] => [
  { name: SEALING, must: 60, aim: 30, sense: 'atMost', rounds: samples.of(SEALING) },
  { name: RECEIPT, must: 30, aim: 10, sense: 'atMost', rounds: samples.of(RECEIPT) },
];
