/** CSV that spreadsheets can open: RFC 4180 with a byte order mark, in which no cell is taken for a formula. */
import { stringify } from 'csv-stringify/sync';

/** An exact number as text. It is never a formula, even with a minus in front. */
export interface NumberCell {
  readonly number: string;
}

export type Cell = string | NumberCell | null;

const BYTE_ORDER_MARK = '\ufeff';

/** An escaped cell: apostrophes before a character that begins a formula in spreadsheets. */
const ESCAPED = /^'+[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/;

/** The original text of a cell that `csvLines` wrote. */
export const unescapedCell = (cell: string): string => (ESCAPED.test(cell) ? cell.slice(1) : cell);

/** A text that already looks escaped gets one more apostrophe, so that reading the file gives the same text again. */
const distinct = (cell: Cell): Cell =>
  typeof cell === 'string' && ESCAPED.test(cell) ? `'${cell}` : cell;

/**
 * Formats one line per row. A text that a spreadsheet would take for a formula gets an apostrophe: names and notes are written by
 * strangers. Every text with a line break is quoted, because otherwise the part after the break would begin a row, and maybe a formula.
 */
export const csvLines = (rows: readonly (readonly Cell[])[]): string =>
  stringify(
    rows.map((row) => row.map(distinct)),
    {
      record_delimiter: 'windows',
      escape_formulas: true,
      quoted_match: /[\r\n]/,
      cast: {
        object: (cell) => ({
          value: (cell as unknown as NumberCell).number,
          escape_formulas: false,
        }),
      },
    },
  );

export const csvHead = (columns: readonly string[]): string =>
  BYTE_ORDER_MARK + csvLines([columns]);
