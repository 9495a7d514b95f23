/**
 * Announces new balances: those from this process's batches directly, those from `transferInTx` in any process through a
 * database notification.
 */
import { units, type Units } from '@athos/domain/money';
import type { Log } from '../platform/log/log.ts';
import { userIdOfAccount, type LedgerAccountId } from './accounts.ts';
import type { GroupTransferRequest, TransferOutcome } from './transfer.ts';

/** A user's balance after a committed transfer. Of two changes to an account, the one with the higher `transferId` is newer. */
export interface BalanceChange {
  accountId: LedgerAccountId;
  transferId: bigint;
  balanceUnits: Units;
}

type Listener = (changes: readonly BalanceChange[]) => void;

export class BalanceChanges {
  readonly #listeners = new Set<Listener>();
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  publishBatch(
    entries: readonly GroupTransferRequest[],
    outcomes: readonly TransferOutcome[],
  ): void {
    if (this.#listeners.size === 0) return;
    // Later transfers of a batch overwrite earlier ones of the same account.
    const changes = new Map<bigint, BalanceChange>();
    const note = (accountId: LedgerAccountId, change: Omit<BalanceChange, 'accountId'>): void => {
      if (userIdOfAccount(accountId) !== undefined)
        changes.set(accountId, { accountId, ...change });
    };
    for (const [index, result] of outcomes.entries()) {
      const entry = entries[index];
      if (result.outcome !== 'done' || entry === undefined) continue;
      const { transferId } = result;
      note(entry.debitAccountId, { transferId, balanceUnits: result.debitAfterUnits });
      note(entry.creditAccountId, { transferId, balanceUnits: result.creditAfterUnits });
    }
    if (changes.size > 0) this.#publish([...changes.values()]);
  }

  /** `account:transfer:balance,...`, as post_batch writes it. */
  publishNotification(payload: string): void {
    if (this.#listeners.size === 0 || !/^\d+:\d+:-?\d+(,\d+:\d+:-?\d+)*$/.test(payload)) return;
    this.#publish(
      payload.split(',').map((part) => {
        const [accountId = '', transferId = '', balance = ''] = part.split(':');
        return {
          accountId: BigInt(accountId) as LedgerAccountId,
          transferId: BigInt(transferId),
          balanceUnits: units(BigInt(balance)),
        };
      }),
    );
  }

  #publish(changes: readonly BalanceChange[]): void {
    for (const listener of this.#listeners) {
      try {
        listener(changes);
      } catch (error) {
        // The value has moved; a failing listener must not turn the response into an error.
        this.#log.error({ err: error }, 'a listener of balance changes failed');
      }
    }
  }
}
