/** Rows of the journal, read from one text with a line for each: a text and an array for every row would take twice the processor time. */

export interface JournalRow {
  readonly id: bigint;
  readonly debitAccountId: bigint;
  readonly creditAccountId: bigint;
  readonly amountUnits: bigint;
  readonly debitAfter: bigint;
  readonly creditAfter: bigint;
  readonly debitPrevId: bigint;
  readonly creditPrevId: bigint;
}

export interface JournalRows {
  readonly rows: readonly JournalRow[];
  /** A line for each row, in the form that the chain hashes (migration 0001). */
  readonly text: string;
}

const MINUS = '-'.charCodeAt(0);
const [ZERO, NINE] = ['0'.charCodeAt(0), '9'.charCodeAt(0)];
/** A double holds as many digits exactly. */
const DOUBLE_DIGITS_MAX = 15;
const WORD = 2 ** 32;
/** Written as two words and read as one integer, which costs a fraction of `BigInt(…)`. */
const integer = new DataView(new ArrayBuffer(8));

export class JournalText {
  readonly #text: string;
  #at = 0;

  /** Lines of columns between `|`, of which the first eight are integers. */
  constructor(text: string) {
    this.#text = text;
  }

  /** Returns the next `count` rows, or all that are left. */
  take(count: number): JournalRows {
    const start = this.#at;
    const rows: JournalRow[] = [];
    while (rows.length < count && this.#at < this.#text.length) rows.push(this.#row());
    return { rows, text: this.#text.slice(start, Math.max(start, this.#at - 1)) };
  }

  #row(): JournalRow {
    const row = {
      id: this.#integer(),
      debitAccountId: this.#integer(),
      creditAccountId: this.#integer(),
      amountUnits: this.#integer(),
      debitAfter: this.#integer(),
      creditAfter: this.#integer(),
      debitPrevId: this.#integer(),
      creditPrevId: this.#integer(),
    };
    const end = this.#text.indexOf('\n', this.#at);
    this.#at = (end === -1 ? this.#text.length : end) + 1;
    return row;
  }

  #integer(): bigint {
    const text = this.#text;
    const start = this.#at;
    const isNegative = text.charCodeAt(start) === MINUS;
    let at = isNegative ? start + 1 : start;
    let value = 0;
    for (;;) {
      const code = text.charCodeAt(at);
      if (!(code >= ZERO && code <= NINE)) break;
      value = value * 10 + (code - ZERO);
      at += 1;
    }
    this.#at = at + 1;
    if (at - start > DOUBLE_DIGITS_MAX) return BigInt(text.slice(start, at));
    if (isNegative) value = -value;
    const lower = value >>> 0;
    integer.setUint32(0, lower, true);
    // Nothing is rounded: what is left is a multiple of WORD.
    integer.setInt32(4, (value - lower) / WORD, true);
    return integer.getBigInt64(0, true);
  }
}
