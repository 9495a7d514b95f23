/** A program whose log cannot be written, because the disk of its machine is full or the reader of its output has stopped. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { findFreePort } from '@athos/postgres/free-port';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createTestApp, TEST_ENV, type TestApp } from '../../test/test-app.ts';

const START_LIMIT_MS = 60_000;
const REQUESTS = 20;
/** More than a pipe and the process hold together. */
const REQUESTS_UNREAD = 6_000;
const AT_ONCE = 50;

let test: TestApp;
let child: ChildProcess | undefined;
beforeAll(async () => {
  test = await createTestApp();
});
afterEach(() => void child?.kill('SIGKILL'));
afterAll(() => test.close());

/** Starts the API with its log in `output`. Resolves with its address when it answers. */
async function startApi(output: number | 'pipe'): Promise<string> {
  const port = String(await findFreePort());
  const started = spawn(process.execPath, [join(import.meta.dirname, 'wallet-api.ts')], {
    env: {
      ...TEST_ENV,
      DATABASE_URL: test.deps.config.databaseUrl,
      PORT: port,
      LOG_LEVEL: 'info',
    },
    stdio: ['ignore', output, 'inherit'],
  });
  child = started;
  const url = `http://127.0.0.1:${port}`;
  const isReady = (): Promise<boolean> =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await expect.poll(isReady, { timeout: START_LIMIT_MS }).toBe(true);
  return url;
}

async function end(): Promise<unknown> {
  if (child === undefined) throw new Error('no API was started');
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  return exited;
}

it('the API serves and ends while nothing can be written to its log', async () => {
  const full = openSync('/dev/full', 'w');
  const url = await startApi(full);
  closeSync(full);
  for (let count = 0; count < REQUESTS; count++) {
    expect((await fetch(`${url}/api/tiers`)).status).toBe(200);
  }
  expect(await end()).toEqual([0, null]);
});

it('the API serves and ends while nobody reads its log', async () => {
  const url = await startApi('pipe');
  for (let count = 0; count < REQUESTS_UNREAD; count += AT_ONCE) {
    const answers = await Promise.all(
      // These need neither the database nor a turn, so that a slow machine refuses none.
      Array.from({ length: AT_ONCE }, () => fetch(`${url}/api/.well-known/jwks.json`)),
    );
    for (const answer of answers) {
      await answer.arrayBuffer();
      expect(answer.status).toBe(200);
    }
  }
  expect(await end()).toEqual([0, null]);
});
