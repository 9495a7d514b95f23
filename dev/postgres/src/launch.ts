import { spawn, type ChildProcess } from 'node:child_process';
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { binariesIn, prepareBinaries, type Binaries } from './binaries.ts';
import {
  DATABASE_USER,
  deleteCluster,
  ensureCluster,
  ensurePassword,
  locateCluster,
  SERVER_ENV,
  type Cluster,
} from './cluster.ts';
import { findFreePort } from './free-port.ts';
import { PostgresError } from './postgres-error.ts';
import { isReady, stopOrphan, stopServer } from './postmaster.ts';
import { acquireProcessLock, LockedError, type ProcessLock } from './process-lock.ts';

// 20 tries, 250 ms apart. Backends of a killed server take up to a second to notice and to release shared memory.
const START_TRIES_MAX = 20;
const RETRY_PAUSE_MS = 250;
const READY_POLL_MS = 10;
// Recovery replays at most max_wal_size (1 GB by default), which takes much less.
const READY_WITHIN_MS = 120_000;
const LOG_BYTES_MAX = 1_000_000;
const LOG_TAIL_CHARACTERS = 4_000;
const CONNECTIONS_MAX = 100;

export interface PostgresOptions {
  /** The folder for password, log and, usually, the cluster. It is created if it is missing. */
  readonly dataDir: string;
  /** By default, or if 0, a free port. */
  readonly port?: number;
  /** False for tests only: without fsync a crash of the machine may lose everything. */
  readonly durable: boolean;
  /** Further server settings, such as `{ max_connections: '200' }`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The folder with the programs of an installed PostgreSQL 18. By default, the embedded one is started. */
  readonly binDir?: string;
  /** Additional environment of the server and of its commands, such as `restore_command`. */
  readonly env?: Readonly<Record<string, string>>;
  /** The time in which the server must accept connections. The default suffices unless it replays an archive. */
  readonly readyWithinMs?: number;
}

export interface Postgres {
  /** Contains the password, so it must never be printed. */
  readonly url: string;
  readonly pid: number;
  readonly port: number;
  /** Resolves when the server has ended, for whatever reason. */
  readonly exited: Promise<void>;
  /** Fast shutdown; resolves when the server has ended. May be called again. */
  stop(): Promise<void>;
}

/**
 * Starts PostgreSQL 18 on 127.0.0.1 and resolves when it accepts connections. A server left by a killed launcher is stopped
 * first. It listens on loopback only; production has its own database.
 * @throws PostgresError with one sentence that says what to do
 */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const cluster = locateCluster(options.dataDir);
  const lock = lockCluster(cluster);
  try {
    const { binDir } = options;
    const binaries = binDir === undefined ? prepareBinaries() : binariesIn(binDir);
    await stopOrphan(cluster, binaries);
    ensureCluster(cluster, binaries, options.durable);
    return await startWithRetries({ cluster, binaries, options, lock });
  } catch (error) {
    lock.release();
    throw error;
  }
}

/**
 * Stops an orphaned server and removes all data of `dataDir`, wherever the cluster is stored.
 * @throws PostgresError if a live process uses it
 */
export async function deletePostgres(dataDir: string): Promise<void> {
  if (!existsSync(dataDir)) return;
  const cluster = locateCluster(dataDir);
  lockCluster(cluster);
  await stopOrphan(cluster, prepareBinaries());
  deleteCluster(cluster);
}

function lockCluster({ dataDir }: Cluster): ProcessLock {
  try {
    return acquireProcessLock(join(dataDir, 'launcher.pid'));
  } catch (error) {
    if (error instanceof LockedError) {
      throw new PostgresError(`Process ${error.pid} already runs PostgreSQL on ${dataDir}.`);
    }
    throw new PostgresError(`The folder ${dataDir} cannot be written to.`, { cause: error });
  }
}

interface Launch {
  readonly cluster: Cluster;
  readonly binaries: Binaries;
  readonly options: PostgresOptions;
  readonly lock: ProcessLock;
}

