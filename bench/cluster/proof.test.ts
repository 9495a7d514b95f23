import { expect, it } from 'vitest';
import { FAULTS } from './faults.ts';
import { canProve, readFlags } from './flags.ts';
import { rateThatLeavesRoom } from './pace.ts';
import { reportOf } from '../vitest-report.ts';
import { proofsOf } from './proof.ts';
import { faultsOfTrial, isCalmAgain } from './report.ts';
import { longestGap, type TrialResult } from './trial.ts';

const sound: TrialResult = {
  fault: 'kill-node',
  acknowledgedCount: 1_000,
  outageMs: 20_000,
  longestOpenMs: 4_900,
  longestSeenMs: 5_300,
  beforeMs: [80],
  afterMs: [150],
  slowest: [],
  userErrorCount: 3,
  answers: { 200: 1_000, 503: 40 },
  areBooksRight: true,
  lost: [],
  doubled: [],
  redeemedTwice: [],
  wrongCredits: [],
  wrongHolds: [],
  faults: [],
};
const P_026 = 'P-026';
const stateOf = (results: readonly TrialResult[], row: string): boolean | undefined => {
  const proof = proofsOf(FAULTS, results).find(({ title }) => title.startsWith(`[${row}]`));
  return proof === undefined ? expect.fail(`no ${row}`) : proof.isProven;
};

it('measures an outage to its end, also where writes never come back', () => {
  const writes = [0, 100, 4_000, 4_100].map((atMs) => ({ atMs }));
  expect(longestGap(writes, 50, 4_200)).toBe(3_900);
  expect(longestGap(writes, 50, 20_000)).toBe(15_900);
  expect(longestGap([], 0, 5_000)).toBe(5_000);
});

it('proves a row by three runs within the bound, and by no fewer', () => {
  expect(stateOf([sound, sound], P_026)).toBeUndefined();
  expect(stateOf([sound, sound, sound], P_026)).toBe(true);
  expect(stateOf([sound, sound, { ...sound, outageMs: 25_100 }], P_026)).toBe(false);
});

it('proves no row by runs whose own checks found something', () => {
  const wrong = { ...sound, faults: ['the primary has not found its disk full'] };
  expect(stateOf([sound, sound, wrong], P_026)).toBe(false);
});

it('wants refusals with 503 and no other failure while the disk of the primary is full', () => {
  const fault = FAULTS.find(({ name }) => name === 'fill-primary') ?? expect.fail('no such fault');
  const resultWith = (answers: TrialResult['answers']): TrialResult => ({
    ...sound,
    fault: fault.name,
    outageMs: 100,
    answers,
  });
  const runsWith = (answers: TrialResult['answers']) => Array(3).fill(resultWith(answers));
  expect(faultsOfTrial(fault, resultWith({ 200: 900, 503: 1 }))).toEqual([]);
  expect(stateOf(runsWith({ 200: 900, 503: 1 }), 'P-036')).toBe(true);
  for (const answers of [
    { 200: 900 },
    ...[0, 500, 502, 504].map((one) => ({ 503: 1, [one]: 1 })),
  ]) {
    expect(faultsOfTrial(fault, resultWith(answers))).not.toEqual([]);
    expect(stateOf(runsWith(answers), 'P-036')).toBe(false);
  }
});

it('fails what holds for every fault by a single run, and proves it only by all of them', () => {
  const all = FAULTS.flatMap(({ name }) => [1, 2, 3].map(() => ({ ...sound, fault: name })));
  expect(stateOf([{ ...sound, lost: ['send'] }], 'P-020')).toBe(false);
  expect(stateOf([sound], 'P-020')).toBeUndefined();
  expect(stateOf(all, 'P-020')).toBe(true);
  expect(stateOf(all, 'P-032')).toBe(false);
});

