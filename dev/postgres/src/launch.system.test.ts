import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isTraversable } from './account.ts';
import { checkDatabase } from './check-database.ts';
import { findFreePort } from './free-port.ts';
import { deletePostgres, startPostgres, type Postgres, type PostgresOptions } from './launch.ts';
import { readProcessBirth } from './processes.ts';

const isRoot = process.getuid?.() === 0;
let root: string;
let dataDir: string;
let running: Postgres[];

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'athos-launch-'));
  // The temporary folder is private, and PostgreSQL's user has to traverse it.
  chmodSync(root, 0o755);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));
beforeEach(() => {
  dataDir = join(mkdtempSync(join(root, 'test-')), 'postgres');
  chmodSync(join(dataDir, '..'), 0o755);
  running = [];
});
afterEach(async () => {
  for (const postgres of running) await postgres.stop();
  await deletePostgres(dataDir);
});

async function start(options: Partial<PostgresOptions> = {}): Promise<Postgres> {
  const postgres = await startPostgres({ dataDir, durable: false, ...options });
  running.push(postgres);
  return postgres;
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url);
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

describe('startPostgres', () => {
  it('serves PostgreSQL 18 on loopback with code-point collation, and keeps data over a restart', async () => {
    const first = await start();
    expect(
      await query(
        first.url,
        `select current_setting('server_version_num')::int / 10000 as major, datlocprovider as provider,
           current_setting('listen_addresses') as address, current_setting('unix_socket_directories') as sockets
         from pg_database where datname = 'postgres'`,
      ),
    ).toEqual([{ major: 18, provider: 'b', address: '127.0.0.1', sockets: '' }]);
    await query(first.url, 'create table kept as select 7 as value');
    await first.stop();
    expect(readProcessBirth(first.pid)).toBeUndefined();

    const second = await start();
    expect(await query(second.url, 'select value from kept')).toEqual([{ value: 7 }]);
  });

  it('requires the password, which only the current user can read', async () => {
    const { url } = await start();
    const wrong = url.replace(/:[^:@]+@/, ':wrong@');
    await expect(query(wrong, 'select 1')).rejects.toThrow('password authentication failed');
    expect(statSync(join(dataDir, 'password')).mode & 0o777).toBe(0o600);
  });

  it('commits durably by default', async () => {
    const durable = await start({ durable: true });
    expect(await query(durable.url, 'show fsync')).toEqual([{ fsync: 'on' }]);
    await durable.stop();
    const fast = await start({ durable: false });
    expect(await query(fast.url, 'show fsync')).toEqual([{ fsync: 'off' }]);
  });

  it('comes back on the same port after a kill -9 of the server', async () => {
    const first = await start({ durable: true });
    await query(first.url, 'create table kept as select 7 as value');
    process.kill(first.pid, 'SIGKILL');
    await first.exited;
    const second = await start({ durable: true, port: first.port });
    expect(second.url).toBe(first.url);
    expect(await query(second.url, 'select value from kept')).toEqual([{ value: 7 }]);
  });

  it('stops the server that a killed launcher left, and starts again', async () => {
    const serve = join(import.meta.dirname, 'serve.ts');
    const launcher = spawn(process.execPath, [serve, '--data', dataDir], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(launcher.stdout, 'data')) as [Buffer];
    const orphan = JSON.parse(line.toString()) as { url: string; pid: number };
    await query(orphan.url, 'create table kept as select 7 as value');
    launcher.kill('SIGKILL');
    await once(launcher, 'exit');
    expect(readProcessBirth(orphan.pid)).toBeDefined();

    const next = await start();
    expect(readProcessBirth(orphan.pid)).toBeUndefined();
    expect(await query(next.url, 'select value from kept')).toEqual([{ value: 7 }]);
  });

  it('starts although the pid file names the process of another program', async () => {
    const first = await start();
    await first.stop();
    // The id of a live process, as a restarted container assigns it again.
    writeFileSync(join(clusterOf(dataDir), 'postmaster.pid'), `${process.pid}\n`);
    const second = await start();
    expect(await query(second.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('recreates a cluster that an interrupted first start left incomplete', async () => {
    mkdirSync(join(dataDir, 'cluster.new/base'), { recursive: true });
    const { url } = await start();
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('refuses a folder in use and a port in use with one sentence each', async () => {
    const { port } = await start();
    await expect(start()).rejects.toThrow(`Process ${process.pid} already runs PostgreSQL on`);
    const other = join(dataDir, '../other');
    await expect(startPostgres({ dataDir: other, durable: false, port })).rejects.toThrow(
      `Port ${port} for PostgreSQL is taken by another program.`,
    );
  });

  it('names the folder that it cannot use', async () => {
    writeFileSync(dataDir, 'a file, not a folder');
    const impossible = join(dataDir, 'postgres');
    await expect(startPostgres({ dataDir: impossible, durable: false })).rejects.toThrow(
      `The folder ${impossible} cannot be made or written to (ENOTDIR).`,
    );
    rmSync(dataDir);
  });

  it.runIf(isRoot)(
    'runs as another user and, below a private folder, keeps its data outside of it',
    async () => {
      chmodSync(join(dataDir, '..'), 0o700);
      expect(isTraversable(dataDir)).toBe(false);
      const first = await start();
      const cluster = clusterOf(dataDir);
      expect(cluster).toMatch(/^\/var\/lib\/athos\/[0-9a-f]{16}\/cluster$/);
      expect(statSync(cluster).uid).not.toBe(0);
      await query(first.url, 'create table kept as select 7 as value');
      await first.stop();
      const second = await start();
      expect(await query(second.url, 'select value from kept')).toEqual([{ value: 7 }]);
      await second.stop();

      await deletePostgres(dataDir);
      expect(existsSync(join(cluster, '..'))).toBe(false);
      expect(existsSync(dataDir)).toBe(false);
    },
  );
});

describe('checkDatabase', () => {
  it('accepts a usable database, and explains the others without showing the password', async () => {
    const { url, port } = await start();
    await checkDatabase(url);
    const free = await findFreePort();
    await expect(checkDatabase(`postgres://a:secret@127.0.0.1:${free}/x`)).rejects.toThrow(
      `The database at 127.0.0.1:${free}/x cannot be used: nothing listens there.`,
    );
    await expect(checkDatabase(`postgres://athos:secret@127.0.0.1:${port}/x`)).rejects.toThrow(
      `The database at 127.0.0.1:${port}/x cannot be used: the password or user is wrong.`,
    );
    await expect(checkDatabase(url.replace(/postgres$/, 'nowhere'))).rejects.toThrow(
      `The database at 127.0.0.1:${port}/nowhere cannot be used: there is no such database.`,
    );
  });
});

function clusterOf(dir: string): string {
  const note = join(dir, 'cluster-is-at.txt');
  return existsSync(note) ? readFileSync(note, 'utf8').trim() : join(dir, 'cluster');
}
