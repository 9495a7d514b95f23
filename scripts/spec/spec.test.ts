import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeInOneLine, describeProof } from './describe.ts';
import { isComplete, proveSpec, type RowVerdict } from './prove.ts';
import { parseRows, parseUntestable, readSpecLists } from './rows.ts';
import { readPlaywrightResults, readVitestResults, type TestResult } from './test-results.ts';

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'athos-spec-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

function report(content: unknown): string {
  const file = join(dir, 'report.json');
  writeFileSync(file, JSON.stringify(content));
  return file;
}

// Written in two parts: this file's own titles and texts must not cite rows.
const cite = (id: string, words = 'is so') => `[${id}] ${words}`;

function test(title: string, outcome: TestResult['outcome'] = 'passed'): TestResult {
  return { title, file: 'some.test.ts', outcome };
}

function lists(rows: readonly (readonly [id: string, note: string])[], untestable = '') {
  const lines = rows.map(([id, note]) => `${id}\tS1\t/app\tShow ${id}.\t${note}\n`);
  return {
    rows: parseRows(`id\tsection\twhere\tstatement\tnote\n${lines.join('')}`),
    untestable: parseUntestable(`id\treason\tchecked instead\n${untestable}`),
  };
}

function stateOf(verdicts: readonly RowVerdict[]): Readonly<Record<string, string>> {
  return Object.fromEntries(verdicts.map(({ row, state }) => [row.id, state]));
}

describe('the reports', () => {
  it('takes the final title of every test of Vitest', () => {
    const assertionResults = [
      { fullName: 'a group passes', status: 'passed' },
      { fullName: 'a group fails', status: 'failed' },
      { fullName: 'a group is left out', status: 'pending' },
      { fullName: 'a group is planned', status: 'todo' },
    ];
    const file = report({ testResults: [{ name: 'one.test.ts', assertionResults }] });
    expect(readVitestResults(file)).toEqual([
      { title: 'a group passes', file: 'one.test.ts', outcome: 'passed' },
      { title: 'a group fails', file: 'one.test.ts', outcome: 'failed' },
      { title: 'a group is left out', file: 'one.test.ts', outcome: 'skipped' },
      { title: 'a group is planned', file: 'one.test.ts', outcome: 'skipped' },
    ]);
  });

  it('takes every test of Playwright with its groups, and a flaky one as failed', () => {
    const spec = (title: string, status: string) => ({
      title,
      file: 'one.e2e.ts',
      tests: [{ status }],
    });
    const inner = {
      title: 'a group',
      file: 'one.e2e.ts',
      specs: [spec('fails', 'unexpected'), spec('is flaky', 'flaky'), spec('is out', 'skipped')],
    };
    const outer = {
      title: 'one.e2e.ts',
      file: 'one.e2e.ts',
      specs: [spec('passes', 'expected')],
      suites: [inner],
    };
    expect(readPlaywrightResults(report({ suites: [outer] }))).toEqual([
      { title: 'passes', file: 'e2e/one.e2e.ts', outcome: 'passed' },
      { title: 'a group fails', file: 'e2e/one.e2e.ts', outcome: 'failed' },
      { title: 'a group is flaky', file: 'e2e/one.e2e.ts', outcome: 'failed' },
      { title: 'a group is out', file: 'e2e/one.e2e.ts', outcome: 'skipped' },
    ]);
  });

  it('knows that there is no report', () => {
    expect(readVitestResults(join(dir, 'missing.json'))).toBeUndefined();
    expect(readPlaywrightResults(join(dir, 'missing.json'))).toBeUndefined();
  });
});

