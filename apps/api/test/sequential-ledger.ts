/** A model of the ledger in memory that posts one transfer at a time. post_batch must behave like it. */
import { TRANSFER_MICRO_MAX } from '@athos/domain/money';
import {
  TransferKind,
  type GroupTransferRequest,
  type HeldMovement,
  type TransferOutcome,
} from '../src/ledger/index.ts';

interface ModelAccount {
  balance: bigint;
  floor: bigint;
  state: 'open' | 'restricted' | 'frozen' | 'closed';
  /** What holds stop while the state is open. */
  held: readonly HeldMovement[];
}

/** The kinds that each hold stops, as docs/ledger.md "States" lists them. */
const STOPPED: Readonly<Record<HeldMovement, readonly TransferKind[]>> = {
  send: [TransferKind.Send, TransferKind.SendHeld],
  spend: [TransferKind.Purchase, TransferKind.Tip],
  receive: [TransferKind.Send, TransferKind.Tip, TransferKind.Reward, TransferKind.SendPosted],
};

interface Stored {
  readonly request: GroupTransferRequest;
  readonly debitAfter: bigint;
  readonly creditAfter: bigint;
}

/** A `TransferOutcome` without ids, which only the database knows. `firstAt` is the request that a replay repeats. */
export type ModelOutcome =
  | { outcome: 'done' | 'replayed'; debitAfter: bigint; creditAfter: bigint; original: object }
  | Exclude<TransferOutcome, { transferId: bigint }>;

export class SequentialLedger {
  readonly accounts = new Map<bigint, ModelAccount>();
  readonly #stored = new Map<string, Stored>();

  open(id: bigint, { balance = 0n, floor = 0n } = {}): void {
    this.accounts.set(id, { balance, floor, state: 'open', held: [] });
  }

  /** Like `post`, but takes from any account that is not closed, and below its floor, which sinks to the new balance. */
  clawBack(request: GroupTransferRequest): ModelOutcome {
    const payer = this.accounts.get(request.debitAccountId);
    if (payer === undefined || payer.state === 'closed') return this.post(request);
    const { floor, state, held } = payer;
    Object.assign(payer, { floor: -TRANSFER_MICRO_MAX * 1_000n, state: 'open', held: [] });
    const result = this.post(request);
    const floorAfter = result.outcome === 'done' && payer.balance < floor ? payer.balance : floor;
    Object.assign(payer, { floor: floorAfter, state, held });
    return result;
  }

  restoreFloor(id: bigint): void {
    const account = this.accounts.get(id);
    if (account === undefined || account.floor >= 0n) return;
    const owed = account.balance < 0n ? account.balance : 0n;
    if (owed > account.floor) account.floor = owed;
  }

  post(request: GroupTransferRequest): ModelOutcome {
    const { debitAccountId, creditAccountId, amountUnits, key, line, kind } = request;
    const payer = this.accounts.get(debitAccountId);
    const receiver = this.accounts.get(creditAccountId);
    if (amountUnits <= 0n || amountUnits > TRANSFER_MICRO_MAX) return { outcome: 'bad_amount' };
    if (debitAccountId === creditAccountId) return { outcome: 'same_account' };
    if (payer === undefined || receiver === undefined) return { outcome: 'unknown_account' };
    // A key belongs to the holder of the account, regardless of the asset.
    const name = `${key} ${debitAccountId >> 3n} ${line}`;
    const stored = this.#stored.get(name);
    if (stored !== undefined) {
      const first = stored.request;
      const isSame =
        first.creditAccountId === creditAccountId &&
        first.amountUnits === amountUnits &&
        first.kind === kind;
      const { debitAfter, creditAfter } = stored;
      return isSame
        ? { outcome: 'replayed', debitAfter, creditAfter, original: first }
        : { outcome: 'key_reused' };
    }
    const isStoppedBy = (hold: HeldMovement): boolean => STOPPED[hold].includes(kind);
    if (receiver.state === 'closed') return { outcome: 'unknown_account' };
    if (receiver.held.includes('receive') && isStoppedBy('receive')) {
      return { outcome: 'receiver_held' };
    }
    if (payer.state !== 'open') return { outcome: 'blocked', reason: payer.state };
    if (payer.held.some((hold) => hold !== 'receive' && isStoppedBy(hold))) {
      return { outcome: 'held' };
    }
    if (payer.balance - amountUnits < payer.floor) return { outcome: 'insufficient' };
    payer.balance -= amountUnits;
    receiver.balance += amountUnits;
    const [debitAfter, creditAfter] = [payer.balance, receiver.balance];
    this.#stored.set(name, { request, debitAfter, creditAfter });
    return { outcome: 'done', debitAfter, creditAfter, original: request };
  }
}
