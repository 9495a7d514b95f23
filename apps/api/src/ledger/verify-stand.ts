/** The state of the whole ledger after one of its batches, as a checkpoint records it (docs/ledger.md, "Checkpoints"). */
import { createHash } from 'node:crypto';
import { AccountTable, type Position } from './account-table.ts';
import type { JournalRow } from './journal-text.ts';
import { LedgerFaultError } from './verify-checks.ts';
import type { AccountRow } from './verify-rows.ts';

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

  /** The accounts in memory: those that have moved since. */
  get accountCount(): number {
    return this.#before.size;
  }

  /** Called for every row after the place, unless `noteOpening` is. */
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

  /** Called for every account at its first row after the place, with its position there. */
  noteOpening(accountId: bigint, opening: Position): void {
    this.#before.add(accountId, opening);
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

/**
 * The states of one run: it proves the one at which it began, and finds those at its own end and at the newest end of a piece. Each one before
 * the end has in memory every account that moved later, so a run that passes many pieces looks for one of them alone, and gives it up when
 * more accounts have moved than it may hold. The nights find the ends of all pieces, because each passes one at most.
 */
export class StandChecks {
  readonly #start: Stand | undefined;
  readonly #known: ReadonlySet<bigint>;
  readonly #accountsMax: bigint;
  readonly #begun: StandCheck | undefined;
  #pieceEnd: StandCheck | undefined;
  #end: StandCheck | undefined;

  constructor(
    start: Stand | undefined,
    {
      known = new Set(),
      accountsMax,
    }: { readonly known?: ReadonlySet<bigint> | undefined; readonly accountsMax: bigint },
  ) {
    this.#start = start;
    this.#known = known;
    this.#accountsMax = accountsMax;
    if (start !== undefined) this.#begun = new StandCheck(start);
  }

  /** Called when all rows of a piece were read. Skips one that has a checkpoint; of the others, a later one replaces an earlier one. */
  addPieceEnd(place: Omit<Stand, 'accountsDigest'>): void {
    if (this.#known.has(place.transferId)) return;
    if (this.#isNew(place)) this.#pieceEnd = new StandCheck(place);
  }

  /** Called when all rows were read. */
  addEnd(place: Omit<Stand, 'accountsDigest'>): void {
    if (this.#isNew(place)) this.#end = new StandCheck(place);
  }

  /** False for a place before the first posting, and for the one where the run began. */
  #isNew({ batchCount }: Omit<Stand, 'accountsDigest'>): boolean {
    return batchCount > (this.#start?.batchCount ?? 0n);
  }

  /** The position of an account where the run began. */
  noteOpening(accountId: bigint, opening: Position): void {
    this.#begun?.noteOpening(accountId, opening);
  }

  note(row: JournalRow): void {
    this.#pieceEnd?.note(row);
    if ((this.#pieceEnd?.accountCount ?? 0) > this.#accountsMax) this.#pieceEnd = undefined;
  }

  noteAccount(account: AccountRow): void {
    this.#begun?.noteAccount(account);
    this.#pieceEnd?.noteAccount(account);
    this.#end?.noteAccount(account);
  }

  /** Returns the new states. Throws LedgerFaultError if the accounts contradict the state with which the run began. */
  finish(): readonly Stand[] {
    const start = this.#start;
    if (start !== undefined && this.#begun?.finish().accountsDigest !== start.accountsDigest) {
      const reason = 'does not fit the accounts: one was changed. Verify from the start to find it';
      throw new LedgerFaultError({ row: `checkpoint ${start.transferId}`, reason });
    }
    return [this.#pieceEnd, this.#end].flatMap((check) => check?.finish() ?? []);
  }
}