async function startWithRetries(launch: Launch): Promise<Postgres> {
  for (let tryCount = 1; ; tryCount++) {
    const port = launch.options.port || (await findFreePort());
    const attempt = await tryToStart(launch, port);
    if (attempt.child !== undefined) return describe(launch, attempt.child, port);
    const isPortTaken = attempt.log.includes('Address already in use');
    if (isPortTaken && port === launch.options.port) {
      throw new PostgresError(`Port ${port} for PostgreSQL is taken by another program.`);
    }
    const isTransient =
      isPortTaken || /shared memory block|lock file "postmaster.pid"/.test(attempt.log);
    if (!isTransient || tryCount >= START_TRIES_MAX) {
      throw new PostgresError(`PostgreSQL did not start: ${lastReason(attempt.log)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_PAUSE_MS));
  }
}

type Attempt = { child: ChildProcess; log?: never } | { child?: never; log: string };

async function tryToStart(launch: Launch, port: number): Promise<Attempt> {
  const { cluster, binaries, options } = launch;
  const logFile = join(cluster.dataDir, 'postgres.log');
  const sizeBefore = rotateLog(logFile);
  const log = openSync(logFile, 'a', 0o600);
  const child = spawn(binaries.postgres, serverArguments(cluster, port, options), {
    ...cluster.account,
    cwd: '/',
    env: { ...SERVER_ENV, ...options.env },
    // In its own process group: Ctrl-C must reach only the launcher, so that the API drains before its database stops.
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  let failure: string | undefined;
  child.once('error', (error) => (failure = error.message));
  child.once('exit', () => (failure ??= readFileSync(logFile, 'utf8').slice(sizeBefore)));
  const { readyWithinMs = READY_WITHIN_MS } = options;
  const deadline = performance.now() + readyWithinMs;
  while (failure === undefined) {
    if (child.pid !== undefined && isReady(cluster, child.pid)) return { child };
    if (performance.now() > deadline) {
      child.kill('SIGQUIT');
      failure = `not ready after ${readyWithinMs / 1000} s`;
    }
    await new Promise((resolve) => setTimeout(resolve, READY_POLL_MS));
  }
  return { log: failure };
}

function serverArguments(cluster: Cluster, port: number, options: PostgresOptions): string[] {
  const settings: Record<string, string> = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: String(CONNECTIONS_MAX),
    // There is no replication: less WAL, fewer processes.
    wal_level: 'minimal',
    max_wal_senders: '0',
    // The API reports statements that fail. They may contain personal data, so they stay out of this log.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_checkpoints: 'off',
    ...(options.durable
      ? {}
      : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
    ...options.settings,
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return ['-D', cluster.clusterDir, '-p', String(port), ...flags];
}

function describe(launch: Launch, child: ChildProcess, port: number): Postgres {
  const { cluster, binaries, lock } = launch;
  const pid = child.pid ?? 0;
  const exited = new Promise<void>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    child.once('exit', () => resolve());
  }).then(() => lock.release());
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) await stopServer(pid, binaries);
    await exited;
  };
  const url = `postgres://${DATABASE_USER}:${ensurePassword(cluster)}@127.0.0.1:${port}/postgres`;
  return { url, pid, port, exited, stop };
}

/** Keeps at most two logs of limited size, and returns the offset at which this run's output will start. */
function rotateLog(logFile: string): number {
  if (!existsSync(logFile)) return 0;
  const { size } = statSync(logFile);
  if (size < LOG_BYTES_MAX) return size;
  rmSync(`${logFile}.1`, { force: true });
  renameSync(logFile, `${logFile}.1`);
  return 0;
}

function lastReason(log: string): string {
  const lines = log.slice(-LOG_TAIL_CHARACTERS).trim().split('\n');
  const fatal = lines.findLast((line) => /FATAL|PANIC|error while loading/.test(line));
  return fatal?.replace(/^.*?(?:FATAL|PANIC): +/, '') ?? lines.at(-1) ?? 'no reason given';
}
