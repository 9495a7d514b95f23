/**
 * The acts of customers, their banks and the card provider in the demo's past: payments and the movements of our balance, as the sandbox
 * would have made them. `past-provider.ts` answers our services from it, and `sandbox-import.ts` imports it into the sandbox.
 */
import { createHash } from 'node:crypto';
import { usdCents, type UsdCents } from '@athos/domain/money';
import type { Clock } from '../../platform/clock.ts';
import { invariant } from '../../platform/errors.ts';
import type { DisputeStory } from './cast.ts';
import {
  answerDueAt,
  chargeOf,
  closeWarnings,
  DECLINING_CARDS,
  FIRST_STATUSES,
  secondOf,
  type CardDispute,
  type CardIntent,
  type CardRefund,
  type CardTransaction,
  type IntentRequest,
  type PastDispute,
  type PastPayment,
  type PastPayout,
  type RefundRequest,
} from './past-payments.ts';

const DAY_MS = 24 * 60 * 60_000;
/** The card fee that the sandbox charges. */
const feeOf = (cents: bigint): bigint => (cents * 29n + 500n) / 1000n + 30n;
const DISPUTE_FEE = 1_500n;
/** When money becomes available: two days after the charge, which the sandbox records a second after the payment. */
const AVAILABLE_AFTER_MS = 2 * DAY_MS + 1_000;

interface NewMovement {
  readonly type: string;
  readonly sourceId: string;
  readonly amount: UsdCents;
  readonly fee: bigint;
  readonly atMs?: number;
}

interface Movement {
  readonly transaction: CardTransaction;
  readonly availableMs: number;
  isPaidOut: boolean;
}

export class PastBank {
  readonly #clock: Clock;
  readonly #words: string;
  readonly #payments = new Map<string, PastPayment>();
  readonly #movements: Movement[] = [];
  readonly payouts: PastPayout[] = [];
  #count = 0;

  constructor(clock: Clock, words: string) {
    this.#clock = clock;
    this.#words = words;
  }

  /** Payments in the order in which their orders were made. */
  get payments(): readonly PastPayment[] {
    return [...this.#payments.values()];
  }

  /** Transactions, oldest first. */
  get transactions(): readonly CardTransaction[] {
    return this.#movements.map(({ transaction }) => transaction);
  }

  intentIdOf(orderId: string): string {
    return `pi_3${this.#digest(orderId)}`;
  }

  /** Returns the intent of an order, which is created once. */
  open(request: IntentRequest): CardIntent {
    const intentId = this.intentIdOf(request.orderId);
    const payment = this.#payments.get(intentId) ?? this.#unpaid(intentId, request);
    this.#payments.set(intentId, payment);
    return payment.intent;
  }

  pay(intentId: string, card: string): void {
    const payment = this.payment(intentId);
    const nowMs = this.#clock.nowMs();
    const { intent } = payment;
    const chargeId = intentId.replace('pi_', 'ch_');
    const amount = intent.amountUsdCents;
    const transaction = this.#book(
      { type: 'charge', sourceId: chargeId, amount, fee: feeOf(amount) },
      nowMs + AVAILABLE_AFTER_MS,
    );
    payment.card = card;
    payment.triedMs = nowMs;
    payment.intent = {
      ...intent,
      status: 'succeeded',
      amountReceivedUsdCents: amount,
      charge: chargeOf(chargeId, { card, nowMs, transaction }),
    };
  }

  decline(intentId: string, reason: string): void {
    const payment = this.payment(intentId);
    const chargeId = intentId.replace('pi_', 'ch_');
    payment.card = DECLINING_CARDS[reason] ?? 'visa_chargeDeclined';
    payment.triedMs = this.#clock.nowMs();
    const error = { message: 'Your card was declined.', chargeId, reason };
    payment.intent = { ...payment.intent, status: 'requires_payment_method', error };
  }

