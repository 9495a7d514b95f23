/** Restores the newest backup to a separate server, up to a time, and measures duration and loss. */
import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { locateCluster } from '@athos/postgres/cluster';
import { deletePostgres, startPostgres } from '@athos/postgres/launch';
import pg from 'pg';
import { createLedger, systemAccountId } from '../../apps/api/src/ledger/index.ts';
import { createLog } from '../../apps/api/src/platform/log/log.ts';
import type { BackupSource, FoundBackup } from './backup-source.ts';

const MS_PER_SECOND = 1_000;
const BYTES_PER_MB = 1_000_000;
/** The drill measures a slow replay instead of ending it. */
const REPLAY_LIMIT_MS = 4 * 60 * 60_000;

/** The folder of a copy in the work folder. */
export const COPY = 'copy';

interface RestoreOptions {
  readonly source: BackupSource;
  /** Defaults to everything that was archived. */
  readonly to?: Date | undefined;
  /** A folder for the copy, which may be several GB. Its path must be short, because the path of a socket is limited. */
  readonly workDir: string;
  readonly database: { readonly name: string; readonly user: string };
}

export interface Copy {
  readonly databaseUrl: string;
  readonly backup: FoundBackup;
  /** The requested time. */
  readonly askedFor: Date;
  /** Whether everything that was archived was replayed, instead of what was archived up to a time. */
  readonly isWhole: boolean;
  /** The last commit in the copy. */
  readonly reachedAt: Date;
  /** From the last commit of the copy to the requested time, or to the end of the archive. */
  readonly rpoSeconds: number;
  /** From the start to the first balance. */
  readonly rtoSeconds: number;
  readonly megabytesPerSecond: number;
  /** Stops the server and removes the copy. */
  remove(): Promise<void>;
}

/** Throws a one-sentence error if nothing could be restored. */
export async function restoreCopy(options: RestoreOptions): Promise<Copy> {
  const { source, to, workDir, database } = options;
  const beganAtMs = performance.now();
  const askedFor = to ?? new Date();
  const backup = source.find(askedFor);
  if (backup === undefined) {
    throw new Error(
      `There is no whole backup in ${source.name} that ended before ${askedFor.toISOString()}.`,
    );
  }
  const dataDir = join(workDir, COPY);
  const remove = async (): Promise<void> => deletePostgres(dataDir);
  try {
    const restored = await source.restore(backup, { dataDir, to });
    const { settings, socketDir } = openToUsAlone(dataDir);
    const server = await startPostgres({
      ...restored,
      dataDir,
      durable: false,
      readyWithinMs: REPLAY_LIMIT_MS,
      settings: { ...restored.settings, ...settings },
    });
    const readyAt = new Date();
    const url = new URL(`postgres://localhost:${server.port}/${database.name}`);
    url.username = database.user;
    url.searchParams.set('host', socketDir);
    try {
      const reachedAt = (await lastCommit(url.href)) ?? backup.endedAt;
      await firstBalance(url.href);
      const rtoSeconds = (performance.now() - beganAtMs) / MS_PER_SECOND;
      return {
        databaseUrl: url.href,
        backup,
        askedFor,
        isWhole: to === undefined,
        reachedAt,
        // It went on replaying what was archived while it restored.
        rpoSeconds: ((to ?? readyAt).getTime() - reachedAt.getTime()) / MS_PER_SECOND,
        rtoSeconds,
        megabytesPerSecond: backup.bytes / BYTES_PER_MB / rtoSeconds,
        async remove() {
          await server.stop();
          await remove();
        },
      };
    } catch (error) {
      await server.stop();
      throw error;
    }
  } catch (error) {
    await remove().catch((fault: unknown) =>
      console.error(`the copy is still there: ${String(fault)}`),
    );
    throw error;
  }
}

/**
 * The copy has none of our passwords, but everybody's data. So it listens on a socket in a folder that only its user and root may enter,
 * and requires no authentication there.
 */
function openToUsAlone(dataDir: string): { settings: Record<string, string>; socketDir: string } {
  const { clusterDir, account } = locateCluster(dataDir);
  const socketDir = join(clusterDir, 'socket');
  const rules = join(clusterDir, 'drill_hba.conf');
  mkdirSync(socketDir, { mode: 0o700 });
  writeFileSync(rules, 'local all all trust\n', { mode: 0o600 });
  for (const path of account === undefined ? [] : [socketDir, rules])
    chownSync(path, account?.uid ?? 0, account?.gid ?? 0);
  return {
    socketDir,
    settings: { listen_addresses: '', unix_socket_directories: socketDir, hba_file: rules },
  };
}

async function lastCommit(databaseUrl: string): Promise<Date | undefined> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ at: Date | null }>(
      'select pg_last_xact_replay_timestamp() as at',
    );
    return rows[0]?.at ?? undefined;
  } finally {
    await client.end();
  }
}

async function firstBalance(databaseUrl: string): Promise<void> {
  const ledger = createLedger({ databaseUrl, log: createLog('silent') });
  try {
    await ledger.balances([systemAccountId('issuance', 'ATH')]);
  } finally {
    // An open ledger reconnects for as long as the process lives.
    await ledger.close();
  }
}
