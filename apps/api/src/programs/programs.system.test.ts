/** The programs of the API as processes: what they print, when they end, and what each serves. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { findFreePort } from '@athos/postgres/free-port';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startApiProcess } from '../../test/api-process.ts';
import { consoleAs } from '../../test/console.ts';
import { openSecondApp } from '../../test/second-app.ts';
import { createTestApp, TEST_ENV, type TestApp } from '../../test/test-app.ts';
import { enqueueJob } from '../platform/jobs/enqueue.ts';

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());

describe('the worker', () => {
  const start = (env: Record<string, string>) =>
    spawn(process.execPath, [join(import.meta.dirname, 'worker.ts')], {
      env: { ...TEST_ENV, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });

  it('reports when it is ready, publishes the rate, and ends cleanly on SIGTERM', async () => {
    const child = start({ DATABASE_URL: test.deps.config.databaseUrl });
    const closed = once(child, 'close');
    const published = new Promise<void>((resolve) => {
      test.deps.notifications.on('rate_published', () => resolve());
    });
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    expect(JSON.parse(line)).toEqual({ ready: true });
    await published;
    child.kill('SIGTERM');
    expect(await closed).toEqual([0, null]);
  });

  /** A worker on a schema that lacks the newest migration until `migrate` is called. */
  async function startTooEarly() {
    const fresh = await createTestApp();
    onTestFinished(() => fresh.close());
    const { newestMigration } = fresh.deps;
    const rename = (from: string, to: string) =>
      sql`update migrations set name = ${to} where name = ${from}`.execute(fresh.admin);
    await rename(newestMigration, 'not_yet');
    await enqueueJob(fresh.deps.db, 'jobs_prune', {});
    const port = String(await findFreePort());
    const child = start({
      DATABASE_URL: fresh.deps.config.databaseUrl,
      METRICS_PORT: port,
      LOG_LEVEL: 'warn',
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const lines: string[] = [];
    createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
    const includes = (text: string) => lines.filter((line) => line.includes(text)).length;
    const readyz = async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).status;
    await expect.poll(() => includes('waiting for the schema'), { timeout: 10_000 }).toBe(1);
    const jobCount = async () => {
      const { rows } = await sql`select from graphile_worker._private_jobs
        where payload::text = '{}' and locked_at is null`.execute(fresh.admin);
      return rows.length;
    };
    return {
      child,
      closed: once(child, 'close'),
      readyz,
      jobCount,
      includes,
      migrate: () => rename('not_yet', newestMigration),
    };
  }

  it('takes no job and is not ready until the schema is as new as the program', async () => {
    const worker = await startTooEarly();
    expect(await worker.readyz()).toBe(503);
    // Longer than the queue's interval, and than that of the looks at the schema.
    await pause(1_500);
    expect(await worker.jobCount()).toBe(1);
    expect([worker.includes('"ready":true'), worker.includes('waiting for')]).toEqual([0, 1]);
    await worker.migrate();
    await expect.poll(worker.readyz, { timeout: 10_000 }).toBe(200);
    expect(worker.includes('"ready":true')).toBe(1);
    await expect.poll(worker.jobCount, { timeout: 10_000 }).toBe(0);
    worker.child.kill('SIGTERM');
    expect(await worker.closed).toEqual([0, null]);
  });

  it('ends cleanly on SIGTERM while it waits for the schema', async () => {
    const worker = await startTooEarly();
    worker.child.kill('SIGTERM');
    expect(await worker.closed).toEqual([0, null]);
    expect(worker.includes('"ready":true')).toBe(0);
  });

  it('lists every wrong setting and exits', async () => {
    const child = start({ DATABASE_URL: 'nonsense', SMTP_URL: '' });
    const words: string[] = [];
    child.stderr.on('data', (chunk: Buffer) => words.push(chunk.toString()));
    expect(await once(child, 'close')).toEqual([1, null]);
    expect(words.join('')).toContain('DATABASE_URL: must be a postgres:// address');
    expect(words.join('')).toContain('SMTP_URL: is missing');
  });
});

describe('the console', () => {
  it('[O-057] is a program of its own with CONSOLE=own, and the API then serves no console', async () => {
    const owner = await consoleAs(test, ['provider_owner']);
    const wallet = await openSecondApp(test, { env: { CONSOLE: 'own' } });
    const asked = await wallet.request({ method: 'GET', url: '/api/admin/audit' });
    expect(asked.status).toBe(404);
    await wallet.close();
    const own = await startApiProcess(test.deps.config.databaseUrl, 'console-api');
    const ask = (path: string) =>
      fetch(`${own.url}${path}`, { headers: { cookie: `console=${owner.token}` } });
    expect((await ask('/readyz')).status).toBe(200);
    expect((await ask('/api/admin/audit')).status).toBe(200);
    expect((await ask('/api/tiers')).status).toBe(404);
    await own.kill();
  });
});

describe('the port of the metrics', () => {
  it('is open to 127.0.0.1 alone, unless METRICS_HOST says otherwise', async () => {
    const port = await findFreePort();
    const api = await startApiProcess(test.deps.config.databaseUrl, 'wallet-api', {
      METRICS_PORT: String(port),
    });
    expect((await fetch(`http://127.0.0.1:${port}/metrics`)).status).toBe(200);
    const ofNetworks = Object.values(networkInterfaces()).flatMap((addresses = []) =>
      addresses.filter(({ internal, family }) => !internal && family === 'IPv4'),
    );
    const others = ['127.0.0.2', ...ofNetworks.map(({ address }) => address)];
    const answers = others.map((host) =>
      once(connect({ host, port }), 'connect').then(
        () => 'connected',
        (error: NodeJS.ErrnoException) => error.code,
      ),
    );
    expect(await Promise.all(answers)).toEqual(others.map(() => 'ECONNREFUSED'));
    await api.kill();
  });
});