  /** Returns the id of the dispute. */
  openDispute(intentId: string, story: DisputeStory): string {
    const payment = this.payment(intentId);
    const nowMs = this.#clock.nowMs();
    const disputeId = this.#id('du_1');
    const amountUsdCents = payment.intent.amountUsdCents;
    const isChargeback = story.kind === 'chargeback';
    const withdrawn = { type: 'adjustment', sourceId: disputeId, fee: DISPUTE_FEE } as const;
    closeWarnings(payment);
    payment.disputes.push({
      story,
      createdMs: nowMs,
      now: {
        disputeId,
        intentId,
        status: FIRST_STATUSES[story.kind],
        reason: story.reason,
        amountUsdCents,
        createdAt: secondOf(nowMs),
        dueAt: answerDueAt(story, nowMs),
        submissionCount: 0,
        transactions: isChargeback
          ? [this.#book({ ...withdrawn, amount: usdCents(0n - amountUsdCents) }, nowMs)]
          : [],
      },
    });
    return disputeId;
  }

  decideDispute(disputeId: string): void {
    const dispute = this.dispute(disputeId);
    const { story, now } = dispute;
    const nowMs = this.#clock.nowMs();
    dispute.endedMs = nowMs;
    if (story.outcome === 'lost') dispute.now = { ...now, status: 'lost' };
    else if (story.kind === 'inquiry') dispute.now = { ...now, status: 'warning_closed' };
    else {
      const back = { type: 'adjustment', sourceId: disputeId, amount: now.amountUsdCents, fee: 0n };
      const transactions = [...now.transactions, this.#book(back, nowMs)];
      dispute.now = { ...now, status: 'won', transactions };
    }
  }

  /** Returns the id of the warning. */
  warn(intentId: string): string {
    const payment = this.payment(intentId);
    const warningId = this.#id('issfr_1');
    const warning = {
      warningId,
      intentId,
      chargeId: payment.intent.charge?.chargeId,
      fraudType: 'made_with_stolen_card',
      isActionable: true,
      createdAt: secondOf(this.#clock.nowMs()),
    };
    payment.warnings = [...payment.warnings, warning];
    return warningId;
  }

  /** Records a payment that reached the account without an order of ours. */
  payUnknown(amountUsdCents: UsdCents): void {
    const intentId = this.#id('pi_3');
    const request = {
      orderId: '',
      amountUsdCents,
      description: 'Walk-in sale',
      receiptEmail: '',
      metadata: {},
    };
    this.#payments.set(intentId, this.#unpaid(intentId, request));
    this.pay(intentId, 'visa');
  }

  /** Pays out to the bank the money that is available at this midnight. */
  payOut(midnightMs: number): void {
    const due = this.#movements.filter(
      ({ availableMs, isPaidOut }) => !isPaidOut && availableMs <= midnightMs,
    );
    const sum = due.reduce((total, { transaction }) => total + transaction.netUsdCents, 0n);
    if (sum <= 0n) return;
    const payoutId = this.#id('po_1');
    const amount = usdCents(-sum);
    const { transactionId } = this.#book(
      { type: 'payout', sourceId: payoutId, amount, fee: 0n, atMs: midnightMs },
      midnightMs,
    );
    for (const movement of [...due, ...this.#movements.slice(-1)]) movement.isPaidOut = true;
    this.payouts.push({ payoutId, transactionId, midnightMs });
  }

  refund({ refundId, intentId, amountUsdCents, metadata }: RefundRequest): CardRefund {
    const payment = this.payment(intentId);
    const nowMs = this.#clock.nowMs();
    const triedMs = payment.triedMs ?? nowMs;
    const refund: CardRefund = {
      refundId: `re_3${this.#digest(refundId)}`,
      intentId,
      chargeId: payment.intent.charge?.chargeId,
      amountUsdCents,
      currency: 'usd',
      status: 'succeeded',
      failureReason: undefined,
      metadata,
    };
    const { transactionId } = this.#book(
      { type: 'refund', sourceId: refund.refundId, amount: usdCents(0n - amountUsdCents), fee: 0n },
      Math.max(triedMs + AVAILABLE_AFTER_MS, nowMs),
    );
    payment.refunds.push({ refund, transactionId, atMs: nowMs });
    if (amountUsdCents === payment.intent.amountUsdCents) closeWarnings(payment);
    return refund;
  }

  answerDispute(disputeId: string): CardDispute {
    const dispute = this.dispute(disputeId);
    dispute.answeredMs = this.#clock.nowMs();
    const status = dispute.story.kind === 'inquiry' ? 'warning_under_review' : 'under_review';
    dispute.now = { ...dispute.now, status, submissionCount: 1 };
    return dispute.now;
  }

  #unpaid(intentId: string, request: IntentRequest): PastPayment {
    return {
      request,
      card: 'visa',
      refunds: [],
      disputes: [],
      warnings: [],
      intent: {
        intentId,
        createdAt: secondOf(this.#clock.nowMs()),
        status: 'requires_payment_method',
        amountUsdCents: request.amountUsdCents,
        amountReceivedUsdCents: usdCents(0n),
        currency: 'usd',
        metadata: request.metadata,
        clientSecret: '',
        error: undefined,
        charge: undefined,
      },
    };
  }

  payment(intentId: string): PastPayment {
    const payment = this.#payments.get(intentId);
    invariant(payment !== undefined, 'the payment was made here');
    return payment;
  }

  dispute(disputeId: string): PastDispute {
    const found = this.payments
      .flatMap(({ disputes }) => disputes)
      .find(({ now }) => now.disputeId === disputeId);
    invariant(found !== undefined, 'the dispute was made here');
    return found;
  }

  #book(
    { type, sourceId, amount, fee, atMs = this.#clock.nowMs() }: NewMovement,
    availableMs: number,
  ): CardTransaction {
    const transaction = {
      transactionId: this.#id('txn_1'),
      type,
      sourceId,
      amountUsdCents: amount,
      feeUsdCents: usdCents(fee),
      netUsdCents: usdCents(amount - fee),
      currency: 'usd',
      createdAt: secondOf(atMs),
    };
    this.#movements.push({
      transaction,
      availableMs: secondOf(availableMs).getTime(),
      isPaidOut: false,
    });
    return transaction;
  }

  #id(prefix: string): string {
    this.#count += 1;
    return `${prefix}${this.#digest(String(this.#count))}`;
  }

  #digest(words: string): string {
    return createHash('sha256').update(`${this.#words} ${words}`).digest('hex').slice(0, 23);
  }
}
