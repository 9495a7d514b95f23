/** A payment of the demo's past, with its state at the provider. */
import { usdCents } from '@athos/domain/money';
import type { CardProvider } from '../../modules/cards/index.ts';
import type { DisputeStory } from './cast.ts';

export type CardIntent = Awaited<ReturnType<CardProvider['createIntent']>>;
type CardCharge = NonNullable<CardIntent['charge']>;
export type CardRefund = Awaited<ReturnType<CardProvider['retrieveRefund']>>;
export type CardDispute = Awaited<ReturnType<CardProvider['retrieveDispute']>>;
type CardWarning = Awaited<ReturnType<CardProvider['retrieveWarning']>>;
export type CardTransaction = CardDispute['transactions'][number];
export type IntentRequest = Parameters<CardProvider['createIntent']>[0];
export type RefundRequest = Parameters<CardProvider['createRefund']>[0];

export interface PastDispute {
  readonly story: DisputeStory;
  readonly createdMs: number;
  answeredMs?: number;
  endedMs?: number;
  now: CardDispute;
}

export interface PastPayment {
  readonly request: IntentRequest;
  intent: CardIntent;
  card: string;
  triedMs?: number;
  readonly refunds: {
    readonly refund: CardRefund;
    readonly transactionId: string;
    readonly atMs: number;
  }[];
  readonly disputes: PastDispute[];
  warnings: readonly CardWarning[];
}

export interface PastPayout {
  readonly payoutId: string;
  readonly transactionId: string;
  readonly midnightMs: number;
}

const DAY_MS = 24 * 60 * 60_000;
const ANSWER_DAYS = 9;

const LAST_FOUR: Readonly<Record<string, string>> = {
  visa: '4242',
  mastercard: '4444',
  amex: '0005',
};

/** The provider's times are whole seconds. */
export const secondOf = (ms: number): Date => new Date(Math.floor(ms / 1000) * 1000);

/** Test cards of the sandbox, by the reason for which they are declined. */
export const DECLINING_CARDS: Readonly<Record<string, string>> = {
  insufficient_funds: 'visa_chargeDeclinedInsufficientFunds',
  expired_card: 'chargeDeclinedExpiredCard',
  generic_decline: 'visa_chargeDeclined',
};

export const chargeOf = (
  chargeId: string,
  { card, nowMs, transaction }: { card: string; nowMs: number; transaction: CardTransaction },
): CardCharge => ({
  chargeId,
  madeAt: secondOf(nowMs),
  refundedUsdCents: usdCents(0n),
  isDisputed: false,
  card: { brand: card, lastFour: LAST_FOUR[card] ?? '4242' },
  transaction,
});

/** The status with which a dispute begins. The dispute of a payment that was refunded after a warning has ended before it began. */
export const FIRST_STATUSES: Readonly<Record<DisputeStory['kind'], string>> = {
  chargeback: 'needs_response',
  inquiry: 'warning_needs_response',
  prevented: 'prevented',
};

/** The last second of the day on which the answer is due. A prevented dispute needs no answer. */
export function answerDueAt({ kind }: DisputeStory, openedMs: number): Date | undefined {
  if (kind === 'prevented') return undefined;
  const dueMs = openedMs + ANSWER_DAYS * DAY_MS;
  return new Date(dueMs - (dueMs % DAY_MS) + DAY_MS - 1_000);
}

/** After a dispute or a full refund, the warnings of a payment need no action. */
export function closeWarnings(payment: PastPayment): void {
  payment.warnings = payment.warnings.map((warning) => ({ ...warning, isActionable: false }));
}
