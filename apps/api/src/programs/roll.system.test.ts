/** Both API processes are replaced while users send and listen, without one failed request. */
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { startApiProcess, type ApiProcess } from '../../test/api-process.ts';
import { startEdge, type Edge } from '../../test/edge.ts';
import { createTestApp, TEST_ENV, type TestApp, type TestUser } from '../../test/test-app.ts';
import { ath } from '../../test/shop.ts';

/** Makes 40 requests a second. */
const REQUEST_INTERVAL_MS = 25;
const DRAIN_MS = 3_000;
/** How long a roll may leave a wallet without its stream. */
const STREAM_GAP_MS = 3_000;

let test: TestApp;
let edge: Edge;
let ada: TestUser;
let ben: TestUser;
const started: ApiProcess[] = [];
beforeAll(async () => {
  test = await createTestApp();
  edge = await startEdge();
  ada = await test.createUser({ balance: ath(100_000) });
  ben = await test.createUser();
});
afterAll(async () => {
  await Promise.all(started.map((process) => process.kill()));
  await edge.close();
  await test.close();
});

async function startProcess(env: Readonly<Record<string, string>> = {}): Promise<ApiProcess> {
  const process = await startApiProcess(test.deps.config.databaseUrl, 'wallet-api', {
    DRAIN_SECONDS: String(DRAIN_MS / 1000),
    ...env,
  });
  started.push(process);
  return process;
}

/** Sends and reads through the edge until it is stopped. */
function startLoad() {
  const failures: string[] = [];
  const requests: Promise<void>[] = [];
  const headers = { authorization: `Bearer ${ada.token}`, 'content-type': 'application/json' };
  const send = () =>
    fetch(`${edge.url}/api/account/transfer`, {
      method: 'POST',
      headers: { ...headers, 'idempotency-key': randomUUID() },
      body: JSON.stringify({ amount: '1000', to_uuid: ben.uuid }),
    });
  const read = () => fetch(`${edge.url}/api/account/balance`, { headers });
  const timer = setInterval(() => {
    const asked = requests.length % 2 === 0 ? send() : read();
    requests.push(
      asked.then(
        async (answer) => {
          const text = await answer.text();
          if (!answer.ok) failures.push(`${answer.status} ${text}`);
        },
        (error: unknown) => void failures.push(String(error)),
      ),
    );
  }, REQUEST_INTERVAL_MS);
  onTestFinished(() => clearInterval(timer));
  return async () => {
    clearInterval(timer);
    await Promise.all(requests);
    return { failures, requestCount: requests.length };
  };
}

/** Reads a live stream, and opens it again whenever it ends, as the wallet does. */
function startStream(user: TestUser) {
  const stopping = new AbortController();
  onTestFinished(() => stopping.abort());
  const told = { openCount: 0, longestGapMs: 0, failures: [] as string[] };
  let endedMs: number | undefined;
  async function readOnce(): Promise<number> {
    const answer = await fetch(`${edge.url}/api/account/events`, {
      headers: { authorization: `Bearer ${user.token}` },
      signal: stopping.signal,
    });
    if (answer.ok) told.openCount += 1;
    else told.failures.push(String(answer.status));
    if (endedMs !== undefined) {
      told.longestGapMs = Math.max(told.longestGapMs, performance.now() - endedMs);
    }
    const text = await answer.text();
    endedMs = performance.now();
    return Number(/^retry: (\d+)$/m.exec(text)?.[1]);
  }
  const reading = (async (): Promise<void> => {
    while (!stopping.signal.aborted) await pause(await readOnce(), undefined, stopping);
  })();
  reading.catch((error: unknown) => {
    if (!stopping.signal.aborted) told.failures.push(String(error));
  });
  return told;
}

it('[P-050] an API process serves requests for 3 s after SIGTERM, and is unready at once', async () => {
  const process = await startProcess();
  expect((await fetch(`${process.url}/readyz`)).status).toBe(200);
  const askedAtMs = performance.now();
  const ended = process.end();
  await expect.poll(async () => (await fetch(`${process.url}/readyz`)).status).toBe(503);
  const isServing = () =>
    fetch(`${process.url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (await isServing()) await pause(50);
  expect(performance.now() - askedAtMs).toBeGreaterThanOrEqual(DRAIN_MS);
  expect(await ended).toBe(0);
});

/** Replaces the processes one by one with processes that have these settings, and returns the new ones. */
async function roll(
  processes: readonly ApiProcess[],
  env: Readonly<Record<string, string>> = {},
): Promise<readonly ApiProcess[]> {
  let serving = [...processes];
  for (const old of processes) {
    expect(await old.end()).toBe(0);
    const replacement = await startProcess(env);
    serving = serving.map((process) => (process === old ? replacement : process));
    edge.know(serving.map(({ url }) => url));
    await edge.ready(replacement.url);
  }
  return serving;
}

async function startBoth(): Promise<readonly ApiProcess[]> {
  const processes = await Promise.all([startProcess(), startProcess()]);
  edge.know(processes.map(({ url }) => url));
  await Promise.all(processes.map(({ url }) => edge.ready(url)));
  return processes;
}

it('[P-053] both API processes are replaced under 40 requests/s without one failed request', async () => {
  const before = await startBoth();
  const streams = Array.from({ length: 10 }, () => startStream(ben));
  const stopLoad = startLoad();
  const processes = await roll(before);
  // Each stream has reconnected. A process that is gone has ended all of its streams.
  await expect.poll(() => streams.every(({ openCount }) => openCount >= 2)).toBe(true);
  const { failures, requestCount } = await stopLoad();
  expect(failures).toEqual([]);
  expect(requestCount).toBeGreaterThan(100);
  expect(streams.flatMap((stream) => stream.failures)).toEqual([]);
  expect(Math.max(...streams.map(({ longestGapMs }) => longestGapMs))).toBeLessThanOrEqual(
    STREAM_GAP_MS,
  );
  await Promise.all(processes.map((process) => process.end()));
});

it('[P-072] a new signing key is added and made the first under 40 requests/s, and nobody is signed out', async () => {
  const { SIGNING_KEYS: oldKey } = TEST_ENV;
  const newKey = randomBytes(32).toString('base64url');
  let processes = await startBoth();
  const stream = startStream(ben);
  const stopLoad = startLoad();
  processes = await roll(processes, { SIGNING_KEYS: `${oldKey},${newKey}` });
  processes = await roll(processes, { SIGNING_KEYS: `${newKey},${oldKey}` });
  const { failures } = await stopLoad();
  expect(failures).toEqual([]);
  expect(stream.failures).toEqual([]);
  // After each of the two rolls the wallet reconnects its stream.
  await expect.poll(() => stream.openCount).toBeGreaterThanOrEqual(3);
  await Promise.all(processes.map((process) => process.end()));
});
