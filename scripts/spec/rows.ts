import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../start/paths.ts';

const dir = join(root, 'docs/spec');

/** One testable fact of the specification. */
export interface SpecRow {
  readonly id: string;
  readonly section: string;
  readonly where: string;
  readonly statement: string;
  /** Empty, `later`, `rule`, or `=` followed by the id of the row that states the same fact. */
  readonly note: string;
  /** The file that holds the row. */
  readonly list: string;
}

/** A row that no test can prove without a real device. */
export interface UntestableRow {
  readonly id: string;
  readonly reason: string;
  /** What was checked instead. */
  readonly checkedInstead: string;
}

export interface SpecLists {
  readonly rows: readonly SpecRow[];
  readonly untestable: readonly UntestableRow[];
  /** The sections whose rows must be proven. */
  readonly dueSections: readonly string[];
}

/** Reads every `rows*.tsv` of docs/spec, `rows.tsv` first. */
export function readSpecLists(): SpecLists {
  const read = (name: string) => readFileSync(join(dir, name), 'utf8');
  return {
    rows: globSync('rows*.tsv', { cwd: dir })
      .map((file) => file.replace('.tsv', ''))
      .sort()
      .flatMap((name) => parseRows(read(`${name}.tsv`), `${name}.tsv`)),
    untestable: parseUntestable(read('untestable.tsv')),
    dueSections: parseDueSections(read('due.txt')),
  };
}

export function parseRows(text: string, list: string): readonly SpecRow[] {
  return parseTable(text).map(([id = '', section = '', where = '', statement = '', note = '']) => ({
    id,
    section,
    where,
    statement,
    note,
    list,
  }));
}

export function parseUntestable(text: string): readonly UntestableRow[] {
  return parseTable(text).map(([id = '', reason = '', checkedInstead = '']) => ({
    id,
    reason,
    checkedInstead,
  }));
}

export function parseDueSections(text: string): readonly string[] {
  return text.split(/\s+/).filter((section) => section !== '');
}

/** Parses tab-separated values below a header line. */
function parseTable(text: string): readonly (readonly string[])[] {
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.slice(1).map((line) => line.split('\t'));
}
