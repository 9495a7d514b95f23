/** The rows of docs/spec/rows-operations.tsv that a run has proven, as test results for `npm run spec`. */
import { hasFailed, type Control } from './controls.ts';
import { DATABASE_FAULTS } from './database-faults.ts';
import type { Fault } from './faults.ts';
import { RUNS_MIN } from './flags.ts';
import {
  failedRequestCount,
  isCalmAgain,
  OPEN_MS_MAX,
  P99_NOISE_MS,
  wrongRefusals,
} from './report.ts';
import type { TrialResult } from './trial.ts';
import type { Proof } from '../vitest-report.ts';

/** All controls together are one proof: each must have lost or doubled something. */
export function proofOfControls(
  controls: readonly Control[],
  results: ReadonlyMap<string, TrialResult>,
): Proof {
  const found = controls.flatMap(({ name }) => results.get(name) ?? []);
  const isProven = found.every(hasFailed);
  return {
    title:
      '[P-041] without replication, with new keys, deaf to notice 01000, and without a barrier the audit finds losses',
    isProven: isProven && found.length < controls.length ? undefined : isProven,
  };
}

interface Statement {
  readonly title: string;
  /** The fault whose runs prove it; if absent, all runs of all faults do. */
  readonly fault?: string;
  readonly isRight: (results: readonly TrialResult[]) => boolean;
}

const eachRun =
  (isRight: (result: TrialResult) => boolean): Statement['isRight'] =>
  (results) =>
    results.every(isRight);

const STATEMENTS: readonly Statement[] = [
  {
    title: '[P-020] 0 acknowledged movements are lost',
    isRight: eachRun(({ lost }) => lost.length === 0),
  },
  {
    title: '[P-021] 0 movements are doubled, and every held send is settled once',
    isRight: eachRun(({ doubled, wrongHolds }) => doubled.length + wrongHolds.length === 0),
  },
  {
    title: '[P-022] every card payment is credited exactly once',
    isRight: eachRun(
      ({ wrongCredits, faults }) =>
        wrongCredits.length === 0 && !faults.some((fault) => fault.startsWith('card:')),
    ),
  },
  {
    title: '[P-023] every item is redeemed at most once',
    isRight: eachRun(({ redeemedTwice }) => redeemedTwice.length === 0),
  },
  {
    title: '[P-024] the books and the hash chain are right after every fault',
    isRight: eachRun(({ areBooksRight }) => areBooksRight),
  },
  {
    title: '[P-025] no request is open for longer than 5 s',
    isRight: eachRun(({ longestOpenMs }) => longestOpenMs <= OPEN_MS_MAX),
  },
  {
    title: '[P-032] no user sees an error in a planned switchover',
    fault: 'switchover',
    isRight: eachRun(hasShownNoError),
  },
  {
    title: '[P-037] no user sees an error when one of two API processes is killed',
    fault: 'kill-api',
    isRight: eachRun(hasShownNoError),
  },
  {
    title:
      '[P-053] both API processes behind HAProxy are replaced under load, and no request fails',
    fault: 'roll',
    isRight: eachRun((result) => failedRequestCount(result) === 0),
  },
  {
    title: '[P-038] jobs of a killed worker run on another within 25 s',
    fault: 'kill-worker',
    isRight: eachRun(({ faults }) => faults.length === 0),
  },
  {
    title: '[P-039] a job that runs twice moves no value twice',
    fault: 'kill-worker',
    isRight: eachRun(
      ({ doubled, wrongCredits, wrongHolds }) =>
        doubled.length + wrongCredits.length + wrongHolds.length === 0,
    ),
  },
  {
    title: `[P-040] 10 s after a fault of a database, p99 is at most twice its value before, or ${P99_NOISE_MS} ms`,
    isRight: (results) =>
      DATABASE_FAULTS.every(({ name }) =>
        isCalmAgain(results.filter(({ fault }) => fault === name)),
      ),
  },
];

/**
 * The statement of the row that the fault's outage proves. It also needs that the run's own checks found nothing: writes that were never
 * away say nothing about a fault that did not happen.
 */
function statementsOf(fault: Fault): Statement[] {
  const { proves, name, what, outageMsMax, mustRefuse = false } = fault;
  if (proves === undefined) return [];
  return [
    {
      title: `${proves} ${what}: ${mustRefuse ? 'requests are refused with 503 alone, and ' : ''}writes are back within ${outageMsMax / 1000} s`,
      fault: name,
      isRight: eachRun(
        (result) =>
          result.outageMs <= outageMsMax &&
          result.answers['500'] === undefined &&
          wrongRefusals(fault, result).length === 0 &&
          result.faults.length === 0,
      ),
    },
  ];
}

export function proofsOf(faults: readonly Fault[], results: readonly TrialResult[]): Proof[] {
  const runsOf = (name: string) => results.filter(({ fault }) => fault === name);
  const hasEnoughRuns = (names: readonly string[]): boolean =>
    names.every((name) => runsOf(name).length >= RUNS_MIN);
  const prove = ({ title, fault, isRight }: Statement): Proof => {
    const isProven = isRight(fault === undefined ? results : runsOf(fault));
    const needed = fault === undefined ? faults.map(({ name }) => name) : [fault];
    return { title, isProven: isProven && !hasEnoughRuns(needed) ? undefined : isProven };
  };
  return [
    {
      title:
        '[P-017] 3 database nodes, 3 of etcd, two kinds of HAProxy, 2 API and 2 worker processes are up',
      isProven: true,
    },
    ...[...STATEMENTS, ...faults.flatMap(statementsOf)].map(prove),
  ];
}

/** Whether each intent was answered by its first request or the wallet's one repeat. */
function hasShownNoError({ userErrorCount, answers, faults }: TrialResult): boolean {
  return userErrorCount === 0 && answers['500'] === undefined && faults.length === 0;
}
