/** The two proofs of `ledger:verify`: the rows are unchanged since they were posted (chain), and they add up (books). */
import { createHash } from 'node:crypto';
import { AccountTable, type Position } from './account-table.ts';
import type { JournalRow, JournalRows } from './journal-text.ts';
import type { AccountRow, BatchRow } from './verify-rows.ts';
import type { Stand } from './verify-stand.ts';

export interface LedgerFault {
  /** The wrong row: `transfer 1024`, `batch 1024`, `account 8`, `head`. */
  readonly row: string;
  readonly reason: string;
  /** Orders the faults of different passes; absent unless a transfer is wrong. */
  readonly transferId?: bigint;
}

/** Thrown to report a fault from a nested check. */
export class LedgerFaultError extends Error {
  readonly fault: LedgerFault;

  constructor(fault: LedgerFault) {
    super(`${fault.row} ${fault.reason}`);
    this.fault = fault;
  }
}

export const transferFault = (id: bigint, reason: string): LedgerFaultError =>
  new LedgerFaultError({ row: `transfer ${id}`, reason, transferId: id });

const DIGEST_BYTES = 4;
const NEVER_MOVED: Position = { balance: 0n, lastId: 0n };
const sha256 = (...parts: readonly (Buffer | string)[]): Buffer =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();

export class ChainCheck {
  /** The initial hash, as in migration 0001. */
  #hash = sha256('ledger');
  #isKnownHeadFound: boolean;
  readonly #knownHead: string | undefined;
  batchCount = 0n;
  transferCount = 0n;

  constructor(knownHead: string | undefined, start: Stand | undefined) {
    if (start !== undefined) {
      this.#hash = Buffer.from(start.hash, 'hex');
      this.batchCount = start.batchCount;
      this.transferCount = start.transferCount;
    }
    this.#knownHead = knownHead;
    this.#isKnownHeadFound = knownHead === undefined || knownHead === this.head;
  }

  /** Hexadecimal. */
  get head(): string {
    return this.#hash.toString('hex');
  }

