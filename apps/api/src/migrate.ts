import { setTimeout as pause } from 'node:timers/promises';
import { runMigrations as migrateJobs } from 'graphile-worker';
import { runner } from 'node-pg-migrate';
import pg from 'pg';
import { connectTo } from './platform/database/address.ts';
import { KEEP_ALIVE } from './platform/database/connection.ts';
import { RESTORE_LEDGER_CLOCK } from './ledger/index.ts';
import { GONE_AFTER_MS } from './platform/health/heartbeat.ts';
import { MIGRATION_LOADERS } from './migration-files.ts';
import { isContractStep, MIGRATIONS_DIR, migrationsIn } from './migrations.ts';
import { applyRights } from './rights.ts';
import type { Log } from './platform/log/log.ts';

/** An arbitrary constant for the advisory lock that lets one process migrate while the others wait. */
const MIGRATION_LOCK = 7_214_300_001;
const CONNECT_WITHIN_MS = 10_000;
/**
 * How long a migration waits for a lock on a table. Every other user of the table waits behind it, so a longer wait, for a dump for
 * example, would stop the wallet.
 */
const LOCK_TIMEOUT_MS = 2_000;
const LOCK_NOT_AVAILABLE = '55P03';
/** The pause between two looks at whether another process still migrates. */
const ASK_AGAIN_MS = 200;
/** The pause between two attempts, in which the statements that waited behind the first one are served. */
const PAUSE_MS = 1_000;
const MS_PER_SECOND = 1_000;
/** About three minutes. A transaction that lasts longer has to be ended first. */
const ATTEMPT_COUNT_MAX = 60;

interface MigrateOptions {
  readonly dir?: string;
  readonly attemptCountMax?: number;
  /** Whether contract steps run too, after all others. Only the program `migrate` has processes of the version before beside it. */
  readonly areContractStepsRun?: boolean;
}

const HIDDEN = '\\..*';
const HIDDEN_OR_CONTRACT_STEP = `(?:${HIDDEN}|.*\\.contract\\.sql)`;

/**
 * Migrates the job queue's schema and ours to the newest version. Processes that start together take turns. Each migration is a
 * transaction of its own, so that no table stays locked for later migrations, unless it builds an index concurrently with writes
 * (migration-files.ts). Refuses contract steps while a process runs that may need what they take away.
 */
export async function migrate(
  databaseUrl: string,
  log: Log,
  {
    dir = MIGRATIONS_DIR,
    attemptCountMax = ATTEMPT_COUNT_MAX,
    areContractStepsRun = true,
  }: MigrateOptions = {},
): Promise<void> {
  const client = new pg.Client({
    ...connectTo(databaseUrl),
    ...KEEP_ALIVE,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    application_name: 'athos-migrate',
  });
  // The statement that runs meanwhile fails, and so does the next one.
  client.on('error', (error) => log.warn({ err: error }, 'the connection was lost'));
  await client.connect();
  const migrateAll = async (ignorePattern: string): Promise<void> => {
    const files = { databaseUrl, dir, ignorePattern };
    for (let attempt = 1; !(await isMigrated(client, files, log)); attempt += 1) {
      if (attempt >= attemptCountMax) throw new Error(BLOCKED);
      log.warn('a migration could not lock its table within 2 s, and is tried again');
      await pause(PAUSE_MS);
    }
  };
  try {
    await takeTurn(client);
    await client.query(`set lock_timeout = ${LOCK_TIMEOUT_MS}`);
    await migrateAll(HIDDEN_OR_CONTRACT_STEP);
    const waiting = areContractStepsRun ? await newestContractStep(client, dir) : undefined;
    if (waiting === undefined) return;
    await requireNoneBefore(client, waiting);
    await migrateAll(HIDDEN);
  } finally {
    // Closing the connection releases the lock.
    await client.end();
  }
}

/**
 * Waits until no other process migrates, without a limit, because a large index takes hours. It polls: a session that waits for a lock holds a
 * snapshot, and `create index concurrently` waits for every older snapshot, so the two would deadlock.
 */
