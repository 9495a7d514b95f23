import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { describeInOneLine, describeProof } from './describe.ts';
import { isComplete, proveSpec, type RowVerdict } from './prove.ts';
import { parseDueSections, parseRows, parseUntestable, readSpecLists } from './rows.ts';
import { beginRun, readRuns, type ProvingResult, type Sources } from './runs.ts';
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

// Assembled at run time, because the titles of this file must not cite rows.
const cite = (id: string, words = 'is so') => `[${id}] ${words}`;

function test(title: string, outcome: TestResult['outcome'] = 'passed', group = ''): ProvingResult {
  return { title, group, file: 'some.test.ts', outcome, command: 'test' };
}

type Row = readonly [id: string, note: string];

/** Lists in which only section S1 is due, unless `due` names others. */
function lists(rows: readonly Row[], untestable = '', due = 'S1') {
  const lines = rows.map(([id, note]) => {
    const section = id.startsWith('S') ? 'S1' : 'W0';
    return `${id}\t${section}\t/app\tShow ${id}.\t${note}\n`;
  });
  const header = 'id\tsection\twhere\tstatement\tnote\n';
  const isFirst = (line: string) => line.startsWith('S');
  return {
    rows: [
      ...parseRows(header + lines.filter(isFirst).join(''), 'rows.tsv'),
      ...parseRows(header + lines.filter((line) => !isFirst(line)).join(''), 'rows-wallet.tsv'),
    ],
    untestable: parseUntestable(`id\treason\tchecked instead\n${untestable}`),
    dueSections: parseDueSections(due),
  };
}

function stateOf(verdicts: readonly RowVerdict[]): Readonly<Record<string, string>> {
  return Object.fromEntries(verdicts.map(({ row, state }) => [row.id, state]));
}

describe('a report', () => {
  it("of Vitest gives every test's own title and its groups", () => {
    const ancestorTitles = ['a group', 'in it'];
    const assertionResults = [
      { ancestorTitles: [], title: 'passes', status: 'passed' },
      { ancestorTitles, title: 'fails', status: 'failed' },
      { ancestorTitles, title: 'is left out', status: 'pending' },
      { ancestorTitles, title: 'is planned', status: 'todo' },
    ];
    const file = report({ testResults: [{ name: 'one.test.ts', assertionResults }] });
    const inGroup = { group: 'a group in it', file: 'one.test.ts' };
    expect(readVitestResults(file)).toEqual([
      { title: 'passes', group: '', file: 'one.test.ts', outcome: 'passed' },
      { title: 'fails', ...inGroup, outcome: 'failed' },
      { title: 'is left out', ...inGroup, outcome: 'skipped' },
      { title: 'is planned', ...inGroup, outcome: 'skipped' },
    ]);
  });

  it('of Playwright gives the same, with flaky tests as failed', () => {
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
    const inGroup = { group: 'a group', file: 'e2e/one.e2e.ts' };
    expect(readPlaywrightResults(report({ suites: [outer] }))).toEqual([
      { title: 'passes', group: '', file: 'e2e/one.e2e.ts', outcome: 'passed' },
      { title: 'fails', ...inGroup, outcome: 'failed' },
      { title: 'is flaky', ...inGroup, outcome: 'failed' },
      { title: 'is out', ...inGroup, outcome: 'skipped' },
    ]);
  });

  it('that is missing gives nothing', () => {
    expect(readVitestResults(join(dir, 'missing.json'))).toBeUndefined();
    expect(readPlaywrightResults(join(dir, 'missing.json'))).toBeUndefined();
  });
});

