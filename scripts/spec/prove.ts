import type { SpecLists, SpecRow, UntestableRow } from './rows.ts';
import type { TestResult } from './test-results.ts';

/** Fewer than ten rows may go without a test. */
const UNTESTABLE_COUNT_MAX = 9;

/** Only in brackets: a title may speak of a row without proving it. */
const CITATION = /\[((?:S\d|D)-\d{3})\]/g;

export type RowState = 'proven' | 'failing' | 'not cited' | 'untestable' | 'exempt';

export interface RowVerdict {
  readonly row: SpecRow;
  readonly state: RowState;
  /** The failed tests of a failing row, the reason of an untestable one, the skipped tests of one not cited. */
  readonly why: readonly string[];
}

export interface SpecProof {
  readonly verdicts: readonly RowVerdict[];
  /** What is wrong with the lists or the citations themselves. */
  readonly faults: readonly string[];
}

/**
 * Judges every row by the tests that cite it. One failed test makes a row failing, however many pass; a skipped test
 * proves nothing. A row marked `=S…` takes the verdict of that row, unless a test cites it by its own id.
 */
export function proveSpec(lists: SpecLists, results: readonly TestResult[]): SpecProof {
  const citing = collectCitations(results);
  const known = new Map(lists.rows.map((row) => [row.id, row]));
  const untestable = new Map(lists.untestable.map((entry) => [entry.id, entry]));
  const judge = (row: SpecRow, asked: readonly string[] = []): RowVerdict => {
    const own = judgeByTests(row, citing.get(row.id) ?? [], untestable.get(row.id));
    const target = known.get(row.note.slice(1));
    const isSaidElsewhere = row.note.startsWith('=') && own.state === 'not cited';
    if (!isSaidElsewhere || target === undefined || asked.includes(row.id)) return own;
    return { ...judge(target, [...asked, row.id]), row };
  };
  const verdicts = lists.rows.map((row) => judge(row));
  return { verdicts, faults: findFaults(lists, citing, verdicts) };
}

export function isComplete(proof: SpecProof): boolean {
  const isOpen = ({ state }: RowVerdict) => state === 'failing' || state === 'not cited';
  return proof.faults.length === 0 && !proof.verdicts.some(isOpen);
}

function collectCitations(
  results: readonly TestResult[],
): ReadonlyMap<string, readonly TestResult[]> {
  const citing = new Map<string, TestResult[]>();
  for (const result of results) {
    const ids = new Set([...result.title.matchAll(CITATION)].map(([, id = '']) => id));
    for (const id of ids) citing.set(id, [...(citing.get(id) ?? []), result]);
  }
  return citing;
}

function judgeByTests(
  row: SpecRow,
  tests: readonly TestResult[],
  untestable: UntestableRow | undefined,
): RowVerdict {
  const named = (outcome: TestResult['outcome']) =>
    tests
      .filter((test) => test.outcome === outcome)
      .map(({ file, title }) => `${outcome} in ${file}: ${title}`);
  const failed = named('failed');
  if (failed.length > 0) return { row, state: 'failing', why: failed };
  if (named('passed').length > 0) return { row, state: 'proven', why: [] };
  if (untestable !== undefined) {
    const why = `${untestable.reason} Checked instead: ${untestable.checkedInstead}`;
    return { row, state: 'untestable', why: [why] };
  }
  if (row.note === 'later' || row.note === 'rule') return { row, state: 'exempt', why: [] };
  return { row, state: 'not cited', why: named('skipped') };
}

function findFaults(
  { rows, untestable }: SpecLists,
  citing: ReadonlyMap<string, readonly TestResult[]>,
  verdicts: readonly RowVerdict[],
): readonly string[] {
  const ids = new Set(rows.map(({ id }) => id));
  const provenIds = new Set(
    verdicts.filter(({ state }) => state === 'proven').map(({ row }) => row.id),
  );
  const fault = (isFault: boolean, sentence: string) => (isFault ? [sentence] : []);
  return [
    ...fault(ids.size === 0, 'The list of rows is empty.'),
    ...fault(ids.size < rows.length, 'Two rows have the same id.'),
    ...rows.flatMap(({ id, note }) =>
      fault(
        note.startsWith('=') ? !ids.has(note.slice(1)) : !['', 'later', 'rule'].includes(note),
        `${id} is marked "${note}", which is neither later, rule nor = with the id of another row.`,
      ),
    ),
    ...[...citing].flatMap(([id, [first]]) =>
      fault(!ids.has(id), `${id} is no row of the specification; cited in ${first?.file}.`),
    ),
    ...untestable.flatMap((entry) => [
      ...fault(!ids.has(entry.id), `${entry.id}, listed as untestable, is no row.`),
      ...fault(
        entry.reason === '' || entry.checkedInstead === '',
        `${entry.id} is listed as untestable without the reason or what was checked instead.`,
      ),
      ...fault(
        provenIds.has(entry.id),
        `${entry.id} is proven by a test: take it off the untestable.`,
      ),
    ]),
    ...fault(
      untestable.length > UNTESTABLE_COUNT_MAX,
      `${untestable.length} rows are listed as untestable; at most ${UNTESTABLE_COUNT_MAX} may be.`,
    ),
  ];
}
