/** The rows of docs/spec/rows-operations.tsv that a run has proven, as test results for `npm run spec`. */
import { hasFailed, type Control } from './controls.ts';
import { DATABASE_FAULTS } from './database-faults.ts';
import type { Fault } from './faults.ts';
import { isCalmAgain } from './report.ts';
import type { TrialResult } from './trial.ts';

/** A fault is proven only after this many runs. */
const RUNS_MIN = 3;

export interface Proof {
  readonly title: string;
  /** `undefined` if there were too few runs to tell. */
  readonly isProven: boolean | undefined;
}

/** The report in Vitest's format. */
export function reportOf(proofs: readonly Proof[], file = 'bench/cluster/proof.ts'): object {
  const assertionResults = proofs.map(({ title, isProven }) => ({
    ancestorTitles: [],
    title,
    status: isProven === undefined ? 'pending' : isProven ? 'passed' : 'failed',
  }));
  const count = (status: string): number =>
    assertionResults.filter((result) => result.status === status).length;
  return {
    numPassedTests: count('passed'),
    numFailedTests: count('failed'),
    numPendingTests: count('pending'),
    numTodoTests: 0,
    testResults: [{ name: file, assertionResults }],
  };
}

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

export function proofsOf(faults: readonly Fault[], results: readonly TrialResult[]): Proof[] {
  const runsOf = ({ name }: Fault) => results.filter(({ fault }) => fault === name);
  const isComplete = faults.every((fault) => runsOf(fault).length >= RUNS_MIN);
  const overAll = (title: string, isRight: (result: TrialResult) => boolean): Proof => {
    const isProven = results.every(isRight);
    return { title, isProven: isProven && !isComplete ? undefined : isProven };
  };
  const ofOne = (title: string, name: string, isRight: (result: TrialResult) => boolean): Proof => {
    const own = results.filter(({ fault }) => fault === name);
    const isProven = own.every(isRight);
    return { title, isProven: isProven && own.length < RUNS_MIN ? undefined : isProven };
  };
  return [
    {
      title:
        '[P-017] 3 database nodes, 3 of etcd, two kinds of HAProxy, 2 API and 2 worker processes are up',
      isProven: true,
    },
    overAll('[P-020] 0 acknowledged movements are lost', ({ lost }) => lost.length === 0),
    overAll('[P-021] 0 movements are doubled', ({ doubled }) => doubled.length === 0),
    overAll(
      '[P-022] every card payment is credited exactly once',
      ({ wrongCredits, faults: others }) =>
        wrongCredits.length === 0 && !others.some((fault) => fault.startsWith('card:')),
    ),
    overAll(
      '[P-023] every item is redeemed at most once',
      ({ redeemedTwice }) => redeemedTwice.length === 0,
    ),
    overAll(
      '[P-024] the books and the hash chain are right after every fault',
      (result) => result.areBooksRight,
    ),
    overAll(
      '[P-025] no request is open for longer than 5 s',
      ({ longestOpenMs }) => longestOpenMs <= 5_000,
    ),
    ...faults.flatMap(({ proves, name, what, outageMsMax }) =>
      proves === undefined
        ? []
        : ofOne(
            `${proves} ${what}: writes are back within ${outageMsMax / 1000} s`,
            name,
            ({ outageMs, answers }) => outageMs <= outageMsMax && answers['500'] === undefined,
          ),
    ),
    ofOne('[P-032] no user sees an error in a planned switchover', 'switchover', hasShownNoError),
    ofOne(
      '[P-037] no user sees an error when one of two API processes is killed',
      'kill-api',
      hasShownNoError,
    ),
    ofOne(
      '[P-038] jobs of a killed worker run on another within 25 s',
      'kill-worker',
      ({ faults: others }) => others.length === 0,
    ),
    ofOne(
      '[P-039] a job that runs twice moves no value twice',
      'kill-worker',
      ({ doubled, wrongCredits }) => doubled.length + wrongCredits.length === 0,
    ),
    overAll(
      '[P-040] 10 s after a fault of a database, p99 is at most twice its value before',
      (result) => !isOfDatabase(result) || isCalmAgain(result),
    ),
  ];
}

const isOfDatabase = ({ fault }: TrialResult): boolean =>
  DATABASE_FAULTS.some(({ name }) => name === fault);
const hasShownNoError = ({ userErrorCount }: TrialResult): boolean => userErrorCount === 0;
