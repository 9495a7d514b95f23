import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readLongResults, readPlaywrightResults } from '../spec/test-results.ts';
import { root } from '../start/paths.ts';
import { addCounts, describeCounts, readCounts } from './counts.ts';

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
  expect(readCounts(report(vitestReport), true)).toEqual({
    passedCount: 2,
    skippedCount: 2,
    failures: [],
  });
});

it('reads the counts of a run that left out all but the long tests, and names the failed one', () => {
  const failed = {
    ...assertion('failed', ['long']),
    ancestorTitles: ['a group'],
    failureMessages: ['\u001b[31mError: 1 is not 2\u001b[39m\n    at a.test.ts:1'],
  };
  const assertionResults = [
    assertion('skipped'),
    assertion('passed', ['long']),
    failed,
    assertion('skipped', ['long']),
  ];
  const file = report({ testResults: [{ name: join(root, 'a.test.ts'), assertionResults }] });
  expect(readCounts(file, false, readLongResults)).toEqual({
    passedCount: 1,
    skippedCount: 1,
    failures: ['a.test.ts: a group one (Error: 1 is not 2)'],
  });
});

it('counts a file that does not load as one failure', () => {
  const file = { name: 'a.test.ts', status: 'failed', message: 'no such module' };
  const testResults = [{ ...file, assertionResults: [assertion('passed')] }];
  expect(readCounts(report({ testResults }), false).failures).toEqual([
    'a.test.ts: the file itself or a hook in it (no such module)',
  ]);
});

it('counts a flaky Playwright test as failed', () => {
  const results = [{ errors: [{ message: 'no button' }] }, { errors: [] }];
  const tests = [{ status: 'expected' }, { status: 'flaky', results }, { status: 'skipped' }];
  const specs = [{ title: 'a story', file: 'a.e2e.ts', tests }];
  const suites = [{ title: 'a.e2e.ts', file: 'a.e2e.ts', specs }];
  expect(readCounts(report({ suites }), false, readPlaywrightResults)).toEqual({
    passedCount: 1,
    skippedCount: 1,
    failures: ['e2e/a.e2e.ts: a story (no button)'],
  });
});

it('counts a run that fails without a failed test, or without a report, as one failure', () => {
  const missing = join(dir, 'missing.json');
  expect(readCounts(report(vitestReport), false).failures).toEqual([
    expect.stringContaining('failed outside of its tests'),
  ]);
  expect(readCounts(missing, false).failures).toEqual([`${missing} was not written`]);
  expect(readCounts(missing, false, readPlaywrightResults).failures).toHaveLength(1);
});

it('adds up counts and formats the line that programs parse', () => {
  const one = { passedCount: 1, skippedCount: 3, failures: ['a', 'b'] };
  expect(describeCounts(addCounts([one, one]))).toBe('2 passed, 4 failed, 6 skipped');
});
