import type { PaymentState, RefundState } from '@athos/contract/console/payments';
import { m } from '@athos/messages/messages';
import type { Tone } from '../../kit/badge.tsx';

interface StateWords {
  readonly title: () => string;
  readonly tone: Tone;
}

export const PAYMENT_STATE: Readonly<Record<PaymentState, StateWords>> = {
  creating: { title: m.payments_state_creating, tone: 'neutral' },
  open: { title: m.payments_state_open, tone: 'info' },
  credited: { title: m.payments_state_credited, tone: 'success' },
  canceled: { title: m.payments_state_canceled, tone: 'neutral' },
  review: { title: m.payments_state_review, tone: 'danger' },
};

export const REFUND_STATE: Readonly<Record<RefundState, StateWords>> = {
  requested: { title: m.payments_refund_state_requested, tone: 'info' },
  approved: { title: m.payments_refund_state_approved, tone: 'info' },
  sending: { title: m.payments_refund_state_sending, tone: 'info' },
  pending: { title: m.payments_refund_state_pending, tone: 'info' },
  succeeded: { title: m.payments_refund_state_succeeded, tone: 'success' },
  rejected: { title: m.payments_refund_state_rejected, tone: 'neutral' },
  withdrawn: { title: m.payments_refund_state_withdrawn, tone: 'neutral' },
  expired: { title: m.payments_refund_state_expired, tone: 'neutral' },
  refused: { title: m.payments_refund_state_refused, tone: 'danger' },
  failed: { title: m.payments_refund_state_failed, tone: 'danger' },
};

/** States that change by themselves, so that the screen polls more often. */
const MOVING_REFUNDS: readonly RefundState[] = ['approved', 'sending', 'pending'];
export const isMoving = ({ state }: { readonly state: RefundState }): boolean =>
  MOVING_REFUNDS.includes(state);

/** The tokens that were returned to the card or by bank transfer. Pending refunds do not count, nor does money taken by a bank. */
export const refundedTokens = (payment: {
  readonly returnedTokenAmount: string;
  readonly refundingTokenAmount: string;
  readonly chargedBackTokenAmount: string;
}): string =>
  (
    BigInt(payment.returnedTokenAmount) -
    BigInt(payment.refundingTokenAmount) -
    BigInt(payment.chargedBackTokenAmount)
  ).toString();

export const stateOptions = (words: Readonly<Record<string, StateWords>>) =>
  Object.entries(words).map(([value, { title }]) => ({ value, label: title() }));

const EVENT_TITLES: Readonly<Record<string, (() => string) | undefined>> = {
  'payment_intent.created': m.payments_event_intent_created,
  'payment_intent.requires_action': m.payments_event_requires_action,
  'payment_intent.processing': m.payments_event_processing,
  'payment_intent.payment_failed': m.payments_event_payment_failed,
  'payment_intent.succeeded': m.payments_event_succeeded,
  'payment_intent.canceled': m.payments_event_canceled,
  'charge.succeeded': m.payments_event_charge_succeeded,
  'charge.failed': m.payments_event_charge_failed,
  'charge.pending': m.payments_event_charge_pending,
  'charge.updated': m.payments_event_charge_updated,
  'charge.refunded': m.payments_event_charge_refunded,
  'charge.refund.updated': m.payments_event_refund_updated,
  'refund.created': m.payments_event_refund_created,
  'refund.updated': m.payments_event_refund_updated,
  'refund.failed': m.payments_event_refund_failed,
  'charge.dispute.created': m.payments_event_dispute_created,
  'charge.dispute.updated': m.payments_event_dispute_updated,
  'charge.dispute.funds_withdrawn': m.payments_event_funds_withdrawn,
  'charge.dispute.funds_reinstated': m.payments_event_funds_reinstated,
  'charge.dispute.closed': m.payments_event_dispute_closed,
  'radar.early_fraud_warning.created': m.payments_event_warning,
  'radar.early_fraud_warning.updated': m.payments_event_warning,
};

/** The title of an event, or its type if the provider has added one that is not known here. */
export const eventTitle = (type: string): string => EVENT_TITLES[type]?.() ?? type;
