/** The state of the whole ledger after one of its batches, as a checkpoint records it (docs/ledger.md, "Checkpoints"). */
import { createHash } from 'node:crypto';
import { AccountTable, type Position } from './account-table.ts';
import { LedgerFaultError } from './verify-checks.ts';
import type { AccountRow, JournalRow } from './verify-rows.ts';

export interface Stand {
  /** The last transfer and the last batch covered. */
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
 * Finds the balance of every account at a place in the journal from the later rows: if an account has moved since, its first later row
 * shows its balance before; every other account has not changed.
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
    // Accounts that had not moved may have been opened later, so they are left out.
    if (balance !== 0n || lastId !== 0n) this.#hash.update(`${id}|${balance}|${lastId}\n`);
  }

  /** Called once, after the last account. */
  finish(): Stand {
    return { ...this.#place, accountsDigest: this.#hash.digest('hex') };
  }
}

/** The states of one run: it proves the one at which it began, and finds those at the end of each piece and at its own end. */
export class StandChecks {
  readonly #start: Stand | undefined;
  readonly #open: StandCheck[] = [];

  constructor(start: Stand | undefined) {
    this.#start = start;
    if (start !== undefined) this.#open.push(new StandCheck(start));
  }

  /** Called when all rows up to the place were read. Skips a place before the first posting, and the one where the run began. */
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

  /** Returns the new states. Throws LedgerFaultError if the accounts contradict the state with which the run began. */
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
