import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Binaries } from './binaries.ts';
import type { Cluster } from './cluster.ts';
import { PostgresError } from './postgres-error.ts';
import { readCommandLine, readProcessBirth, waitForProcessEnd } from './processes.ts';

const FAST_STOP_LIMIT_MS = 15_000;
const IMMEDIATE_STOP_LIMIT_MS = 5_000;
const PID_LINE = 0;
const STATUS_LINE = 7;

/** Whether the server's pid file says that it accepts connections, read as `pg_ctl` reads it. */
export function isReady({ clusterDir }: Cluster, pid: number): boolean {
  const lines = readPidFile(clusterDir);
  return Number(lines[PID_LINE]) === pid && lines[STATUS_LINE]?.trim() === 'ready';
}

/**
 * Stops a server left by a killed launcher, and removes a pid file whose id now belongs to another program, because PostgreSQL would treat
 * that as a running server and refuse to start.
 */
export async function stopOrphan(cluster: Cluster, binaries: Binaries): Promise<void> {
  const pid = Number(readPidFile(cluster.clusterDir)[PID_LINE]);
  if (!Number.isInteger(pid) || pid <= 0) return;
  const isServer =
    readProcessBirth(pid) !== undefined &&
    (process.platform === 'win32' || readCommandLine(pid).includes(cluster.clusterDir));
  if (isServer) {
    await stopServer(pid, binaries);
    return;
  }
  rmSync(join(cluster.clusterDir, 'postmaster.pid'), { force: true });
}

/**
 * Fast shutdown: rolls back open transactions and writes a checkpoint. If that hangs, an immediate shutdown, which loses
 * nothing that was committed but makes the next start run recovery.
 */
export async function stopServer(pid: number, binaries: Binaries): Promise<void> {
  signal(pid, 'INT', binaries);
  if (await waitForProcessEnd(pid, FAST_STOP_LIMIT_MS)) return;
  signal(pid, 'QUIT', binaries);
  if (await waitForProcessEnd(pid, IMMEDIATE_STOP_LIMIT_MS)) return;
  throw new PostgresError(`PostgreSQL (process ${pid}) does not stop: end it by hand.`);
}

function signal(pid: number, name: 'INT' | 'QUIT', binaries: Binaries): void {
  // Windows has no signals, so PostgreSQL has a tool for them.
  if (process.platform === 'win32') {
    spawnSync(binaries.pgCtl, ['kill', name, String(pid)]);
    return;
  }
  try {
    process.kill(pid, `SIG${name}`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function readPidFile(clusterDir: string): string[] {
  const file = join(clusterDir, 'postmaster.pid');
  try {
    return existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  } catch (error) {
    // The server may delete the file between the two calls.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw new PostgresError(`${clusterDir} belongs to another user.`, { cause: error });
  }
}
