/** Reads an uploaded CSV file: text in UTF-8, a header of known columns, and a bounded number of rows. */
import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { AppError } from '../../../platform/errors.ts';
import { unescapedCell } from '../../../platform/files/csv.ts';

export interface CsvRow {
  /** The number of the row as spreadsheets show it. */
  readonly row: number;
  /** The cells by column. Columns that the file does not have are absent. */
  readonly cells: ReadonlyMap<string, string>;
  /** Whether the row has more or fewer cells than the header. */
  readonly isRagged: boolean;
}

interface Expected {
  readonly columns: readonly string[];
  /** Columns of the export with information about an offer, which an import ignores. */
  readonly ignored: readonly string[];
  readonly rowCountMax: number;
}

/** Far more than the length of the largest note. */
const RECORD_LENGTH_MAX = 200_000;
const CHUNK_LENGTH = 64 * 1024;

const refusal = (detail: string, cause?: unknown): AppError =>
  new AppError('invalid_csv', { detail, ...(cause !== undefined && { cause }) });

const UTF16_MARKS = ['fffe', 'feff'];

/** The text without its byte order mark. Throws `invalid_csv` for another encoding. */
function decoded(bytes: Buffer): string {
  if (UTF16_MARKS.includes(bytes.subarray(0, 2).toString('hex'))) {
    throw refusal('The file is in UTF-16. Save it as “CSV UTF-8”.');
  }
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw refusal('The file is not in UTF-8. Save it as “CSV UTF-8”.', error);
  }
  if (text.includes('\0')) throw refusal('The file holds characters that are no text.');
  return text;
}

/** Spreadsheets in many countries write semicolons. The names in the header contain neither delimiter. */
function delimiterOf(text: string): ',' | ';' {
  const [head = ''] = /^[^\r\n]*/.exec(text) ?? [];
  return !head.includes(',') && head.includes(';') ? ';' : ',';
}

/** Throws `invalid_csv` for a header that contains a column twice or an unknown column. */
function requireHeader(names: readonly string[], { columns, ignored }: Expected): void {
  const known = [...columns, ...ignored];
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const shown = unknown.slice(0, 40);
    throw refusal(
      `The first row has to name columns. “${shown}” is none of: ${columns.join(', ')}.`,
    );
  }
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw refusal(`The column ${repeated} is there twice.`);
}

function* chunksOf(text: string): Iterable<string> {
  for (let at = 0; at < text.length; at += CHUNK_LENGTH) yield text.slice(at, at + CHUNK_LENGTH);
}

/** The rows below the header, without empty ones. Throws `invalid_csv`. */
export async function readCsv(bytes: Buffer, expected: Expected): Promise<CsvRow[]> {
  const text = decoded(bytes);
  const parser = Readable.from(chunksOf(text)).compose(
    parse({
      delimiter: delimiterOf(text),
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      max_record_size: RECORD_LENGTH_MAX,
    }),
  );
  const rows: CsvRow[] = [];
  let names: readonly string[] | undefined;
  let row = 0;
  try {
    for await (const record of parser as AsyncIterable<string[]>) {
      row += 1;
      if (names === undefined) {
        names = record.map((name) => name.trim());
        requireHeader(names, expected);
        continue;
      }
      if (row > expected.rowCountMax + 1) {
        throw refusal(`The file has more than ${expected.rowCountMax} rows. Split it.`);
      }
      if (record.every((cell) => cell === '')) continue;
      const cells = names.flatMap((name, index) =>
        expected.columns.includes(name)
          ? [[name, unescapedCell(record[index] ?? '')] as const]
          : [],
      );
      rows.push({ row, cells: new Map(cells), isRagged: record.length !== names.length });
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw refusal(
      `Row ${row + 1} cannot be read: a quotation mark is missing or misplaced.`,
      error,
    );
  }
  if (rows.length === 0) throw refusal('The file has no rows below its header.');
  return rows;
}
