/** Where the whole ledger stood after one of its batches: what a checkpoint says (docs/ledger.md, "Checkpoints"). */
import { createHash } from 'node:crypto';
import { AccountTable, type Position } from './account-table.ts';
import { LedgerFaultError } from './verify-checks.ts';
import type { AccountRow, JournalRow } from './verify-rows.ts';

export interface Stand {
  /** The last transfer and the last batch that it covers. */
  readonly transferId: bigint;
  readonly batchId: bigint;
  readonly transferCount: bigint;
  readonly batchCount: bigint;
  /** The chain after that batch, hexadecimal. */
  readonly hash: string;
  /** SHA-256 over every account that had moved by then, hexadecimal. */
  readonly accountsDigest: string;
  /** Balances of the programme's accounts, and of all customers together by asset: `id:balance`, with commas. */
  readonly totals: string;
}

/**
 * Finds what every account held at a place in the journal, after the rows behind it were read: an account that moved since then tells
 * in its first row what it held before, and every other one holds it still.
 */
class StandCheck {
  readonly #place: Omit<Stand, 'accountsDigest'>;
  readonly #before = new AccountTable();
  readonly #hash = createHash('sha256');

  constructor(place: Omit<Stand, 'accountsDigest'>) {
    this.#place = place;
  }

  /** Called for every row after the place. */
  note(row: JournalRow): void {
    const { debitAccountId, creditAccountId, amountUnits } = row;
    if (this.#before.slotOf(debitAccountId) === undefined) {
      const balance = row.debitAfter + amountUnits;
      this.#before.add(debitAccountId, { balance, lastId: row.debitPrevId });
    }
    if (this.#before.slotOf(creditAccountId) === undefined) {
      const balance = row.creditAfter - amountUnits;
      this.#before.add(creditAccountId, { balance, lastId: row.creditPrevId });
    }
  }

  /** Called for every stored account, in the order of their ids. */
  noteAccount({ id, balanceUnits, lastTransferId }: AccountRow): void {
    const now: Position = { balance: balanceUnits, lastId: lastTransferId };
    const { balance, lastId } = this.#before.take(id) ?? now;
    // An account that had not moved need not have been opened.
    if (balance !== 0n || lastId !== 0n) this.#hash.update(`${id}|${balance}|${lastId}\n`);
  }

  /** Called once, after the last account. */
  finish(): Stand {
    return { ...this.#place, accountsDigest: this.#hash.digest('hex') };
  }
}

/** The stands of a run: the one it began with is proved, and those that it passes are found: each end of a piece, and its own end. */
export class StandChecks {
  readonly #start: Stand | undefined;
  readonly #open: StandCheck[] = [];

  constructor(start: Stand | undefined) {
    this.#start = start;
    if (start !== undefined) this.#open.push(new StandCheck(start));
  }

  /** Everything up to the place was read. A place where nothing was posted yet, or where the run began, is left out. */
  add(place: Omit<Stand, 'accountsDigest'>): void {
    const isNew = place.batchCount > (this.#start?.batchCount ?? 0n);
    if (isNew) this.#open.push(new StandCheck(place));
  }

  note(row: JournalRow): void {
    for (const stand of this.#open) stand.note(row);
  }

  noteAccount(account: AccountRow): void {
    for (const stand of this.#open) stand.noteAccount(account);
  }

  /** Returns those that are new. Throws LedgerFaultError if the accounts do not fit the stand with which the run began. */
  finish(): readonly Stand[] {
    const stands = this.#open.map((stand) => stand.finish());
    if (this.#start === undefined) return stands;
    const [begun, ...found] = stands;
    if (begun?.accountsDigest !== this.#start.accountsDigest) {
      const reason = 'does not fit the accounts: one was changed. Verify from the start to find it';
      throw new LedgerFaultError({ row: `checkpoint ${this.#start.transferId}`, reason });
    }
    return found;
  }
}
