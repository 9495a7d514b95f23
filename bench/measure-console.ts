/** Measures the operator console: each of its reads beside a route that only checks the session. */
import { API_PREFIX } from '@athos/contract/call';
import { readExamples, type Examples } from './console/examples.sql.ts';
import { fillConsoleData, openConsole } from './console/fill.ts';
import { takeTurn, type Read } from './console/turns.ts';
import { HttpConnection } from './http-connection.ts';
import { proveBooks } from './measure-ledger.ts';
import { BARE_CONSOLE_PATH, startApi } from './programs.ts';
import { median, rounded, type MeasuredRatio } from './report.ts';
import { pick } from './requests.ts';
import { say, type Samples } from './samples.ts';
import type { BenchScale } from './scale.ts';
import type { Workbench } from './workbench.ts';

const DATABASE = 'console';
const BARE_READ = 'bare console route';
const WARM_UP_TURNS = 10;
const TIMES_BARE_MAX = 10;
/** A trigram search reads every address that contains all trigrams, and then checks each. */
const PART_OF_ADDRESS_TIMES_BARE_MAX = 40;
const isPartOfAddress = (name: string): boolean => name.endsWith('part of an address');

const p95Name = (name: string): string => `${name} p95 ms`;

interface ConsoleBench {
  readonly bench: Workbench;
  readonly samples: Samples;
  readonly scale: BenchScale;
}

/** Returns one ratio per read, the slowest first. */
export async function measureConsole(given: ConsoleBench): Promise<MeasuredRatio[]> {
  const { bench, samples, scale } = given;
  const { customers, journalRows, turnCount } = scale.console;
  say(`console: ${customers} customers, ${journalRows} rows of the journal`);
  await bench.createMigrated(DATABASE);
  const databaseUrl = bench.databaseUrl(DATABASE);
  await fillConsoleData(databaseUrl, scale.console);
  await proveBooks(databaseUrl);
  const cookies = await openConsole(databaseUrl);
  const examples = await readExamples(databaseUrl, scale.console);
  const api = await startApi('measured', databaseUrl);
  const names = new Set<string>();
  try {
    const takeTurns = (count: number) => timeTurns(api.url, { count, examples, cookies });
    // Warm-up: compiles code and fills caches.
    await takeTurns(WARM_UP_TURNS);
    for (let round = 1; round <= scale.rounds; round++) {
      for (const [name, durations] of await takeTurns(turnCount)) {
        samples.note(p95Name(name), p95(durations));
        names.add(name);
      }
    }
  } finally {
    await api.stop();
  }
  await bench.drop(DATABASE);
  names.delete(BARE_READ);
  return [...names]
    .map((name) => ratioOf(samples, name))
    .toSorted((a, b) => median(b.rounds) - median(a.rounds));
}

/**
 * Durations in milliseconds by the name of the read. Each read follows a bare request, so that noise affects both alike, and requests are
 * sequential, so that none waits for another.
 */
async function timeTurns(
  url: string,
  { count, examples, cookies }: { count: number; examples: Examples; cookies: readonly string[] },
): Promise<ReadonlyMap<string, readonly number[]>> {
  const connection = new HttpConnection(url);
  const durations = new Map<string, number[]>();
  const timed: Read = async (name, path, cookie) => {
    const startMs = performance.now();
    const { status, body } = await connection.request(
      `GET ${path} HTTP/1.1\r\nhost: bench\r\ncookie: ${cookie}\r\n\r\n`,
    );
    const durationMs = performance.now() - startMs;
    if (status !== 200) throw new Error(`${path} answered ${status}: ${body}`);
    durations.set(name, durations.get(name) ?? []);
    durations.get(name)?.push(durationMs);
    return body;
  };
  try {
    for (let turn = 0; turn < count; turn++) {
      await takeTurn(examples, cookies, async (name, path, cookie) => {
        await timed(BARE_READ, API_PREFIX + BARE_CONSOLE_PATH, pick(cookies));
        return timed(name, path, cookie);
      });
    }
  } finally {
    connection.close();
  }
  return durations;
}

function ratioOf(samples: Samples, name: string): MeasuredRatio {
  const goal = isPartOfAddress(name) ? PART_OF_ADDRESS_TIMES_BARE_MAX : TIMES_BARE_MAX;
  return {
    name: `p95 of ${name} ÷ ${BARE_READ}`,
    must: goal,
    aim: goal,
    sense: 'atMost',
    rounds: samples.ratios(p95Name(name), p95Name(BARE_READ)),
  };
}

function p95(durations: readonly number[]): number {
  const sorted = durations.toSorted((a, b) => a - b);
  return rounded(sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN);
}
