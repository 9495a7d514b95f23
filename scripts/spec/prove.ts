import type { SpecLists, SpecRow, UntestableRow } from './rows.ts';
import type { ProvingResult } from './runs.ts';

/** Fewer than ten rows may go without a test. */
const UNTESTABLE_COUNT_MAX = 9;

/** Only an id in brackets is a citation: a title may mention a row without proving it. */
const CITATION = /\[((?:S\d|[DOPW])-\d{3})\]/g;

export type RowState = 'proven' | 'failing' | 'not cited' | 'untestable' | 'exempt' | 'not due';

export interface RowVerdict {
  readonly row: SpecRow;
  readonly state: RowState;
  /** The failed tests of a failing row, the reason for an untestable one, or the skipped tests of one not cited. */
  readonly why: readonly string[];
}

export interface SpecProof {
  readonly verdicts: readonly RowVerdict[];
  /** Mistakes in the lists or in the citations themselves. */
  readonly faults: readonly string[];
}

/**
 * Judges every row by the tests that cite it. One failed test makes a row failing, however many pass; a skipped test
 * proves nothing. A row marked `=S…` takes the verdict of that row, unless a test cites it by its own id. A row of a
 * section that is not due yet needs no proof, but must not fail.
 */
export function proveSpec(lists: SpecLists, results: readonly ProvingResult[]): SpecProof {
  const citing = collectCitations(results);
  const known = new Map(lists.rows.map((row) => [row.id, row]));
  const untestable = new Map(lists.untestable.map((entry) => [entry.id, entry]));
  const due = new Set(lists.dueSections);
  const judge = (row: SpecRow, asked: readonly string[] = []): RowVerdict => {
    const own =
      judgeByTests(row, citing.get(row.id) ?? []) ??
      (due.has(row.section)
        ? judgeUncited(row, citing.get(row.id) ?? [], untestable.get(row.id))
        : ({ row, state: 'not due', why: [] } as const));
    const target = known.get(row.note.slice(1));
    const isSaidElsewhere = row.note.startsWith('=') && own.state === 'not cited';
    if (!isSaidElsewhere || target === undefined || asked.includes(row.id)) return own;
    const said = judge(target, [...asked, row.id]);
    return said.state === 'not due' ? own : { ...said, row };
  };
  const verdicts = lists.rows.map((row) => judge(row));
  const faults = [
    ...findListFaults(lists),
    ...findCitationFaults(known, citing, results),
    ...findUntestableFaults(lists.untestable, verdicts),
    ...findDueFaults(lists.dueSections, verdicts),
  ];
  return { verdicts, faults };
}

export function isComplete(proof: SpecProof): boolean {
  const isUnproven = ({ state }: RowVerdict) => state === 'failing' || state === 'not cited';
  return proof.faults.length === 0 && !proof.verdicts.some(isUnproven);
}

type Citations = ReadonlyMap<string, readonly ProvingResult[]>;

function collectCitations(results: readonly ProvingResult[]): Citations {
  const citing = new Map<string, ProvingResult[]>();
  for (const result of results) {
    for (const id of citedIn(result.title)) citing.set(id, [...(citing.get(id) ?? []), result]);
  }
  return citing;
}

function citedIn(title: string): ReadonlySet<string> {
  return new Set([...title.matchAll(CITATION)].map(([, id = '']) => id));
}

function describeTests(
  tests: readonly ProvingResult[],
  outcome: ProvingResult['outcome'],
): readonly string[] {
  return tests
    .filter((test) => test.outcome === outcome)
    .map(({ command, file, title }) => `${outcome} in ${file} (${command}): ${title}`);
}

/** Returns undefined if no test that ran cites the row. */
function judgeByTests(row: SpecRow, tests: readonly ProvingResult[]): RowVerdict | undefined {
  const failed = describeTests(tests, 'failed');
  if (failed.length > 0) return { row, state: 'failing', why: failed };
  if (tests.some(({ outcome }) => outcome === 'passed')) return { row, state: 'proven', why: [] };
  return undefined;
}

