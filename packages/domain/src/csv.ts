/** CSV for spreadsheets (RFC 4180 with a byte order mark), without cells that they would treat as formulas. */

const BYTE_ORDER_MARK = '\ufeff';
const LINE_END = '\r\n';

/** Texts that spreadsheets treat as formulas, including full-width forms. A text that already looks escaped gets one more apostrophe. */
const DANGEROUS = /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
/** A plain number is not a formula, even with a sign. */
const NUMBER = /^-?\d+(?:\.\d+)?$/;

/** Names, notes and titles are written by strangers, so cells that look like formulas are escaped. */
function cellText(text: string): string {
  const safe = DANGEROUS.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A file with a header and lines. */
export const csvFile = (head: readonly string[], lines: readonly (readonly string[])[]): string =>
  BYTE_ORDER_MARK +
  [head, ...lines].map((cells) => cells.map(cellText).join(',') + LINE_END).join('');
