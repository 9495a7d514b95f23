/** CSV that spreadsheets open (RFC 4180 with a byte order mark), without a cell that they would take for a formula. */

const BYTE_ORDER_MARK = '\ufeff';
const LINE_END = '\r\n';

/** What spreadsheets take for the beginning of a formula, full-width forms too. A text that looks escaped already gets one apostrophe more. */
const DANGEROUS = /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
/** An exact number is no formula, with a sign too. */
const NUMBER = /^-?\d+(?:\.\d+)?$/;

/** Names, notes and titles are written by strangers. */
function cellText(text: string): string {
  const safe = DANGEROUS.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A file with a head and lines. */
export const csvFile = (head: readonly string[], lines: readonly (readonly string[])[]): string =>
  BYTE_ORDER_MARK +
  [head, ...lines].map((cells) => cells.map(cellText).join(',') + LINE_END).join('');
