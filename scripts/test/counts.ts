import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { readVitestResults, type TestResult } from '../spec/test-results.ts';
import { root } from '../start/paths.ts';

export interface Counts {
  readonly passedCount: number;
  readonly skippedCount: number;
  /** A line for each failed test, which names it and says why. */
  readonly failures: readonly string[];
}

export const noTests: Counts = { passedCount: 0, skippedCount: 0, failures: [] };

/** Formats the last line of `npm test`, which programs parse. */
export function describeCounts({ passedCount, failures, skippedCount }: Counts): string {
  return `${passedCount} passed, ${failures.length} failed, ${skippedCount} skipped`;
}

export function addCounts(all: readonly Counts[]): Counts {
  return all.reduce(
    (sum, counts) => ({
      passedCount: sum.passedCount + counts.passedCount,
      skippedCount: sum.skippedCount + counts.skippedCount,
      failures: [...sum.failures, ...counts.failures],
    }),
    noTests,
  );
}

/**
 * Counts the tests in a runner's JSON report, as read by `read`. A run can fail without a failed test: a file does not load, a setup
 * fails, the runner crashes. It counts as one failure.
 */
export function readCounts(
  file: string,
  isPassed: boolean,
  read: (file: string) => readonly TestResult[] | undefined = readVitestResults,
): Counts {
  const results = read(file);
  const having = (wanted: TestResult['outcome']): readonly TestResult[] =>
    results?.filter(({ outcome }) => outcome === wanted) ?? [];
  const failures = having('failed').map(describeFailure);
  return {
    passedCount: having('passed').length,
    skippedCount: having('skipped').length,
    failures: isPassed || failures.length > 0 ? failures : [describeFailedRun(file, results)],
  };
}

function describeFailure({ file, group, title, reason }: TestResult): string {
  const why = stripVTControlCharacters(reason ?? '').split('\n', 1)[0] ?? '';
  return `${nameOf(file)}: ${group} ${title}${why === '' ? '' : ` (${why})`}`.replace(
    / {2,}/g,
    ' ',
  );
}

const describeFailedRun = (file: string, results: readonly TestResult[] | undefined): string =>
  results === undefined
    ? `${nameOf(file)} was not written`
    : `the run behind ${nameOf(file)} failed outside of its tests; look for "Error" in what it printed`;

/** A path relative to the project, and those that are relative as they are. */
const nameOf = (file: string): string => (file.startsWith(root) ? relative(root, file) : file);
