/** The processes of a measurement: the API in its variants, and the load. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { readConfig, type Config } from '../apps/api/src/config/config.ts';
import type { LoadPlan, LoadResult } from './load-plan.ts';
import { say } from './samples.ts';
import { hasWrk, isForWrk, runWrk } from './wrk.ts';

/**
 * `measured`: the product with additional routes to which others are compared. `naive`: one transaction per transfer. The bundled ones are
 * what production runs; `buildBundles` makes them.
 */
export type ApiProgram =
  'product' | 'measured' | 'naive' | 'worker' | 'bundled product' | 'bundled worker';

const API_DIR = join(import.meta.dirname, '../apps/api');
/** V8's young generation and the memory arenas of production, as scripts/start/paths.ts sets them (decision 0015). */
const PRODUCTION_FLAGS = ['--max-semi-space-size=4'];
export const PRODUCTION_ENVIRONMENT = { MALLOC_ARENA_MAX: '1' } as const;

/** Node's arguments for a bundled program, as scripts/start/paths.ts has them. */
export const bundleWords = (name: string): string[] => [
  '--enable-source-maps',
  ...PRODUCTION_FLAGS,
  join(API_DIR, `dist/${name}.js`),
];
const sourceWords = (file: string): string[] => [...PRODUCTION_FLAGS, file];

const API_PROGRAMS: Readonly<Record<ApiProgram, string[]>> = {
  product: sourceWords(join(API_DIR, 'src/programs/wallet-api.ts')),
  measured: sourceWords(join(import.meta.dirname, 'product-main.ts')),
  naive: sourceWords(join(import.meta.dirname, 'naive-main.ts')),
  worker: sourceWords(join(API_DIR, 'src/programs/worker.ts')),
  'bundled product': bundleWords('wallet-api'),
  'bundled worker': bundleWords('worker'),
};
/** Relative to the API's prefix. */
export const BARE_SIGNED_IN_PATH = '/bare';
export const BARE_CONSOLE_PATH = '/admin/bare';
export const SEND_BEFORE_UNDO_PATH = '/send_before_undo';

/** The seed of the measured API's signing key. */
export const SIGNING_SEED = Buffer.alloc(32, 7).toString('base64url');

const START_LIMIT_MS = 20_000;

export interface RunningApi {
  readonly url: string;
  readonly pid: number;
  readonly exited: Promise<unknown>;
  stop(): Promise<void>;
}

/** Settings of the measured API. Only mail and card provider are not real, and no measured request uses them. */
export function apiEnvironment(databaseUrl: string, port: number): Record<string, string> {
  return {
    NODE_ENV: 'development',
    PORT: String(port),
    DATABASE_URL: databaseUrl,
    SIGNING_KEYS: SIGNING_SEED,
    HASHING_KEY: 'only for measurements on this machine',
    DATA_KEYS: Buffer.alloc(32, 8).toString('base64url'),
    RECEIPT_KEY: Buffer.alloc(32, 9).toString('base64url'),
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'bench <bench@example.invalid>',
    STRIPE_SECRET_KEY: 'sk_test_bench',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_bench',
    STRIPE_WEBHOOK_SECRET: 'whsec_bench',
    STRIPE_API_URL: 'http://127.0.0.1:1',
    STRIPE_SCRIPT_URL: 'http://127.0.0.1:1/stripe.js',
    RATE_SOURCE: '0.1683',
    // Both limits are per person, and a measurement has few persons.
    SCANS_PER_SECOND: '1000',
    SENDS_PER_SECOND: '10000',
    MEDIA_DIR: join(import.meta.dirname, '../data/bench/media'),
    // A log line costs as much as the work of a bare request.
    LOG_LEVEL: 'error',
  };
}

/** The same settings for code of the API that runs in this process. */
export const configFor = (databaseUrl: string): Config =>
  readConfig(apiEnvironment(databaseUrl, 0));

interface StartOptions {
  readonly port?: number;
  /** Modules that are loaded before the program. */
  readonly preloads?: readonly string[];
  /** Settings that override those of `apiEnvironment`. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** @throws Error if it does not listen in time */
export async function startApi(
  program: ApiProgram,
  databaseUrl: string,
  { port, preloads = [], settings }: StartOptions = {},
): Promise<RunningApi> {
  const chosenPort = port ?? (await freePort());
  const words = preloads.map((file) => `--import=${file}`);
  const child = spawn(process.execPath, [...words, ...API_PROGRAMS[program]], {
    env: {
      ...process.env,
      ...PRODUCTION_ENVIRONMENT,
      ...apiEnvironment(databaseUrl, chosenPort),
      ...settings,
    },
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

/** @throws Error with what the bundler said */
export function buildBundles(): void {
  const vite = join(import.meta.dirname, '../node_modules/vite/bin/vite.js');
  const { status, stderr } = spawnSync(process.execPath, [vite, 'build'], {
    cwd: API_DIR,
    encoding: 'utf8',
    env: { ...process.env, NODE_ENV: 'production' },
  });
  if (status !== 0) throw new Error(`the API does not build: ${stderr}`);
}

/** A program prints a line of JSON with `ready` when it is up. */
export async function untilReady(child: ChildProcess): Promise<void> {
  if (child.stdout === null) throw new Error('the program has no output');
  const deadline = setTimeout(() => child.kill('SIGKILL'), START_LIMIT_MS);
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.includes('"ready":true')) continue;
    clearTimeout(deadline);
    // Later output must not fill the pipe.
    child.stdout.resume();
    return;
  }
  throw new Error('the program did not start');
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

let isFallbackSaid = false;

/** @throws Error if any request did not get the expected status */
export async function runLoad(plan: LoadPlan): Promise<LoadResult> {
  if (isForWrk(plan)) {
    if (hasWrk()) return runWrk(plan);
    if (!isFallbackSaid) say('wrk is missing (Debian: apt install wrk): the load is in JavaScript');
    isFallbackSaid = true;
  }
  const child = spawn(process.execPath, [join(import.meta.dirname, 'load-process.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(JSON.stringify(plan));
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  if (code !== 0) throw new Error('a measurement with refusals is void');
  return JSON.parse(output) as LoadResult;
}
