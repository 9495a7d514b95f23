/** CSV that spreadsheets open: RFC 4180 with a byte order mark, and no cell of it a formula. */
import { stringify } from 'csv-stringify/sync';

/** An exact number as text. It is never a formula, even with a minus in front. */
export interface NumberCell {
  readonly number: string;
}

export type Cell = string | NumberCell | null;

const BYTE_ORDER_MARK = '\ufeff';

/**
 * One line each. A text that a spreadsheet would take for a formula gets an apostrophe: names and notes are written by strangers.
 */
export const csvLines = (rows: readonly (readonly Cell[])[]): string =>
  stringify(
    rows.map((row) => [...row]),
    {
      record_delimiter: 'windows',
      escape_formulas: true,
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
