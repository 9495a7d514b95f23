/** The processor time, in this process and in PostgreSQL, of a verification that begins with a checkpoint. */
import { randomBytes } from 'node:crypto';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { insertCheckpoint, verifyLedger, type LedgerReport } from '../apps/api/src/ledger/index.ts';
import { createSigningKeys } from '../apps/api/src/platform/keys/signing-keys.ts';
import { fillJournal } from './filler.sql.ts';
import type { MeasuredRatio } from './report.ts';
import { say, type Samples } from './samples.ts';
import type { BenchScale } from './scale.ts';
import type { Workbench } from './workbench.ts';

/** The goal is stated for this many rows. Without `--long` fewer are measured, and the time is scaled. */
const STATED_ROWS = 10_000_000;
/** The number of rows covered by the checkpoint. */
const ROWS_BEFORE = 20_000;

interface VerifyBench {
  readonly bench: Workbench;
  readonly samples: Samples;
  readonly scale: BenchScale;
  readonly userCount: number;
}

export async function measureVerify(given: VerifyBench): Promise<void> {
  const { bench, samples, scale, userCount } = given;
  say(`verification of ${scale.verifiedRows} rows`);
  await bench.copy('prepared', 'verified');
  const databaseUrl = bench.databaseUrl('verified');
  const keys = createSigningKeys([randomBytes(32)]);
  await fillJournal(databaseUrl, { transferCount: ROWS_BEFORE, userCount });
  await keepCheckpoint(databaseUrl, keys);
  await fillJournal(databaseUrl, { transferCount: scale.verifiedRows, userCount });
  const startMs = performance.now();
  const cpuMs = await bench.cpuMsOf(async () => {
    requireRight(await verifyLedger({ databaseUrl, keys }), scale.verifiedRows);
  });
  const wallMs = performance.now() - startMs;
  const perStatedRows = STATED_ROWS / scale.verifiedRows / 1_000;
  samples.note('verification of 10 million rows, s of one core', cpuMs * perStatedRows);
  samples.note('verification of 10 million rows, s', wallMs * perStatedRows);
  await bench.drop('verified');
}

/** Verifies everything and signs a checkpoint, as the nightly job does. */
async function keepCheckpoint(
  databaseUrl: string,
  keys: ReturnType<typeof createSigningKeys>,
): Promise<void> {
  const { stands } = await verifyLedger({ databaseUrl, keys });
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  const db = new Kysely({ dialect: new PostgresDialect({ pool }) });
  try {
    for (const stand of stands) await insertCheckpoint(db, keys, { ...stand, madeAt: new Date() });
  } finally {
    await db.destroy();
  }
}

function requireRight({ fault, checkpoint, rowCount }: LedgerReport, expectedRows: number): void {
  if (fault !== undefined) throw new Error(`the books are wrong: ${fault.row} ${fault.reason}`);
  if (checkpoint === undefined || rowCount !== BigInt(expectedRows)) {
    throw new Error(`${rowCount} rows were read after ${checkpoint ? 'a' : 'no'} checkpoint`);
  }
}

export const verifyGoals = ({ samples }: VerifyBench): MeasuredRatio[] => [
  {
    name: 'verification of 10 million rows from a checkpoint, s of one core',
    must: 60,
    aim: 30,
    sense: 'atMost',
    rounds: samples.of('verification of 10 million rows, s of one core'),
  },
];
