import { existsSync, readFileSync } from 'node:fs';
import { readVitestResults, type TestResult } from '../spec/test-results.ts';

export interface Counts {
  readonly passedCount: number;
  readonly failedCount: number;
  readonly skippedCount: number;
}

export const noTests: Counts = { passedCount: 0, failedCount: 0, skippedCount: 0 };

/** Formats the last line of `npm test`, which programs parse. */
export function describeCounts(counts: Counts): string {
  return `${counts.passedCount} passed, ${counts.failedCount} failed, ${counts.skippedCount} skipped`;
}

export function addCounts(all: readonly Counts[]): Counts {
  return all.reduce(
    (sum, counts) => ({
      passedCount: sum.passedCount + counts.passedCount,
      failedCount: sum.failedCount + counts.failedCount,
      skippedCount: sum.skippedCount + counts.skippedCount,
    }),
    noTests,
  );
}

/** Counts the tests in Vitest's JSON report, as read by `read`. */
export function readVitestCounts(
  file: string,
  isPassed: boolean,
  read: typeof readVitestResults = readVitestResults,
): Counts {
  const results = read(file);
  if (results === undefined) return asFailed(noTests, isPassed);
  const count = (wanted: TestResult['outcome']): number =>
    results.filter(({ outcome }) => outcome === wanted).length;
  const counts = {
    passedCount: count('passed'),
    failedCount: count('failed'),
    skippedCount: count('skipped'),
  };
  return asFailed(counts, isPassed);
}

/** Counts the tests in Playwright's JSON report. A flaky test counts as failed. */
export function readPlaywrightCounts(file: string, isPassed: boolean): Counts {
  const report = readJson<{
    stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  }>(file);
  if (report === undefined) return asFailed(noTests, isPassed);
  const { expected, unexpected, flaky, skipped } = report.stats;
  const counts = {
    passedCount: expected,
    failedCount: unexpected + flaky,
    skippedCount: skipped,
  };
  return asFailed(counts, isPassed);
}

/**
 * A run can fail without a failed test: a file does not load, a setup fails, the runner crashes. It counts as one
 * failure.
 */
function asFailed(counts: Counts, isPassed: boolean): Counts {
  return !isPassed && counts.failedCount === 0 ? { ...counts, failedCount: 1 } : counts;
}

function readJson<Report>(file: string): Report | undefined {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Report) : undefined;
}