async function takeTurn(client: pg.Client): Promise<void> {
  const isMine = async (): Promise<boolean> => {
    const { rows } = await client.query<{ taken: boolean }>(
      'select pg_try_advisory_lock($1) as taken',
      [MIGRATION_LOCK],
    );
    return rows[0]?.taken === true;
  };
  while (!(await isMine())) await pause(ASK_AGAIN_MS);
}

const BLOCKED =
  'A migration could not lock its table: another transaction has been using it all the time. See in pg_stat_activity which one is old, let it end, and migrate again.';

/** Applies the remaining migrations. Resolves with `false` if a lock was not available; migrations applied before that stay. */
async function isMigrated(
  client: pg.Client,
  { databaseUrl, ...files }: { databaseUrl: string; dir: string; ignorePattern: string },
  log: Log,
): Promise<boolean> {
  const pgPool = new pg.Pool({ ...connectTo(databaseUrl), max: 1 });
  const ignoreLoss = (): void => undefined;
  pgPool.on('error', ignoreLoss).on('connect', (connection) => {
    connection.on('error', ignoreLoss);
    // The driver prefers options in the address to its own settings.
    void connection.query(`set lock_timeout = ${LOCK_TIMEOUT_MS}`).catch(() => undefined);
  });
  try {
    await migrateJobs({ pgPool });
    await requireOrder(client, files.dir);
    const done = await runner({
      dbClient: client,
      ...files,
      direction: 'up',
      migrationsTable: 'migrations',
      migrationLoaderStrategies: MIGRATION_LOADERS,
      // The library takes a contract step that ran after its successors, or not yet, for a mistake.
      checkOrder: false,
      singleTransaction: false,
      noLock: true,
      log: () => undefined,
    });
    // Restored before any program relies on it: a start that was interrupted while it created the demo's past left the clock in the past.
    await client.query(RESTORE_LEDGER_CLOCK);
    await applyRights(client);
    if (done.length > 0) log.info({ migrations: done.map(({ name }) => name) }, 'migrated');
    return true;
  } catch (error) {
    await client.query('rollback');
    if (error instanceof Error && 'code' in error && error.code === LOCK_NOT_AVAILABLE)
      return false;
    throw error;
  } finally {
    await pgPool.end();
  }
}

async function selectApplied(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('select name from migrations');
  return rows.map(({ name }) => name);
}

/** The newest contract step that has not run. */
async function newestContractStep(client: pg.Client, dir: string): Promise<string | undefined> {
  const applied = await selectApplied(client);
  return migrationsIn(dir).findLast((name) => isContractStep(name) && !applied.includes(name));
}

/** Refuses a contract step while a process of a release that does not know it is alive. */
async function requireNoneBefore(client: pg.Client, step: string): Promise<void> {
  const { rows } = await client.query<{ program: string; version: string }>(
    `select distinct program, version from program_processes
     where version collate "C" < $1 and seen_at > now() - $2 * interval '1 ms' order by program`,
    [step, GONE_AFTER_MS],
  );
  if (rows.length === 0) return;
  const found = rows.map(({ program, version }) => `${program} of ${version}`).join(', ');
  throw new Error(
    `The contract step ${step} takes away what the release before may use, and its processes still run: ${found}. Replace them, wait ${GONE_AFTER_MS / MS_PER_SECOND} s, and run this again.`,
  );
}

/**
 * Refuses a migration that would run after one with a higher number: other databases had it run before. Contract steps run later than
 * their number says, so no other migration may depend on whether one has run.
 */
async function requireOrder(client: pg.Client, dir: string): Promise<void> {
  const { rows: found } = await client.query(`select where to_regclass('migrations') is not null`);
  if (found.length === 0) return;
  const applied = (await selectApplied(client)).filter((name) => !isContractStep(name));
  const newest = applied.toSorted().at(-1) ?? '';
  const late = migrationsIn(dir).find(
    (name) => name < newest && !applied.includes(name) && !isContractStep(name),
  );
  if (late !== undefined)
    throw new Error(`The migration ${late} has a lower number than ${newest}, which has run.`);
}