  /** `own` must be all rows of the batch. Returns a fault instead of throwing it, since an earlier row may be wrong too. */
  follow(batch: BatchRow, own: JournalRows): LedgerFault | undefined {
    const hash = sha256(this.#hash, batch.rowDigests, own.text);
    if (!hash.equals(batch.hash)) return brokenLink(batch, own);
    this.#hash = hash;
    this.#isKnownHeadFound ||= this.head === this.#knownHead;
    this.batchCount += 1n;
    this.transferCount += BigInt(own.rows.length);
    return undefined;
  }

  /** Throws LedgerFaultError. */
  finish(headHash: Buffer | undefined): void {
    if (headHash === undefined || !headHash.equals(this.#hash)) {
      const reason = 'is not the hash of the last batch: batches are missing at the end';
      throw new LedgerFaultError({ row: 'head', reason });
    }
    if (!this.#isKnownHeadFound) {
      const reason = `does not descend from ${this.#knownHead}: the journal was rewritten`;
      throw new LedgerFaultError({ row: 'head', reason });
    }
  }
}

/** Finds the wrong row of a batch with a wrong hash by the row digests. */
function brokenLink(batch: BatchRow, { rows, text }: JournalRows): LedgerFault {
  const lines = text.split('\n');
  for (const [index, { id }] of rows.entries()) {
    const at = index * DIGEST_BYTES;
    const posted = batch.rowDigests.subarray(at, at + DIGEST_BYTES);
    if (
      !sha256(lines[index] ?? '')
        .subarray(0, DIGEST_BYTES)
        .equals(posted)
    ) {
      return transferFault(id, 'is not as it was posted').fault;
    }
  }
  return {
    row: `batch ${batch.firstId}`,
    reason: 'does not follow from the batch before it',
    transferId: batch.firstId,
  };
}

interface Leg {
  readonly accountId: bigint;
  readonly change: bigint;
  readonly after: bigint;
  readonly prevId: bigint;
}

type NoteOpening = (accountId: bigint, opening: Position) => void;

/** Replays the journal from its first row, or from a checkpoint on, and computes what every account must hold. */
export class BookCheck {
  readonly #isOfPass: (accountId: bigint) => boolean;
  readonly #noteOpening: NoteOpening | undefined;
  readonly #accounts = new AccountTable();
  readonly #sums = new Map<string, bigint>();

  /**
   * After a checkpoint, an account's first row shows its earlier balance. `noteOpening` is told of it, so that `StandChecks` prove these
   * balances against the checkpoint. Without it, the replay begins at the first row, where no account has moved.
   */
  constructor(isOfPass: (accountId: bigint) => boolean, noteOpening?: NoteOpening) {
    this.#isOfPass = isOfPass;
    this.#noteOpening = noteOpening;
  }

  /** Throws LedgerFaultError. */
  check(row: JournalRow): void {
    const { id, debitAccountId, creditAccountId, amountUnits } = row;
    if (amountUnits <= 0n) throw transferFault(id, `moves ${amountUnits}`);
    if (debitAccountId === creditAccountId) throw transferFault(id, 'has one account twice');
    if ((debitAccountId & 7n) !== (creditAccountId & 7n)) {
      throw transferFault(id, 'is between accounts of two assets');
    }
    this.#leg(row, 'debit', {
      accountId: debitAccountId,
      change: -amountUnits,
      after: row.debitAfter,
      prevId: row.debitPrevId,
    });
    this.#leg(row, 'credit', {
      accountId: creditAccountId,
      change: amountUnits,
      after: row.creditAfter,
      prevId: row.creditPrevId,
    });
  }

  #leg({ id }: JournalRow, side: 'debit' | 'credit', leg: Leg): void {
    const { accountId, change, after, prevId } = leg;
    if (!this.#isOfPass(accountId)) return;
    const table = this.#accounts;
    const slot = table.slotOf(accountId) ?? table.add(accountId, this.#opening(leg));
    const lastId = table.lastIdAt(slot);
    const balance = table.balanceAt(slot) + change;
    if (prevId !== lastId) {
      const reason = `has ${side}_prev_id ${prevId}, but account ${accountId} had ${lastId} before it`;
      throw transferFault(id, reason);
    }
    if (after !== balance) {
      const reason = `has ${side}_after ${after}, but account ${accountId} holds ${balance} after it`;
      throw transferFault(id, reason);
    }
    table.setAt(slot, balance, id);
  }

  #opening({ accountId, change, after, prevId }: Leg): Position {
    if (this.#noteOpening === undefined) return NEVER_MOVED;
    const opening = { balance: after - change, lastId: prevId };
    this.#noteOpening(accountId, opening);
    return opening;
  }

  /** Compares a stored account with the journal. Throws LedgerFaultError. */
  checkAccount(account: AccountRow): void {
    const { id, asset, balanceUnits, floorUnits, lastTransferId } = account;
    this.#sums.set(asset, (this.#sums.get(asset) ?? 0n) + balanceUnits);
    if (!this.#isOfPass(id)) return;
    const stored = { balance: balanceUnits, lastId: lastTransferId };
    const { balance, lastId } =
      this.#accounts.take(id) ?? (this.#noteOpening === undefined ? NEVER_MOVED : stored);
    const fail = (reason: string): never => {
      throw new LedgerFaultError({ row: `account ${id}`, reason });
    };
    if (balanceUnits !== balance) {
      fail(`holds ${balanceUnits}, but the journal says ${balance}`);
    }
    if (lastTransferId !== lastId) {
      fail(`has last_transfer_id ${lastTransferId}, but the journal says ${lastId}`);
    }
    if (balanceUnits < floorUnits) fail(`holds ${balanceUnits}, below its floor ${floorUnits}`);
  }

  /** Called after the last account. Throws LedgerFaultError. */
  finish(): void {
    for (const accountId of this.#accounts.ids()) {
      throw new LedgerFaultError({ row: `account ${accountId}`, reason: 'is missing' });
    }
    for (const [asset, sum] of this.#sums) {
      if (sum === 0n) continue;
      const reason = `sums to ${sum} over all accounts instead of 0`;
      throw new LedgerFaultError({ row: `asset ${asset}`, reason });
    }
  }
}
