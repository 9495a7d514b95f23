import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addCounts, describeCounts, readPlaywrightCounts, readVitestCounts } from './counts.ts';

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'athos-counts-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

function report(content: unknown): string {
  const file = join(dir, 'report.json');
  writeFileSync(file, JSON.stringify(content));
  return file;
}

const vitestReport = { numPassedTests: 5, numFailedTests: 0, numPendingTests: 2, numTodoTests: 1 };

it("reads Vitest's counts", () => {
  expect(readVitestCounts(report(vitestReport), true)).toEqual({
    passedCount: 5,
    failedCount: 0,
    skippedCount: 3,
  });
});

it('counts a flaky Playwright test as failed', () => {
  const stats = { expected: 4, unexpected: 1, flaky: 2, skipped: 3 };
  expect(readPlaywrightCounts(report({ stats }), false)).toEqual({
    passedCount: 4,
    failedCount: 3,
    skippedCount: 3,
  });
});

it('counts a run that fails without a failed test, or without a report, as one failure', () => {
  expect(readVitestCounts(report(vitestReport), false).failedCount).toBe(1);
  expect(readVitestCounts(join(dir, 'missing.json'), false).failedCount).toBe(1);
  expect(readPlaywrightCounts(join(dir, 'missing.json'), false).failedCount).toBe(1);
});

it('adds up counts and formats the line that programs parse', () => {
  const one = { passedCount: 1, failedCount: 2, skippedCount: 3 };
  expect(describeCounts(addCounts([one, one]))).toBe('2 passed, 4 failed, 6 skipped');
});
