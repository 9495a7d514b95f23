/**
 * The words of the ledger's front door: what can be asked for and every way it can end. Refusals are values, so that a
 * caller cannot forget one; only "not known to have happened" is thrown.
 */
import type { Units } from '@athos/domain/money';
import type { LedgerAccountId } from './accounts.ts';

/** What a movement is. Stored with it, filtered by in the history. Numbers are for ever. */
export const TransferKind = {
  /** User to user. */
  Send: 1,
  /** Tokens bought by card. */
  CardCredit: 2,
  /** One line of a cart. */
  Purchase: 3,
  Tip: 4,
  Reward: 5,
  /** Opening balances of demo and tests. */
  Seed: 6,
  /** The balance of a deleted account. */
  Forfeit: 7,
  /** US cents of a card payment: the price. */
  CardMoney: 8,
  /** US cents of a card payment: a fee. */
  CardFee: 9,
  Refund: 10,
  Chargeback: 11,
  /** By an operator. */
  Adjustment: 12,
  /** What a reward campaign may give out, from issuance into its own account. */
  RewardBudget: 13,
} as const;
export type TransferKind = (typeof TransferKind)[keyof typeof TransferKind];

export interface TransferRequest {
  /** Pays: its balance falls. */
  debitAccountId: LedgerAccountId;
  /** Receives: its balance rises. Of the same asset. */
  creditAccountId: LedgerAccountId;
  /** More than 0, at most `TRANSFER_MICRO_MAX`; outside of that the outcome is `bad_amount`. */
  amountUnits: Units;
  kind: TransferKind;
  /** The idempotency key: a UUID. It belongs to the debit account. */
  key: string;
}

/** One movement of a group. `line` tells movements of one payer under one key apart, and is 0 for one alone. */
export interface GroupTransferRequest extends TransferRequest {
  line: number;
}

export interface PostedTransfer {
  transferId: bigint;
  debitAfterUnits: Units;
  creditAfterUnits: Units;
}

/** Why an account may not pay. A closed account cannot be paid either: that answers `unknown_account`. */
export type BlockedReason = 'restricted' | 'frozen' | 'closed';

export type TransferRefusal =
  | { outcome: 'insufficient' }
  | { outcome: 'unknown_account' }
  | { outcome: 'same_account' }
  | { outcome: 'bad_amount' }
  /** The payer used this key for another receiver, amount or kind. */
  | { outcome: 'key_reused' }
  | { outcome: 'blocked'; reason: BlockedReason };

/** `replayed` carries the first answer again: nothing moved this time. A refusal moves nothing and consumes no key. */
export type TransferOutcome =
  | ({ outcome: 'done' } & PostedTransfer)
  | ({ outcome: 'replayed' } & PostedTransfer)
  | TransferRefusal;

/** All or none. `index` is the first movement that was refused; nothing of the group was written then. */
export type GroupOutcome =
  | { outcome: 'done'; transfers: readonly PostedTransfer[] }
  | { outcome: 'replayed'; transfers: readonly PostedTransfer[] }
  | { outcome: 'refused'; index: number; refusal: TransferRefusal };

/** A row of the journal. */
export interface JournalTransfer extends PostedTransfer {
  debitAccountId: LedgerAccountId;
  creditAccountId: LedgerAccountId;
  amountUnits: Units;
  kind: TransferKind;
  key: string;
  line: number;
  at: Date;
}
