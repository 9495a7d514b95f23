/** The durable PostgreSQL server of a measurement, and its databases. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { deletePostgres, startPostgres, type PostgresOptions } from '@athos/postgres/launch';
import { migrate } from '../apps/api/src/migrate.ts';
import { createLog } from '../apps/api/src/platform/log/log.ts';
import { populate, type BenchUser } from './population.ts';
import { familyCpuMs } from './process-usage.ts';
import { configFor } from './programs.ts';

/** On a disk, because a temporary folder may be in memory: commits must be as durable as in production. */
const DATA_DIR = join(import.meta.dirname, '../data/bench');

export interface Workbench {
  databaseUrl(name: string): string;
  /** Creates a migrated database with users and vacuums it, as pgbench does with its own. */
  createPopulated(name: string, size: { count: number; senderCount: number }): Promise<BenchUser[]>;
  copy(template: string, name: string): Promise<void>;
  create(name: string): Promise<void>;
  createMigrated(name: string): Promise<void>;
  drop(name: string): Promise<void>;
  /** Makes each waiting commit in the database take as long as with a standby that responds after `latencyMs`. */
  delayCommits(name: string, latencyMs: number): Promise<void>;
  /** Writes all changed pages, so that the measurement after it does not share the disk with them. */
  checkpoint(): Promise<void>;
  /** Processor time of this process and PostgreSQL, its background processes included, during the work. Linux only: NaN elsewhere. */
  cpuMsOf(work: () => Promise<void>): Promise<number>;
  /** Kills PostgreSQL with SIGKILL and starts it again on the same port. */
  killPostgres(): Promise<void>;
  close(): Promise<void>;
}

export async function openWorkbench(): Promise<Workbench> {
  mkdirSync(DATA_DIR, { recursive: true });
  await deletePostgres(DATA_DIR);
  const options: PostgresOptions = {
    dataDir: DATA_DIR,
    durable: true,
    settings: { max_connections: '200', max_wal_size: '4GB' },
  };
  let postgres = await startPostgres(options);
  const databaseUrl = (name: string): string => {
    const url = new URL(postgres.url);
    url.pathname = `/${name}`;
    return url.href;
  };
  const run = async (url: string, statement: string): Promise<void> => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  };
  const onServer = (statement: string): Promise<void> => run(postgres.url, statement);
  const create = (name: string): Promise<void> => onServer(`create database "${name}"`);
  const createMigrated = async (name: string): Promise<void> => {
    await create(name);
    await migrate(databaseUrl(name), createLog('warn'));
  };
  return {
    databaseUrl,
    create,
    copy: (template, name) => onServer(`create database "${name}" template "${template}"`),
    drop: (name) => onServer(`drop database if exists "${name}" with (force)`),
    createMigrated,
    async delayCommits(name, latencyMs) {
      await onServer(`alter database "${name}" set commit_delay = ${latencyMs * 1_000}`);
      await onServer(`alter database "${name}" set commit_siblings = 0`);
    },
    checkpoint: () => onServer('checkpoint'),
    async createPopulated(name, size) {
      await createMigrated(name);
      const url = databaseUrl(name);
      // Like SENDS_PER_SECOND: a measurement has few users, and each sends very often.
      await run(
        url,
        `insert into programme_settings values ('sends_per_day_max', '1000000000', now(), 'bench')`,
      );
      const users = await populate(configFor(url), size);
      // Otherwise the first reader of a new row would mark it as committed, and its page would have to be written again.
      await run(url, 'vacuum (freeze, analyze)');
      return users;
    },
    async cpuMsOf(work) {
      const [ownBefore, serverBeforeMs] = [process.cpuUsage(), familyCpuMs(postgres.pid)];
      await work();
      const { user, system } = process.cpuUsage(ownBefore);
      return (user + system) / 1_000 + familyCpuMs(postgres.pid) - serverBeforeMs;
    },
    async killPostgres() {
      process.kill(postgres.pid, 'SIGKILL');
      await postgres.exited;
      postgres = await startPostgres({ ...options, port: postgres.port });
    },
    async close() {
      await postgres.stop();
      await deletePostgres(DATA_DIR);
    },
  };
}
