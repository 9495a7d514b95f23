/** The load by wrk, which takes a fraction of the processor time that the load in JavaScript takes, as pgbench does. */
import { spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { HttpConnection } from './http-connection.ts';
import type { LoadPlan, LoadResult } from './load-plan.ts';
import { rounded } from './report.ts';
import { partsOf, requestMaker, type RequestParts, type SingleRequest } from './requests.ts';

const SCRIPT = join(import.meta.dirname, 'load.lua');
/** Fewer than pgbench's two: one is 15 % busy at 10,000 requests a second. */
const THREAD_COUNT = 1;
const RUN_COUNT = 65_536;

/** What `load.lua` prints. */
interface WrkSummary {
  readonly requestCount: number;
  readonly seconds: number;
  readonly p50Us: number;
  readonly p99Us: number;
  readonly slowestUs: number;
  /** Answers of status 400 and above. */
  readonly refusedCount: number;
  readonly lostCount: number;
  readonly cpuSeconds: number;
}

export type WrkPlan = LoadPlan & { readonly request: SingleRequest };

/** wrk repeats one request as fast as it is answered: it keeps no pace, and a scan with its redemption is beyond it. */
export const isForWrk = (plan: LoadPlan): plan is WrkPlan =>
  plan.perSecond === undefined && plan.request.kind !== 'redeem';

let isInstalled: boolean | undefined;
export function hasWrk(): boolean {
  // It prints its usage and exits with 1.
  return (isInstalled ??= spawnSync('wrk', ['--version']).error === undefined);
}

/** @throws Error if any request was not answered, or not with the expected status */
export async function runWrk(plan: WrkPlan): Promise<LoadResult> {
  const parts = partsOf(plan.request);
  await probe(plan, parts);
  const dir = mkdtempSync(join(tmpdir(), 'athos-wrk-'));
  try {
    const file = join(dir, 'parts.lua');
    const run = async (forMs: number): Promise<WrkSummary> => {
      writeFileSync(file, luaOf(parts));
      return spawnWrk(plan, file, forMs);
    };
    const warmUp = await run(plan.warmUpMs);
    const measured = await run(plan.measureMs);
    return {
      answeredCount: warmUp.requestCount + measured.requestCount,
      perSecond: Math.round(measured.requestCount / measured.seconds),
      p50Ms: rounded(measured.p50Us / 1000),
      p99Ms: rounded(measured.p99Us / 1000),
      slowestMs: rounded(measured.slowestUs / 1000),
      loadCpuShare: rounded(measured.cpuSeconds / measured.seconds),
    };
  } finally {
    rmSync(dir, { recursive: true });
  }
}

/** wrk counts statuses from 400 as errors; which one it is below that, one request tells for all. */
async function probe({ url, expectedStatus = 200 }: WrkPlan, parts: RequestParts): Promise<void> {
  const connection = new HttpConnection(url);
  const { status, body } = await connection.request(requestMaker(parts)());
  connection.close();
  if (status !== expectedStatus) throw new Error(`answered ${status}: ${body}`);
}

async function spawnWrk(plan: WrkPlan, file: string, forMs: number): Promise<WrkSummary> {
  const child = spawn(
    'wrk',
    [
      `--threads=${THREAD_COUNT}`,
      `--connections=${plan.connectionCount}`,
      // Whole seconds only.
      `--duration=${Math.ceil(forMs / 1000)}s`,
      '--timeout=10s',
      `--script=${SCRIPT}`,
      plan.url,
      '--',
      file,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  const line = output.trimEnd().split('\n').at(-1) ?? '';
  if (!line.startsWith('{')) throw new Error(`wrk failed: ${output}`);
  const summary = JSON.parse(line) as WrkSummary;
  if (summary.refusedCount + summary.lostCount > 0) {
    throw new Error(`a measurement with refusals is void: ${line}`);
  }
  return summary;
}

/** Lua reads texts as JSON writes them, as long as they are ASCII; it counts from 1. */
function luaOf({ starts, callers, forbiddenRests, rests, isKeyed }: RequestParts): string {
  const list = (values: readonly (string | number)[]): string =>
    `{${values.map((value) => JSON.stringify(value)).join(',')}}`;
  return `return {
  run = ${randomInt(RUN_COUNT)},
  starts = ${list(starts)},
  callers = ${list(callers)},
  forbiddenRests = ${list(forbiddenRests.map((index) => index + 1))},
  rests = ${list(rests)},
  isKeyed = ${isKeyed},
}
`;
}
