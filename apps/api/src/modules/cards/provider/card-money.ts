/**
 * The part of the provider's interface about card money after the payment: refunds, transactions of its balance, and
 * payouts.
 */
import type Stripe from 'stripe';
import { centsNumber, usdCents, type UsdCents } from '@athos/domain/money';
import { dateOfSeconds, idOf, PAGE_SIZE, readEach, secondsOf } from './connection.ts';
import { refusalOf, unavailable, type ProviderRefusal } from './provider-errors.ts';

/** A movement of our balance at the provider. Its effect is `netUsdCents`: the amount less the fee. */
export interface CardTransaction {
  readonly transactionId: string;
  /** The type, such as `charge`, `refund`, `adjustment`, `payout`. The provider may add types. */
  readonly type: string;
  /** The object that caused it. */
  readonly sourceId: string | undefined;
  /** Negative if money left the balance. */
  readonly amountUsdCents: UsdCents;
  readonly feeUsdCents: UsdCents;
  readonly netUsdCents: UsdCents;
  readonly currency: string;
  readonly createdAt: Date;
}

export interface CardRefund {
  readonly refundId: string;
  readonly intentId: string | undefined;
  readonly chargeId: string | undefined;
  readonly amountUsdCents: UsdCents;
  readonly currency: string;
  /** `pending`, `requires_action`, `succeeded`, `failed`, `canceled`, or a status that the provider adds. */
  readonly status: string;
  readonly failureReason: string | undefined;
  readonly metadata: Readonly<Record<string, string>>;
}

export interface RefundRequest {
  /** Our id of the refund: the provider's idempotency key, which is also stored with the refund. */
  readonly refundId: string;
  readonly intentId: string;
  readonly amountUsdCents: UsdCents;
  readonly metadata: Readonly<Record<string, string>>;
}

export type RefundAnswer =
  | { readonly outcome: 'made'; readonly refund: CardRefund }
  | ({ readonly outcome: 'refused' } & ProviderRefusal);

export function readTransaction(transaction: Stripe.BalanceTransaction): CardTransaction {
  return {
    transactionId: transaction.id,
    type: transaction.type,
    sourceId: idOf(transaction.source),
    amountUsdCents: usdCents(BigInt(transaction.amount)),
    feeUsdCents: usdCents(BigInt(transaction.fee)),
    netUsdCents: usdCents(BigInt(transaction.net)),
    currency: transaction.currency,
    createdAt: dateOfSeconds(transaction.created),
  };
}

function readRefund(refund: Stripe.Refund): CardRefund {
  return {
    refundId: refund.id,
    intentId: idOf(refund.payment_intent),
    chargeId: idOf(refund.charge),
    amountUsdCents: usdCents(BigInt(refund.amount)),
    currency: refund.currency,
    status: refund.status ?? 'pending',
    failureReason: refund.failure_reason,
    metadata: refund.metadata ?? {},
  };
}

async function answerOf<From, To>(call: Promise<From>, read: (answer: From) => To): Promise<To> {
  try {
    return read(await call);
  } catch (error) {
    throw unavailable(error);
  }
}

export interface CardMoney {
  /** Throws unless the provider's answer is certain. After that, the same id requests the same refund again. */
  createRefund(request: RefundRequest): Promise<RefundAnswer>;
  retrieveRefund(refundId: string): Promise<CardRefund>;
  /** The refunds of a payment, newest first. */
  listRefunds(intentId: string): AsyncIterable<CardRefund>;
  /** Newest first. Times are rounded to whole seconds; both ends are included. */
  listTransactions(range: { from: Date; to: Date }): AsyncIterable<CardTransaction>;
  /** The payment to which a charge belongs. */
  intentOfCharge(chargeId: string): Promise<string | undefined>;
  /** Our whole balance at the provider, whether available or pending. */
  retrieveBalance(): Promise<UsdCents>;
}

export function createCardMoney(connected: () => Promise<Stripe>): CardMoney {
  return {
    async createRefund({ refundId, intentId, amountUsdCents, metadata }) {
      const { refunds } = await connected();
      const params: Stripe.RefundCreateParams = {
        payment_intent: intentId,
        amount: centsNumber(amountUsdCents),
        metadata,
      };
      try {
        const refund = await refunds.create(params, { idempotencyKey: refundId });
        return { outcome: 'made', refund: readRefund(refund) };
      } catch (error) {
        const refusal = refusalOf(error);
        if (refusal === undefined) throw unavailable(error);
        return { outcome: 'refused', ...refusal };
      }
    },
    async retrieveRefund(refundId) {
      const { refunds } = await connected();
      return answerOf(refunds.retrieve(refundId), readRefund);
    },
    listRefunds: (intentId) =>
      readEach(
        connected(),
        ({ refunds }) => refunds.list({ payment_intent: intentId, limit: PAGE_SIZE }),
        readRefund,
      ),
    listTransactions: ({ from, to }) =>
      readEach(
        connected(),
        ({ balanceTransactions }) =>
          balanceTransactions.list({
            created: { gte: secondsOf(from), lte: secondsOf(to) },
            limit: PAGE_SIZE,
          }),
        readTransaction,
      ),
    async intentOfCharge(chargeId) {
      const { charges } = await connected();
      return answerOf(charges.retrieve(chargeId), (charge) => idOf(charge.payment_intent));
    },
    async retrieveBalance() {
      const { balance } = await connected();
      return answerOf(balance.retrieve(), ({ available, pending }) =>
        usdCents(
          [...available, ...pending]
            .filter(({ currency }) => currency === 'usd')
            .reduce((sum, { amount }) => sum + BigInt(amount), 0n),
        ),
      );
    },
  };
}
