/** A model of the ledger in memory that posts one transfer at a time. post_batch must behave like it. */
import { TRANSFER_MICRO_MAX } from '@athos/domain/money';
import type { GroupTransferRequest, TransferOutcome } from '../src/ledger/index.ts';

interface ModelAccount {
  balance: bigint;
  readonly floor: bigint;
  state: 'open' | 'restricted' | 'frozen' | 'closed';
}

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
    if (receiver.state === 'closed') return { outcome: 'unknown_account' };
    if (payer.state !== 'open') return { outcome: 'blocked', reason: payer.state };
    if (payer.balance - amountUnits < payer.floor) return { outcome: 'insufficient' };
    payer.balance -= amountUnits;
    receiver.balance += amountUnits;
    const [debitAfter, creditAfter] = [payer.balance, receiver.balance];
    this.#stored.set(name, { request, debitAfter, creditAfter });
    return { outcome: 'done', debitAfter, creditAfter, original: request };
  }
}
