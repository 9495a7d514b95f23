/** Measures how soon the programs are ready and how much memory they use, from source and as production bundles. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { HttpConnection } from './http-connection.ts';
import type { LoadUser } from './load-plan.ts';
import {
  apiEnvironment,
  buildBundles,
  bundleWords,
  freePort,
  PRODUCTION_ENVIRONMENT,
  untilReady,
} from './programs.ts';
import type { MeasuredRatio } from './report.ts';
import { partsOf, requestMaker } from './requests.ts';
import { say, shuffled, type Samples } from './samples.ts';
import type { Workbench } from './workbench.ts';

const API_DIR = join(import.meta.dirname, '../apps/api');
const ROUNDS = 5;
const REQUESTS = 1_000;
const CONNECTIONS = 10;
/** Pause after the requests, so that their garbage can be collected before memory is read. */
const REST_MS = 2_000;

const FORMS = {
  source: {
    words: (name: string) => [join(API_DIR, `src/programs/${name}.ts`)],
    env: {},
  },
  // As started by scripts/start/paths.ts. In production the console has its own process.
  bundle: {
    words: bundleWords,
    env: { CONSOLE: 'off', ...PRODUCTION_ENVIRONMENT },
  },
} as const;

interface StartBench {
  readonly bench: Workbench;
  readonly samples: Samples;
  readonly senders: readonly LoadUser[];
}

export async function measureStart(given: StartBench): Promise<void> {
  say('start');
  buildBundles();
  const { bench } = given;
  await bench.drop('start');
  await bench.copy('prepared', 'start');
  const cases = (['wallet-api', 'worker'] as const).flatMap((name) =>
    (['source', 'bundle'] as const).map((form) => ({ name, form })),
  );
  for (let round = 1; round <= ROUNDS; round++) {
    for (const { name, form } of shuffled(cases)) {
      const { words, env } = FORMS[form];
      await measureOne(given, { label: `${name} from ${form}`, words: words(name), env });
    }
  }
}

interface Started {
  readonly label: string;
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

async function measureOne(
  { bench, samples, senders }: StartBench,
  { label, words, env }: Started,
): Promise<void> {
  const port = await freePort();
  const startMs = performance.now();
  const child = spawn(process.execPath, [...words], {
    env: { ...process.env, ...apiEnvironment(bench.databaseUrl('start'), port), ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  await untilReady(child);
  samples.note(`${label}, ready after ms`, Math.round(performance.now() - startMs));
  if (label.startsWith('wallet-api')) await sendRequests(`http://127.0.0.1:${port}`, senders);
  await new Promise((resolve) => setTimeout(resolve, REST_MS));
  samples.note(`${label}, at rest MB`, residentMegabytes(child));
  child.kill('SIGTERM');
  await exited;
}

/** Sends a wallet's most frequent requests; every fifth is a transfer. */
async function sendRequests(url: string, senders: readonly LoadUser[]): Promise<void> {
  const paths = [
    '/api/account/balance',
    '/api/all_history?limit=20',
    '/api/categories',
    '/api/tiers',
  ];
  const makeGet = requestMaker(partsOf({ kind: 'get', paths, callers: senders }));
  const recipientUuids = senders.map(({ uuid }) => uuid);
  const makeTransfer = requestMaker(partsOf({ kind: 'transfer', senders, recipientUuids }));
  let sent = 0;
  const send = async (): Promise<void> => {
    const connection = new HttpConnection(url);
    while (sent < REQUESTS) {
      sent += 1;
      const { status, body } = await connection.request(
        sent % 5 === 0 ? makeTransfer() : makeGet(),
      );
      if (status !== 200) throw new Error(`answered ${status}: ${body}`);
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, send));
}

function residentMegabytes({ pid }: ChildProcess): number {
  const { stdout } = spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
  return Math.round(parseInt(stdout, 10) / 1024);
}

export const startGoals = ({ samples }: StartBench): MeasuredRatio[] => [
  {
    name: 'bundled API ready after its start, ms',
    must: 1_000,
    aim: 500,
    sense: 'atMost',
    rounds: samples.of('wallet-api from bundle, ready after ms'),
  },
  {
    name: `bundled API at rest after ${REQUESTS} requests, MB`,
    must: 150,
    aim: 120,
    sense: 'atMost',
    rounds: samples.of('wallet-api from bundle, at rest MB'),
  },
];
