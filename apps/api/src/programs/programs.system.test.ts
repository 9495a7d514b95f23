/** The programs of the API as processes: what they print, when they end, and what each serves. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { findFreePort } from '@athos/postgres/free-port';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApiProcess } from '../../test/api-process.ts';
import { consoleAs } from '../../test/console.ts';
import { openSecondApp } from '../../test/second-app.ts';
import { createTestApp, TEST_ENV, type TestApp } from '../../test/test-app.ts';

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
