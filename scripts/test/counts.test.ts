import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readLongResults } from '../spec/test-results.ts';
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

const assertion = (status: string, tags: readonly string[] = []) => ({
  ancestorTitles: [],
  title: 'one',
  status,
  tags,
});
const vitestReport = {
  testResults: [
    { name: 'a.test.ts', assertionResults: ['passed', 'skipped', 'todo'].map((s) => assertion(s)) },
    { name: 'b.test.ts', assertionResults: [assertion('passed'), assertion('skipped', ['long'])] },
  ],
};

it("reads Vitest's counts, without the long tests that were left out", () => {
  expect(readVitestCounts(report(vitestReport), true)).toEqual({
    passedCount: 2,
    failedCount: 0,
    skippedCount: 2,
  });
});

it('reads the counts of a run that left out all but the long tests', () => {
  const assertionResults = [
    assertion('skipped'),
    assertion('passed', ['long']),
    assertion('failed', ['long']),
    assertion('skipped', ['long']),
  ];
  const file = report({ testResults: [{ name: 'a.test.ts', assertionResults }] });
  expect(readVitestCounts(file, false, readLongResults)).toEqual({
    passedCount: 1,
    failedCount: 1,
    skippedCount: 1,
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
