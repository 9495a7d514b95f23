/** One fault under load, and its effects. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { verifyLedger } from '../../apps/api/src/ledger/verify.ts';
import { findWrong, type Findings } from './audit.sql.ts';
import { ANSWER_LIMIT_MS, type Attempt, type Caller } from './caller.ts';
import { until, type Cluster } from './cluster.ts';
import type { Fault } from './faults.ts';
import type { Acknowledged, Load } from './load.ts';

const CALM_MS = 8_000;
/** Writes count as back once they have been acknowledged for this long without a gap. */
const BACK_FOR_MS = 1_000;
const BACK_LIMIT_MS = 90_000;
/** P-040: requests may be slow for this long after a fault. */
const SLOW_FOR_MS = 10_000;
const AFTERWARDS_MS = 8_000;
const SLOWEST_SHOWN = 5;
/** A job enqueued while the primary's clock runs 90 s ahead becomes due when the real time gets there. */
const MAIL_LIMIT_MS = 120_000;
const MAILS_OF_ONE_MAX = 2;

export interface Stand {
  readonly cluster: Cluster;
  readonly caller: Caller;
  readonly load: Load;
  /** The folder of the run, with the logs of all programs and the mails. */
  readonly folder: string;
}

export interface TrialResult extends Findings {
  readonly fault: string;
  readonly acknowledgedCount: number;
  readonly outageMs: number;
  /** Measured from the arrival of a request at the API to its response, or to the moment at which its client gave up. */
  readonly longestOpenMs: number;
  /** Measured by the client, on a machine that also runs everything else. */
  readonly longestSeenMs: number;
  /** The durations of requests shortly before the fault, and some time after writes were back. */
  readonly beforeMs: readonly number[];
  readonly afterMs: readonly number[];
  /** The slowest requests of `afterMs`. */
  readonly slowest: readonly string[];
  readonly userErrorCount: number;
  /** Counts by status; 0 means no response. */
  readonly answers: Readonly<Record<string, number>>;
  readonly areBooksRight: boolean;
  /** All other faults: intents without a response, and errors in the books and mails. */
  readonly faults: readonly string[];
}

export async function tryFault(stand: Stand, fault: Fault): Promise<TrialResult> {
  const { cluster, caller, load } = stand;
  await fault.prepare?.(cluster);
  const startedAt = new Date().toISOString();
  const known = load.acknowledged.length;
  caller.attempts = [];
  caller.shownErrorCount = 0;
  load.faults.length = 0;
  load.start();
  await pause(CALM_MS);
  const madeMs = performance.now();
  const undo = await fault.make(cluster);
  if (fault.holdMs === undefined) await untilBack(load);
  else await pause(fault.holdMs);
  const wrongMeanwhile = (await fault.check?.(cluster)) ?? [];
  await undo();
  const [undoneMs, undoneAt] = [performance.now(), new Date()];
  await untilBack(load);
  const backMs = performance.now();
  await pause(SLOW_FOR_MS + AFTERWARDS_MS);
  const endMs = performance.now();
  await load.stop();
  const own = load.acknowledged.slice(known);
  const found = await findWrong(await cluster.databaseUrl(), load.acknowledged);
  const wrongAfterwards = (await fault.checkBack?.(cluster, undoneAt)) ?? [];
  const wrongBooks = await bookFaults(cluster);
  const faults = [
    ...load.faults,
    ...wrongMeanwhile,
    ...wrongAfterwards,
    ...wrongBooks,
    ...(await mailFaults(stand, own)),
  ];
  const { attempts } = caller;
  const after = durationsOf(attempts, backMs + SLOW_FOR_MS, endMs);
  const fromMs = fault.countsFrom === 'undone' ? undoneMs : madeMs;
  return {
    ...found,
    fault: fault.name,
    acknowledgedCount: own.length,
    outageMs: longestGap(own, fromMs, endMs),
    longestOpenMs: Math.max(
      longestOpen(stand, startedAt),
      ...attempts.filter(isGivenUp).map(durationOf),
    ),
    longestSeenMs: Math.max(...attempts.filter(isOfDatabase).map(durationOf)),
    beforeMs: durationsOf(attempts, madeMs - CALM_MS, madeMs).map(({ ms }) => ms),
    afterMs: after.map(({ ms }) => ms),
    slowest: after.slice(0, SLOWEST_SHOWN).map(({ path, ms }) => `${path} ${ms} ms`),
    userErrorCount: caller.shownErrorCount,
    answers: countBy(attempts),
    areBooksRight: wrongBooks.length === 0,
    faults,
  };
}

