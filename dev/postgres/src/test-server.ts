import { existsSync, mkdirSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deletePostgres, startPostgres } from './launch.ts';
import { readLockHolder } from './process-lock.ts';

const CONNECTIONS_MAX = 200;

export interface TestServer {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * A non-durable PostgreSQL for a whole test run, in a temporary folder. If ATHOS_TEST_DATABASE_URL is set, that server is used
 * and left running, so that several runs can share it.
 */
export async function ensureTestServer(): Promise<TestServer> {
  const given = process.env['ATHOS_TEST_DATABASE_URL'];
  if (given !== undefined && given !== '') return { url: given, stop: async () => {} };
  const parent = join(tmpdir(), `athos-test-postgres-${process.getuid?.() ?? 'user'}`);
  await sweepAbandoned(parent);
  mkdirSync(parent, { recursive: true });
  const dataDir = mkdtempSync(join(parent, 'run-'));
  const server = await startPostgres({
    dataDir,
    durable: false,
    settings: {
      max_connections: String(CONNECTIONS_MAX),
      autovacuum: 'off',
      'ledger.idle_while_posting': '30s',
    },
  });
  const stop = async () => {
    await server.stop();
    await deletePostgres(dataDir);
  };
  return { url: server.url, stop };
}

/** Servers of killed test runs would otherwise run forever. */
async function sweepAbandoned(parent: string): Promise<void> {
  if (!existsSync(parent)) return;
  for (const name of readdirSync(parent)) {
    const dataDir = join(parent, name);
    const isAbandoned =
      existsSync(join(dataDir, 'password')) &&
      readLockHolder(join(dataDir, 'launcher.pid')) === undefined;
    // Another run may be sweeping or ending at the same time. The next run removes what is left.
    if (isAbandoned) await deletePostgres(dataDir).catch(() => {});
  }
}
