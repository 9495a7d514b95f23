/**
 * The vocabulary of the ledger: requests and all their outcomes. Refusals are values, so that a caller cannot forget one; only
 * an unknown outcome is thrown.
 */
import type { Units } from '@athos/domain/money';
import type { LedgerAccountId } from './accounts.ts';

/** The reason for a movement. Stored with each transfer and used as a filter by the history. The numbers never change. */
export const TransferKind = {
  /** User to user. */
  Send: 1,
  /** Tokens bought by card. */
  CardCredit: 2,
  /** One line of a cart. */
  Purchase: 3,
  Tip: 4,
  Reward: 5,
  /** Opening balances of the demo and of tests. */
  Seed: 6,
  /** The balance of a deleted account. */
  Forfeit: 7,
  /** US cents of a card payment: the price. */
  CardMoney: 8,
  /** US cents of a card payment: a fee. */
  CardFee: 9,
  Refund: 10,
  Chargeback: 11,
  /** A correction by an operator. */
  Adjustment: 12,
  /** The budget of a reward campaign, from issuance into the campaign's account. */
  RewardBudget: 13,
  /** A send that can be undone, into `in_transit`. */
  SendHeld: 14,
  /** A held send, from `in_transit` to its receiver. */
  SendPosted: 15,
  /** A held send, from `in_transit` back to its sender. */
  SendReturned: 16,
  /** Value moved into `holds` until a request of staff is decided. */
  Hold: 17,
  /** Value returned from `holds`. */
  Release: 18,
  /** A debt that is given up. */
  WriteOff: 19,
  /** US cents that the card provider charges as fees. */
  ProviderFee: 20,
  /** US cents paid out to the programme's bank. */
  Payout: 21,
  /** One line of a cart, returned to the balance. */
  PurchaseRefund: 22,
  /** The goodwill budget, and credits from it. */
  Goodwill: 23,
  /** US cents of a repaid debt. */
  Recovery: 24,
  /** A manual booking of card money. */
  Booking: 25,
  /** The remaining budget of an ended campaign, back to issuance. */
  BudgetReturn: 26,
  /** A merchant's balance, paid out. */
  Settlement: 27,
} as const;
export type TransferKind = (typeof TransferKind)[keyof typeof TransferKind];

export interface TransferRequest {
  /** The account that pays: its balance falls. */
  debitAccountId: LedgerAccountId;
  /** The account that receives: its balance rises. Has the same asset. */
  creditAccountId: LedgerAccountId;
  /** Above 0 and at most `TRANSFER_MICRO_MAX`; otherwise the outcome is `bad_amount`. */
  amountUnits: Units;
  kind: TransferKind;
  /** The idempotency key, a UUID. It belongs to the payer. */
  key: string;
}

/** One movement of a group. `line` distinguishes movements of one payer under one key; it is 0 for a movement without a group. */
export interface GroupTransferRequest extends TransferRequest {
  line: number;
}

export interface PostedTransfer {
  transferId: bigint;
  debitAfterUnits: Units;
  creditAfterUnits: Units;
}

/** Why an account may not pay. Paying into a closed account is refused as `unknown_account`. */
export type BlockedReason = 'restricted' | 'frozen' | 'closed';

export type TransferRefusal =
  | { outcome: 'insufficient' }
  | { outcome: 'unknown_account' }
  | { outcome: 'same_account' }
  | { outcome: 'bad_amount' }
  /** The payer used this key for another receiver, amount or kind. */
  | { outcome: 'key_reused' }
  | { outcome: 'blocked'; reason: BlockedReason }
  /** A hold of the payer stops movements of this kind. */
  | { outcome: 'held' }
  /** A hold of the receiver stops movements of this kind. */
  | { outcome: 'receiver_held' };

/** `replayed` repeats the first result and moves nothing. A refusal moves nothing and does not use up the key. */
export type TransferOutcome =
  | ({ outcome: 'done' } & PostedTransfer)
  | ({ outcome: 'replayed' } & PostedTransfer)
  | TransferRefusal;

/** If one movement is refused, at `index`, nothing of the group was written. */
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
