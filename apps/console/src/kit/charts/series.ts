/** The data of a chart: places along its axis, such as days, and a value of each series at each place. */

export interface Series {
  readonly label: string;
  /** The drawn values; `undefined` leaves a gap. */
  readonly values: readonly (number | undefined)[];
  /** The values for people: `1,204.00 ATH`. */
  readonly texts: readonly string[];
  /** The values for programs: `1204`. */
  readonly raws: readonly string[];
}

/** The same numbers as rows and columns. */
export interface ChartTable {
  /** The heading of the row labels: `Day`. */
  readonly rowLabel: string;
  readonly rows: readonly string[];
  readonly columns: readonly Pick<Series, 'label' | 'texts' | 'raws'>[];
}

/** `12 Nov 2026: Bought 1,204.00 ATH, Spent 96.00 ATH`. */
export const spokenRows = ({ rows, columns }: ChartTable): string[] =>
  rows.map((row, index) => {
    const parts = columns.map(({ label, texts }) => `${label} ${texts[index] ?? ''}`);
    return `${row}: ${parts.join(', ')}`;
  });

/** A spreadsheet would treat a cell with this beginning as a formula. A negative number is safe. */
const isFormula = (cell: string): boolean =>
  /^[=+\-@\t\r]/.test(cell) && !/^-?\d+(\.\d+)?$/.test(cell);

function csvCell(text: string): string {
  const safe = isFormula(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function csvOf({ rowLabel, rows, columns }: ChartTable): string {
  const lines = [
    [rowLabel, ...columns.map(({ label }) => label)],
    ...rows.map((row, index) => [row, ...columns.map(({ raws }) => raws[index] ?? '')]),
  ];
  return lines.map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('');
}

/** Distinguishes the series of a chart by colour, and by a pattern for people who cannot see the colour. */
const INKS = ['text-accent', 'text-info', 'text-success', 'text-ink-quiet', 'text-danger'] as const;
export const inkOf = (index: number): string => INKS[index % INKS.length] ?? INKS[0];

const DASHES = [undefined, '7 4', '2 3', '10 3 2 3', '4 2'] as const;
export const dashOf = (index: number): string | undefined => DASHES[index % DASHES.length];