function judgeUncited(
  row: SpecRow,
  tests: readonly ProvingResult[],
  untestable: UntestableRow | undefined,
): RowVerdict {
  if (untestable !== undefined) {
    const why = `${untestable.reason} Checked instead: ${untestable.checkedInstead}`;
    return { row, state: 'untestable', why: [why] };
  }
  if (isExempt(row)) return { row, state: 'exempt', why: [] };
  return { row, state: 'not cited', why: describeTests(tests, 'skipped') };
}

const isExempt = ({ note }: SpecRow): boolean => note === 'later' || note === 'rule';

const faultIf = (isFault: boolean, sentence: string): readonly string[] =>
  isFault ? [sentence] : [];

function findListFaults({ rows }: SpecLists): readonly string[] {
  const ids = new Set(rows.map(({ id }) => id));
  return [
    ...faultIf(ids.size === 0, 'The list of rows is empty.'),
    ...faultIf(ids.size < rows.length, 'Two rows have the same id.'),
    ...rows.flatMap(({ id, note }) =>
      faultIf(
        note.startsWith('=') ? !ids.has(note.slice(1)) : !['', 'later', 'rule'].includes(note),
        `${id} is marked "${note}", which is neither later, rule nor = with the id of another row.`,
      ),
    ),
  ];
}

function findCitationFaults(
  known: ReadonlyMap<string, SpecRow>,
  citing: Citations,
  results: readonly ProvingResult[],
): readonly string[] {
  const inGroups = new Map(
    results.flatMap(({ group, file }) => [...citedIn(group)].map((id) => [id, file] as const)),
  );
  return [
    ...[...citing].flatMap(([id, [first]]) =>
      faultIf(!known.has(id), `${id} is no row of the specification; cited in ${first?.file}.`),
    ),
    ...[...inGroups].map(
      ([id, file]) =>
        `${id} stands in the title of a group in ${file}, where it proves nothing: put it into the titles of the tests.`,
    ),
  ];
}

function findUntestableFaults(
  untestable: readonly UntestableRow[],
  verdicts: readonly RowVerdict[],
): readonly string[] {
  const states = new Map(verdicts.map(({ row, state }) => [row.id, state]));
  return [
    ...untestable.flatMap((entry) => [
      ...faultIf(!states.has(entry.id), `${entry.id}, listed as untestable, is no row.`),
      ...faultIf(
        entry.reason === '' || entry.checkedInstead === '',
        `${entry.id} is listed as untestable without the reason or what was checked instead.`,
      ),
      ...faultIf(
        states.get(entry.id) === 'proven',
        `${entry.id} is proven by a test: take it off the untestable.`,
      ),
    ]),
    ...faultIf(
      untestable.length > UNTESTABLE_COUNT_MAX,
      `${untestable.length} rows are listed as untestable; at most ${UNTESTABLE_COUNT_MAX} may be.`,
    ),
  ];
}

/** A fully proven section must be listed as due, so that it stays proven. */
function findDueFaults(
  dueSections: readonly string[],
  verdicts: readonly RowVerdict[],
): readonly string[] {
  const due = new Set(dueSections);
  const sections = Map.groupBy(verdicts, ({ row }) => row.section);
  return [
    ...dueSections.flatMap((section) =>
      faultIf(!sections.has(section), `${section} is named in due.txt, but no row is in it.`),
    ),
    ...[...sections].flatMap(([section, ofSection]) => {
      const wanted = ofSection.filter(({ row }) => !isExempt(row));
      const isProven = wanted.length > 0 && wanted.every(({ state }) => state === 'proven');
      return faultIf(
        isProven && !due.has(section),
        `${section} is proven in full: name it in due.txt.`,
      );
    }),
  ];
}