describe('the runs', () => {
  let runsDir: string;
  beforeEach(() => {
    runsDir = mkdtempSync(join(dir, 'runs-'));
  });

  const vitestReport = (title: string) =>
    JSON.stringify({
      testResults: [
        {
          name: 'one.test.ts',
          assertionResults: [{ ancestorTitles: [], title, status: 'passed' }],
        },
      ],
    });
  const oldSources: Sources = { commit: 'c0ffee', isDirty: false, fingerprint: 'other' };

  it('of several commands are merged, each result with its command', () => {
    writeFileSync(beginRun('test', [], runsDir)('vitest'), vitestReport('one'));
    writeFileSync(beginRun('test:system', [], runsDir)('vitest'), vitestReport('two'));
    const { results } = readRuns(runsDir);
    expect(results.map(({ command, title }) => [command, title])).toEqual([
      ['test', 'one'],
      ['test:system', 'two'],
    ]);
  });

  it('are described by command, time and commit, with the reports they lack', () => {
    writeFileSync(beginRun('test', [], runsDir)('vitest'), vitestReport('one'));
    beginRun('test:browsers', ['-g', 'tip'], runsDir);
    const began =
      /: began at \d{4}-\d\d-\d\dT[\d:.]+Z( on [0-9a-f]{10}( with uncommitted changes)?)?/;
    const notes = readRuns(runsDir).notes.map((note) => note.replace(began, ': began'));
    // Outside a git checkout it is unknown whether the sources have changed.
    expect(notes.map((note) => note.replace(/; whether .*/, ''))).toEqual([
      'npm test: began; without results of the stories in a browser',
      'npm run test:system: has not run',
      'npm run test:browsers -g tip: began; without results of the stories in a browser',
      'npm run test:cluster: has not run',
      'npm run test:alerts: has not run',
      'npm run test:deploy: has not run',
      'npm run test:image: has not run',
      'npm run test:compat: has not run',
      'npm run test:drill: has not run',
      'npm run bench: has not run',
    ]);
  });

  it('on other sources are reported as old, command by command', () => {
    beginRun('test', [], runsDir);
    expect(readRuns(runsDir, oldSources).notes[0]).toMatch(/OLD: the sources have changed since$/);
    expect(readRuns(runsDir, oldSources).notes[1]).toBe('npm run test:system: has not run');
    expect(readRuns(runsDir, { ...oldSources, fingerprint: undefined }).notes[0]).toMatch(
      /whether the sources have changed since is unknown$/,
    );
  });

  it('remove only the last run of their own command when they begin', () => {
    for (const command of ['test', 'test:system'] as const) {
      writeFileSync(beginRun(command, [], runsDir)('vitest'), vitestReport(command));
    }
    beginRun('test', [], runsDir);
    expect(readRuns(runsDir).results.map(({ title }) => title)).toEqual(['test:system']);
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

  it.each(['S1-001', 'W-001', 'O-001', 'P-001', 'D-001'])('may be called %s', (id) => {
    const spec = lists([[id, '']], '', 'S1 W0');
    expect(stateOf(proveSpec(spec, [test(cite(id))]).verdicts)).toEqual({ [id]: 'proven' });
  });

  it('is failing when one test passes and another fails, whichever commands ran them', () => {
    const failed = { ...test(cite('S1-001', 'fails'), 'failed'), command: 'test:system' } as const;
    const { verdicts } = proveSpec(lists([['S1-001', '']]), [test(cite('S1-001')), failed]);
    expect(verdicts[0]).toMatchObject({
      state: 'failing',
      why: [`failed in some.test.ts (test:system): ${cite('S1-001', 'fails')}`],
    });
  });

  it('is not cited when only skipped tests name it', () => {
    const { verdicts } = proveSpec(lists([['S1-001', '']]), [test(cite('S1-001'), 'skipped')]);
    expect(stateOf(verdicts)).toEqual({ 'S1-001': 'not cited' });
  });

  it('is not cited when only the title of a group names it', () => {
    const result = test('is so', 'passed', cite('S1-001', 'a group'));
    const { verdicts } = proveSpec(lists([['S1-001', '']]), [result]);
    expect(stateOf(verdicts)).toEqual({ 'S1-001': 'not cited' });
  });

  it('that repeats another row takes its verdict, unless a test cites it directly', () => {
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

  it.each([
    ['not proven', 'S1-001'],
    ['not due', 'W-001'],
  ])('marked as said by a row that is %s is not proven', (_, target) => {
    const proof = proveSpec(
      lists([
        [target, ''],
        ['S1-002', `=${target}`],
      ]),
      [],
    );
    expect(isComplete(proof)).toBe(false);
    expect(stateOf(proof.verdicts)['S1-002']).toBe('not cited');
  });

  it('needs no test if it is marked `later` or `rule`, or listed as untestable', () => {
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

describe('a row of a section that is not due', () => {
  const spec = lists([
    ['S1-001', ''],
    ['W-001', ''],
    ['W-002', ''],
  ]);

  it('needs no proof', () => {
    const proof = proveSpec(spec, [test(cite('S1-001'))]);
    expect(stateOf(proof.verdicts)).toMatchObject({ 'W-001': 'not due', 'W-002': 'not due' });
    expect(isComplete(proof)).toBe(true);
  });

  it('may be proven early, but must not fail', () => {
    const proof = proveSpec(spec, [test(cite('S1-001')), test(cite('W-001'))]);
    expect(stateOf(proof.verdicts)).toMatchObject({ 'W-001': 'proven', 'W-002': 'not due' });
    expect(isComplete(proof)).toBe(true);
    const failing = proveSpec(spec, [test(cite('S1-001')), test(cite('W-001'), 'failed')]);
    expect(isComplete(failing)).toBe(false);
  });

  it('needs proof once the section is listed as due', () => {
    const proof = proveSpec({ ...spec, dueSections: ['S1', 'W0'] }, [test(cite('S1-001'))]);
    expect(stateOf(proof.verdicts)).toMatchObject({ 'W-001': 'not cited', 'W-002': 'not cited' });
    expect(isComplete(proof)).toBe(false);
  });
});

describe('a fault', () => {
  const oneRow = lists([['S1-001', '']]);
  const passing = [test(cite('S1-001'))];
  const untestableRows = Array.from({ length: 10 }, (_, index) => `S1-00${index}`);

  it.each([
    ['a citation of no row', oneRow, [...passing, test(cite('S1-999'))], 'S1-999 is no row'],
    [
      'a citation in the title of a group',
      oneRow,
      [...passing, test('is so', 'passed', cite('S1-001'))],
      'S1-001 stands in the title of a group in some.test.ts',
    ],
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
    ['an empty list', lists([], '', ''), [], 'The list of rows is empty.'],
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
    [
      'a due section without rows',
      lists([['S1-001', '']], '', 'S1 S2'),
      passing,
      'S2 is named in due.txt, but no row is in it.',
    ],
    [
      'a section that is proven in full and not named as due',
      lists([
        ['S1-001', ''],
        ['W-001', ''],
        ['W-002', 'later'],
      ]),
      [...passing, test(cite('W-001'))],
      'W0 is proven in full: name it in due.txt.',
    ],
  ])('is %s', (_name, spec, results, sentence) => {
    const proof = proveSpec(spec, results);
    expect(proof.faults).toHaveLength(1);
    expect(proof.faults[0]).toContain(sentence);
    expect(isComplete(proof)).toBe(false);
  });
});

it('describes each list by section, then every unproven row, then the totals', () => {
  const spec = lists([
    ['S1-001', ''],
    ['S1-002', ''],
    ['S1-003', 'rule'],
    ['W-001', ''],
  ]);
  expect(describeProof(proveSpec(spec, [test(cite('S1-001'))]))).toEqual([
    'rows.tsv:',
    '  S1  1 proven, 0 failing, 1 not cited, 1 later or rules',
    'rows-wallet.tsv: 1 not due',
    '',
    'Not cited:',
    '  S1-002  /app: Show S1-002.',
    '',
    'spec: 1 proven, 0 failing, 1 not cited, 1 later or rules, 1 not due',
  ]);
  expect(describeInOneLine(proveSpec(spec, [test(cite('S1-999'))]))).toBe(
    'spec: 0 proven, 0 failing, 2 not cited, 1 later or rules, 1 not due, 1 fault',
  );
});

it('reads every list of the specification and finds no faults', () => {
  const spec = readSpecLists();
  const counts = Map.groupBy(spec.rows, ({ list }) => list);
  expect([...counts].map(([list, rows]) => [list, rows.length])).toEqual([
    ['rows.tsv', 682],
    ['rows-console.tsv', 170],
    ['rows-operations.tsv', 78],
    ['rows-wallet.tsv', 179],
  ]);
  expect(proveSpec(spec, []).faults).toEqual([]);
});
