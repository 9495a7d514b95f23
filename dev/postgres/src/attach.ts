import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DATABASE_USER, ensurePassword, locateCluster } from './cluster.ts';
import { startPostgres } from './launch.ts';
import { readLockHolder } from './process-lock.ts';

/** Line of PostgreSQL's pid file. */
const PORT_LINE = 3;

export interface AttachedPostgres {
  readonly url: string;
  /** Stops the server if it was started for this. */
  release(): Promise<void>;
}

/**
 * The database of `dataDir`, for a tool that looks at it: the running server where the system is up, else one started
 * for the time being.
 * @throws PostgresError as `startPostgres` does
 */
export async function attachPostgres(dataDir: string): Promise<AttachedPostgres> {
  const cluster = locateCluster(dataDir);
  if (readLockHolder(join(cluster.dataDir, 'launcher.pid')) === undefined) {
    const server = await startPostgres({ dataDir, durable: true });
    return { url: server.url, release: () => server.stop() };
  }
  const pidFile = readFileSync(join(cluster.clusterDir, 'postmaster.pid'), 'utf8').split('\n');
  const url = `postgres://${DATABASE_USER}:${ensurePassword(cluster)}@127.0.0.1:${pidFile[PORT_LINE]}/postgres`;
  return { url, release: () => Promise.resolve() };
}
