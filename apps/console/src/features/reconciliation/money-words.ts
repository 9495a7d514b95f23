/** The words for the provider's transactions and for our bookings. */
import { m } from '@athos/messages/messages';
import type { AdminAnswer } from '../../api/call.ts';

export type Transaction = AdminAnswer<'cardTransaction'>;
export type Booking = AdminAnswer<'cardBooking'>;

const TYPE_TITLES: Readonly<Record<string, () => string>> = {
  charge: m.reconciliation_type_charge,
  payment: m.reconciliation_type_payment,
  refund: m.reconciliation_type_refund,
  payment_refund: m.reconciliation_type_payment_refund,
  refund_failure: m.reconciliation_type_refund_failure,
  payment_failure_refund: m.reconciliation_type_payment_failure_refund,
  adjustment: m.reconciliation_type_adjustment,
  payout: m.reconciliation_type_payout,
  payout_failure: m.reconciliation_type_payout_failure,
  payout_cancel: m.reconciliation_type_payout_cancel,
  stripe_fee: m.reconciliation_type_stripe_fee,
};

/** An unknown type is shown by the provider's name for it. */
export const typeTitle = (type: string): string =>
  TYPE_TITLES[type]?.() ?? type.replaceAll('_', ' ');

export const WHAT_TITLES: Readonly<Record<Booking['what'], () => string>> = {
  payment: m.reconciliation_what_payment,
  refund: m.reconciliation_what_refund,
  refund_return: m.reconciliation_what_refund_return,
  dispute: m.reconciliation_what_dispute,
  payout: m.reconciliation_what_payout,
  manual: m.reconciliation_what_manual,
};
