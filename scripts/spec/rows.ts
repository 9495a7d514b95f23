import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../start/paths.ts';

/** One assertable fact of the specification. */
export interface SpecRow {
  readonly id: string;
  readonly section: string;
  readonly where: string;
  readonly statement: string;
  /** Empty, `later`, `rule`, or `=` with the id of the row that says the same. */
  readonly note: string;
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
}

export function readSpecLists(): SpecLists {
  return {
    rows: parseRows(readFileSync(join(root, 'docs/spec/rows.tsv'), 'utf8')),
    untestable: parseUntestable(readFileSync(join(root, 'docs/spec/untestable.tsv'), 'utf8')),
  };
}

export function parseRows(text: string): readonly SpecRow[] {
  return parseTable(text).map(([id = '', section = '', where = '', statement = '', note = '']) => ({
    id,
    section,
    where,
    statement,
    note,
  }));
}

export function parseUntestable(text: string): readonly UntestableRow[] {
  return parseTable(text).map(([id = '', reason = '', checkedInstead = '']) => ({
    id,
    reason,
    checkedInstead,
  }));
}

/** Tab-separated values below one line of column names. */
function parseTable(text: string): readonly (readonly string[])[] {
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.slice(1).map((line) => line.split('\t'));
}