it('replaces the stored report only in a run of every fault and control, often enough', () => {
  const stores = (...words: string[]): boolean => canProve(readFlags(words));
  expect(stores()).toBe(true);
  expect(stores('--resume', 'file', '--times', '4')).toBe(true);
  expect(stores('--times', '2')).toBe(false);
  expect(stores('--fault', 'kill-node')).toBe(false);
  expect(stores('--control', 'deaf')).toBe(false);
  expect(stores('--watch')).toBe(false);
});

it('finds fault with answers 500, requests that stay open, outages and errors that are too many', () => {
  const fault = FAULTS.find(({ name }) => name === 'kill-node') ?? expect.fail('no such fault');
  const faultsOf = (change: Partial<TrialResult>) => faultsOfTrial(fault, { ...sound, ...change });
  expect(faultsOf({})).toEqual([]);
  expect(faultsOf({ answers: { 500: 1 } })).toHaveLength(1);
  expect(faultsOf({ longestOpenMs: 5_001 })).toHaveLength(1);
  expect(faultsOf({ outageMs: 25_001 })).toHaveLength(1);
  expect(faultsOfTrial({ ...fault, mayUsersSeeErrors: false }, sound)).toHaveLength(1);
});

it('lets no request fail while processes are replaced, whether or not it is repeated', () => {
  const fault = FAULTS.find(({ name }) => name === 'roll') ?? expect.fail('no such fault');
  const resultWith = (answers: TrialResult['answers']): TrialResult => ({
    ...sound,
    fault: fault.name,
    outageMs: 100,
    userErrorCount: 0,
    answers,
  });
  const runsWith = (answers: TrialResult['answers']) => Array(3).fill(resultWith(answers));
  expect(faultsOfTrial(fault, resultWith({ 200: 900 }))).toEqual([]);
  expect(stateOf(runsWith({ 200: 900 }), 'P-053')).toBe(true);
  for (const failed of [0, 502, 503]) {
    expect(faultsOfTrial(fault, resultWith({ 200: 900, [failed]: 1 }))).toHaveLength(1);
    expect(stateOf(runsWith({ 200: 900, [failed]: 1 }), 'P-053')).toBe(false);
  }
});

it('takes twice the p99 for calm, and what is too short to tell', () => {
  expect(isCalmAgain([sound])).toBe(true);
  expect(isCalmAgain([{ ...sound, afterMs: [161] }])).toBe(false);
  expect(isCalmAgain([{ ...sound, beforeMs: [10], afterMs: [90] }])).toBe(true);
});

it('judges the p99 of all runs of a fault together', () => {
  const calm = { beforeMs: Array<number>(100).fill(50), afterMs: Array<number>(100).fill(50) };
  const runsWith = (...slowMs: readonly number[]) => [
    calm,
    calm,
    { ...calm, afterMs: [...calm.afterMs, ...slowMs] },
  ];
  expect(isCalmAgain(runsWith(900, 900, 900))).toBe(true);
  expect(isCalmAgain(runsWith(900, 900, 900, 900))).toBe(false);
});

it('counts as a run of tests does', () => {
  const proofs = [true, true, false, undefined].map((isProven) => ({ title: 'a row', isProven }));
  expect(reportOf(proofs, 'bench/cluster/proof.ts')).toMatchObject({
    numPassedTests: 2,
    numFailedTests: 1,
    numPendingTests: 1,
  });
});

it('offers as much load as leaves the machine room, within bounds', () => {
  expect(rateThatLeavesRoom({ atRest: 0.1, atMost: 0.29 })).toBe(40);
  expect(rateThatLeavesRoom({ atRest: 0.1, atMost: 0.49 })).toBe(20);
  expect(rateThatLeavesRoom({ atRest: 0.7, atMost: 1 })).toBe(10);
  expect(rateThatLeavesRoom({ atRest: 1, atMost: 1 })).toBe(10);
  expect(rateThatLeavesRoom({ atRest: 0.1, atMost: 0.1 })).toBe(40);
});