/** Resolves when writes have been acknowledged without a gap for a while, or after a limit. */
async function untilBack({ acknowledged }: Load): Promise<void> {
  const startMs = performance.now();
  for (;;) {
    await pause(100);
    const nowMs = performance.now();
    const since = Math.max(startMs, nowMs - BACK_FOR_MS);
    const isBack =
      nowMs - startMs > BACK_FOR_MS && longestGap(acknowledged, since, nowMs) < BACK_FOR_MS / 2;
    if (isBack || nowMs - startMs > BACK_LIMIT_MS) return;
  }
}

/** The longest time without an acknowledged write between two times. */
export function longestGap(
  acknowledged: readonly Pick<Acknowledged, 'atMs'>[],
  fromMs: number,
  toMs: number,
): number {
  let [longest, lastMs] = [0, fromMs];
  for (const { atMs } of acknowledged) {
    if (atMs < fromMs) continue;
    if (atMs > toMs) break;
    longest = Math.max(longest, atMs - lastMs);
    lastMs = atMs;
  }
  return Math.max(longest, toMs - lastMs);
}

const isOfDatabase = ({ path }: Attempt): boolean => !WAITS_FOR_OTHERS.test(path);
const durationOf = ({ startMs, endMs }: Attempt): number => endMs - startMs;

/** The API logs no line of such a request, which it may never have answered. */
const isGivenUp = (attempt: Attempt): boolean =>
  isOfDatabase(attempt) && attempt.status === 0 && durationOf(attempt) >= ANSWER_LIMIT_MS;

/** Durations of first attempts that began in the window, slowest first. A repeat is late only because of the previous attempt. */
const durationsOf = (attempts: readonly Attempt[], fromMs: number, toMs: number): Duration[] =>
  attempts
    .filter(({ isFirst, startMs }) => isFirst && startMs >= fromMs && startMs <= toMs)
    .filter(isOfDatabase)
    .map((attempt) => ({ path: attempt.path, ms: Math.round(durationOf(attempt)) }))
    .toSorted((a, b) => b.ms - a.ms);

interface Duration {
  readonly path: string;
  readonly ms: number;
}

function countBy(attempts: readonly Attempt[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of attempts) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** Calls that may take longer, because they wait for more than the database: for the card provider, or for their turn to hash. */
const WAITS_FOR_OTHERS = /payment_intent|webhooks|register/;

function longestOpen({ cluster, folder }: Stand, startedAt: string): number {
  const lines = cluster.applications.flatMap(({ machine }) =>
    readFileSync(join(folder, `${machine.name}-api.log`), 'utf8').split('\n'),
  );
  let longest = 0;
  for (const line of lines) {
    if (!line.includes('"durationMs"')) continue;
    const { time, route, durationMs } = JSON.parse(line) as {
      time: string;
      route: string;
      durationMs: number;
    };
    if (time >= startedAt && !WAITS_FOR_OTHERS.test(route)) longest = Math.max(longest, durationMs);
  }
  return longest;
}

async function bookFaults(cluster: Cluster): Promise<string[]> {
  const { fault } = await verifyLedger({ databaseUrl: await cluster.databaseUrl() });
  return fault === undefined ? [] : [`${fault.row}: ${fault.reason}`];
}

/** Each credited order must cause one or two mails, and each sign-up at least one: a repeat of it may cause another. */
async function mailFaults({ folder }: Stand, own: readonly Acknowledged[]): Promise<string[]> {
  const mailFolder = join(folder, 'mailbox');
  const wanted = own.filter(({ kind }) => kind === 'sign_up' || kind === 'card');
  let wrong: string[] = [];
  const isRight = (): boolean => {
    const mails = readdirSync(mailFolder)
      .filter((name) => name.endsWith('.json'))
      .map((name) => readFileSync(join(mailFolder, name), 'utf8'));
    wrong = wanted.flatMap(({ kind, told = '' }) => {
      const count = mails.filter((mail) => mail.includes(told)).length;
      const isDone = count >= 1 && (count <= MAILS_OF_ONE_MAX || kind === 'sign_up');
      return isDone ? [] : [`${kind} ${told}: ${count} mails`];
    });
    return wrong.length === 0;
  };
  await until('every mail', isRight, MAIL_LIMIT_MS).catch(() => undefined);
  return wrong;
}
