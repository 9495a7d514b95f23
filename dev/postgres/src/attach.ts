import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DATABASE_USER, ensurePassword, locateCluster } from './cluster.ts';
import { startPostgres } from './launch.ts';
import { readLockHolder } from './process-lock.ts';

/** The line of PostgreSQL's pid file that holds the port. */
const PORT_LINE = 3;

export interface AttachedPostgres {
  readonly url: string;
  /** Stops the server if this call started it. */
  release(): Promise<void>;
}

/**
 * Connects a tool to the database of `dataDir`: to the running server if there is one, or to one that is started until
 * `release` is called.
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
