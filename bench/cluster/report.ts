/** The results of a run: one line per trial, and a table of the faults. */
import type { Fault } from './faults.ts';
import type { TrialResult } from './trial.ts';

export const OPEN_MS_MAX = 5_000;
/** For some 300 requests, a p99 below this is scheduling noise of a machine that runs everything at once. */
export const P99_NOISE_MS = 100;
const SHOWN_MAX = 8;

/** Violations of the rules for all faults, and of those for this one. */
export function faultsOfTrial(fault: Fault, result: TrialResult): string[] {
  const { outageMsMax, mayUsersSeeErrors, mustAnswerAll = false } = fault;
  const failedCount = failedRequestCount(result);
  const { lost, doubled, redeemedTwice, wrongCredits, wrongHolds } = result;
  const { longestOpenMs, answers, outageMs, userErrorCount } = result;
  return [
    ...lost.map((what) => `lost: ${what}`),
    ...doubled.map((what) => `doubled: ${what}`),
    ...redeemedTwice.map((what) => `redeemed twice: ${what}`),
    ...wrongCredits.map((what) => `credited wrong: ${what}`),
    ...wrongHolds.map((what) => `held send settled wrong: ${what}`),
    ...(longestOpenMs > OPEN_MS_MAX ? [`a request was open for ${ms(longestOpenMs)}`] : []),
    ...((answers['500'] ?? 0) > 0 ? [`${answers['500']} answers 500`] : []),
    ...(outageMs > outageMsMax ? [`writes were away for ${seconds(outageMs)} s`] : []),
    ...(failedCount > 0 && mustAnswerAll ? [`${failedCount} requests failed`] : []),
    ...wrongRefusals(fault, result),
    ...(userErrorCount > 0 && !mayUsersSeeErrors ? [`${userErrorCount} users saw an error`] : []),
    ...result.faults,
  ];
}

/** What is wrong with the refusals of a fault during which requests must be refused with 503. */
export function wrongRefusals(
  { mustRefuse = false }: Pick<Fault, 'mustRefuse'>,
  result: Pick<TrialResult, 'answers'>,
): string[] {
  if (!mustRefuse) return [];
  const refusedCount = result.answers['503'] ?? 0;
  const otherCount = failedRequestCount(result) - refusedCount;
  return [
    ...(refusedCount === 0 ? ['no request was refused with 503'] : []),
    ...(otherCount > 0 ? [`${otherCount} requests failed in another way than with 503`] : []),
  ];
}

/** The number of requests without an answer, or with a 5xx. */
export const failedRequestCount = ({ answers }: Pick<TrialResult, 'answers'>): number =>
  Object.entries(answers)
    .filter(([status]) => status === '0' || status.startsWith('5'))
    .reduce((sum, [, count]) => sum + count, 0);

/**
 * Whether the p99 of all runs of a fault together is back. A single run has some 100 requests afterwards, so its p99 is that of a single
 * request.
 */
export function isCalmAgain(runs: readonly Pick<TrialResult, 'beforeMs' | 'afterMs'>[]): boolean {
  const before = p99(runs.flatMap(({ beforeMs }) => beforeMs));
  return p99(runs.flatMap(({ afterMs }) => afterMs)) <= Math.max(2 * before, P99_NOISE_MS);
}

function p99(durationsMs: readonly number[]): number {
  const slowestFirst = durationsMs.toSorted((a, b) => b - a);
  return slowestFirst[Math.floor(slowestFirst.length * 0.01)] ?? 0;
}

const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(1);
const ms = (milliseconds: number): string => `${Math.round(milliseconds)} ms`;

export function describeTrial(fault: Fault, result: TrialResult): string {
  const faults = faultsOfTrial(fault, result);
  const answers = Object.entries(result.answers).map(([status, count]) => `${count} x ${status}`);
  return [
    `${fault.what}: writes away for ${seconds(result.outageMs)} s; ${result.acknowledgedCount} acknowledged (${answers.join(', ')}); ` +
      `longest request ${ms(result.longestOpenMs)}, seen ${ms(result.longestSeenMs)}; p99 ${ms(p99(result.beforeMs))} before, ${ms(p99(result.afterMs))} after; ` +
      `${result.userErrorCount} errors shown`,
    ...(isCalmAgain([result]) ? [] : [`  still slow: ${result.slowest.join(', ')}`]),
    ...faults.slice(0, SHOWN_MAX).map((words) => `  ${words}`),
    ...(faults.length > SHOWN_MAX ? [`  and ${faults.length - SHOWN_MAX} more`] : []),
  ].join('\n');
}

export function describeTable(faults: readonly Fault[], results: readonly TrialResult[]): string {
  const rows = faults.map(({ name, what, outageMsMax }) => {
    const own = results.filter(({ fault }) => fault === name);
    const outages = own.map(({ outageMs }) => outageMs);
    return [
      what,
      outages.map(seconds).join(', '),
      seconds(Math.max(...outages)),
      seconds(outageMsMax),
      String(own.reduce((sum, { lost }) => sum + lost.length, 0)),
      String(own.reduce((sum, { doubled }) => sum + doubled.length, 0)),
    ];
  });
  return alignColumns([['fault', 'outages, s', 'worst', 'bound', 'lost', 'doubled'], ...rows]);
}

function alignColumns(rows: readonly (readonly string[])[]): string {
  const widths = rows.reduce<number[]>(
    (known, row) => row.map((cell, index) => Math.max(known[index] ?? 0, cell.length)),
    [],
  );
  return rows
    .map((row) =>
      row
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