describe('a row', () => {
  it('is proven by a passing test that cites it in brackets, alone or among others', () => {
    const spec = lists([
      ['S1-001', ''],
      ['S1-002', ''],
      ['S1-003', ''],
    ]);
    const { verdicts } = proveSpec(spec, [
      test(`${cite('S1-001')} ${cite('S1-002')}`),
      test('tells of S1-003'),
    ]);
    expect(stateOf(verdicts)).toEqual({
      'S1-001': 'proven',
      'S1-002': 'proven',
      'S1-003': 'not cited',
    });
  });

  it('is failing when one test passes and another fails', () => {
    const results = [test(cite('S1-001')), test(cite('S1-001', 'fails'), 'failed')];
    const { verdicts } = proveSpec(lists([['S1-001', '']]), results);
    expect(verdicts[0]).toMatchObject({
      state: 'failing',
      why: [`failed in some.test.ts: ${cite('S1-001', 'fails')}`],
    });
  });

  it('is not cited when only skipped tests name it', () => {
    const { verdicts } = proveSpec(lists([['S1-001', '']]), [test(cite('S1-001'), 'skipped')]);
    expect(stateOf(verdicts)).toEqual({ 'S1-001': 'not cited' });
  });

  it('marked as said by another row has that verdict, unless it is cited itself', () => {
    const spec = lists([
      ['S1-001', ''],
      ['S1-002', '=S1-001'],
      ['S1-003', '=S1-002'],
      ['S1-004', '=S1-001'],
    ]);
    const results = [test(cite('S1-001')), test(cite('S1-004'), 'failed')];
    expect(stateOf(proveSpec(spec, results).verdicts)).toEqual({
      'S1-001': 'proven',
      'S1-002': 'proven',
      'S1-003': 'proven',
      'S1-004': 'failing',
    });
  });

  it('marked as said by a row that is not proven is not proven', () => {
    const spec = lists([
      ['S1-001', ''],
      ['S1-002', '=S1-001'],
    ]);
    expect(isComplete(proveSpec(spec, []))).toBe(false);
    expect(stateOf(proveSpec(spec, []).verdicts)['S1-002']).toBe('not cited');
  });

  it('needs no test when it is for later, a rule, or listed as untestable', () => {
    const spec = lists(
      [
        ['S1-001', 'later'],
        ['S1-002', 'rule'],
        ['S1-003', ''],
      ],
      'S1-003\tIt needs an iPhone.\tThe setting of the splash.\n',
    );
    const proof = proveSpec(spec, []);
    expect(stateOf(proof.verdicts)).toEqual({
      'S1-001': 'exempt',
      'S1-002': 'exempt',
      'S1-003': 'untestable',
    });
    expect(isComplete(proof)).toBe(true);
  });
});

describe('a fault', () => {
  const oneRow = lists([['S1-001', '']]);
  const passing = [test(cite('S1-001'))];
  const untestableRows = Array.from({ length: 10 }, (_, index) => `S1-00${index}`);

  it.each([
    ['a citation of no row', oneRow, [...passing, test(cite('S1-999'))], 'S1-999 is no row'],
    [
      'two rows of one id',
      lists([
        ['S1-001', ''],
        ['S1-001', ''],
      ]),
      passing,
      'Two rows have the same id.',
    ],
    ['a mark that means nothing', lists([['S1-001', 'soon']]), passing, 'is marked "soon"'],
    ['a mark of no row', lists([['S1-001', '=S1-777']]), passing, 'is marked "=S1-777"'],
    ['an empty list', lists([]), [], 'The list of rows is empty.'],
    [
      'an untestable row without what was checked',
      lists([['S1-001', '']], 'S1-001\tA device.\t\n'),
      [],
      'without the reason or what was checked instead',
    ],
    [
      'an untestable row that a test proves',
      lists([['S1-001', '']], 'S1-001\tA device.\tThe setting.\n'),
      passing,
      'take it off the untestable',
    ],
    [
      'an untestable row that is none',
      lists([['S1-001', '']], 'S1-002\tA device.\tThe setting.\n'),
      passing,
      'S1-002, listed as untestable, is no row.',
    ],
    [
      'ten untestable rows',
      lists(
        untestableRows.map((id) => [id, '']),
        untestableRows.map((id) => `${id}\tA device.\tThe setting.\n`).join(''),
      ),
      [],
      '10 rows are listed as untestable; at most 9 may be.',
    ],
  ])('is %s', (_name, spec, results, sentence) => {
    const proof = proveSpec(spec, results);
    expect(proof.faults).toHaveLength(1);
    expect(proof.faults[0]).toContain(sentence);
    expect(isComplete(proof)).toBe(false);
  });
});

it('tells each section in a line, then every row that is not proven, then the sum', () => {
  const spec = lists([
    ['S1-001', ''],
    ['S1-002', ''],
    ['S1-003', 'rule'],
  ]);
  expect(describeProof(proveSpec(spec, [test(cite('S1-001'))]))).toEqual([
    'S1  1 proven, 0 failing, 1 not cited, 1 later or rules',
    '',
    'Not cited:',
    '  S1-002  /app: Show S1-002.',
    '',
    'spec: 1 proven, 0 failing, 1 not cited, 1 later or rules',
  ]);
  expect(describeInOneLine(proveSpec(spec, [test(cite('S1-999'))]))).toBe(
    'spec: 0 proven, 0 failing, 2 not cited, 1 later or rules, 1 fault',
  );
});

it('reads the 682 rows of the specification, and no fault is in the lists', () => {
  const spec = readSpecLists();
  expect(spec.rows).toHaveLength(682);
  expect(proveSpec(spec, []).faults).toEqual([]);
});
