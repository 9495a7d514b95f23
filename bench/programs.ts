/** The processes of a measurement: API, its naive double, load. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import type { LoadPlan, LoadResult } from './load-plan.ts';

/** `measured`: the product with a bare signed-in route. */
export type ApiProgram = 'product' | 'measured' | 'naive';

const API_PROGRAMS: Readonly<Record<ApiProgram, string>> = {
  product: join(import.meta.dirname, '../apps/api/src/programs/wallet-api.ts'),
  measured: join(import.meta.dirname, 'product-main.ts'),
  naive: join(import.meta.dirname, 'naive-main.ts'),
};
/** Below the API's prefix. */
export const BARE_SIGNED_IN_PATH = '/bare';

/** Of the API in a measurement. */
export const SIGNING_SEED = Buffer.alloc(32, 7).toString('base64url');

const START_LIMIT_MS = 20_000;

export interface RunningApi {
  readonly url: string;
  readonly pid: number;
  readonly exited: Promise<unknown>;
  stop(): Promise<void>;
}

/** Settings of the API in a measurement: everything real but mail and card provider, which no measured request reaches. */
export function apiEnvironment(databaseUrl: string, port: number): Record<string, string> {
  return {
    NODE_ENV: 'development',
    PORT: String(port),
    DATABASE_URL: databaseUrl,
    SIGNING_KEYS: SIGNING_SEED,
    HASHING_KEY: 'only for measurements on this machine',
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'bench <bench@example.invalid>',
    STRIPE_SECRET_KEY: 'sk_test_bench',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_bench',
    STRIPE_WEBHOOK_SECRET: 'whsec_bench',
    STRIPE_API_URL: 'http://127.0.0.1:1',
    STRIPE_SCRIPT_URL: 'http://127.0.0.1:1/stripe.js',
    RATE_SOURCE: '0.1683',
    // The limit is per member of staff, of whom a measurement has few.
    SCANS_PER_SECOND: '1000',
    SENDS_PER_SECOND: '10000',
    MEDIA_DIR: join(import.meta.dirname, '../data/bench/media'),
    // A line for each request costs as much as the request's own work, and is not what is measured.
    LOG_LEVEL: 'error',
  };
}

/** Throws if it does not listen in time. */
export async function startApi(
  program: ApiProgram,
  databaseUrl: string,
  port?: number,
): Promise<RunningApi> {
  const chosenPort = port ?? (await freePort());
  const child = spawn(process.execPath, [API_PROGRAMS[program]], {
    env: { ...process.env, ...apiEnvironment(databaseUrl, chosenPort) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  await untilReady(child);
  return {
    url: `http://127.0.0.1:${chosenPort}`,
    pid: child.pid ?? 0,
    exited,
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

/** The API prints one line of JSON with `ready` when it listens. */
async function untilReady(child: ChildProcess): Promise<void> {
  if (child.stdout === null) throw new Error('the API has no output');
  const deadline = setTimeout(() => child.kill('SIGKILL'), START_LIMIT_MS);
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.includes('"ready":true')) continue;
    clearTimeout(deadline);
    // What it prints later must not fill the pipe.
    child.stdout.resume();
    return;
  }
  throw new Error('the API did not start');
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Throws if any request was answered by anything but the expected status. */
export async function runLoad(plan: LoadPlan): Promise<LoadResult> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'load.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(JSON.stringify(plan));
  const result = JSON.parse(await text(child.stdout)) as LoadResult;
  const statuses = Object.keys(result.statusCounts);
  if (statuses.length !== 1 || statuses[0] !== String(plan.expectedStatus ?? 200)) {
    throw new Error(`a measurement with refusals is void: ${JSON.stringify(result.statusCounts)}`);
  }
  return result;
}
