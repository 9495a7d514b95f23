/** Card money in the shape of the console's answers. */
import type { BookingRow, TransactionRow } from '../bookings/bookings.sql.ts';
import { totalOf, type Part } from '../orders/order-shares.ts';
import { awaitsEvidence } from '../disputes/dispute-states.ts';
import type { ListedDispute } from './dispute-lists.sql.ts';
import type { DayRow } from './provider-money.sql.ts';
import type { ListedRefund, PaymentRow, RefundCase } from './payments.sql.ts';

const textOf = (value: bigint | null): string | null => value?.toString() ?? null;
export const timeOf = (value: Date | null): string | null => value?.toISOString() ?? null;

interface CardColumns {
  readonly card_brand: string | null;
  readonly card_last_four: string | null;
}

const presentCard = ({ card_brand: brand, card_last_four: lastFour }: CardColumns) =>
  brand === null || lastFour === null ? null : { brand, last_four: lastFour };

/** Part of an order's money. */
export const presentPart = (part: Part) => ({
  token_amount: part.amountMicroAth.toString(),
  price_usd_cents: part.priceUsdCents.toString(),
  product_fee_usd_cents: part.productFeeUsdCents.toString(),
  processing_fee_usd_cents: part.processingFeeUsdCents.toString(),
  total_usd_cents: totalOf(part).toString(),
});

export const presentPayment = (row: PaymentRow) => ({
  id: row.id,
  customer_uuid: row.customer_uuid,
  state: row.state,
  token_amount: row.amount_micro_ath.toString(),
  total_usd_cents: row.total_usd_cents.toString(),
  provider_fee_usd_cents: textOf(row.provider_fee_usd_cents),
  returned_token_amount: row.returned_micro_ath.toString(),
  refunding_token_amount: row.refunding_micro_ath.toString(),
  charged_back_token_amount: row.charged_back_micro_ath.toString(),
  is_refund_under_way: row.is_refund_under_way,
  is_charged_back: row.is_charged_back,
  card: presentCard(row),
  review_reason: row.review_reason,
  resolution: row.resolution,
  created_at: row.created_at.toISOString(),
  closed_at: timeOf(row.closed_at),
});

export const presentRefund = (row: ListedRefund) => ({
  id: row.id,
  payment_id: row.order_id,
  customer_uuid: row.customer_uuid,
  state: row.state,
  is_adopted: row.is_adopted,
  method: row.method,
  bank_reference: row.reference,
  token_amount: row.share_micro_ath.toString(),
  taken_token_amount: row.taken_micro_ath.toString(),
  total_usd_cents: row.total_usd_cents.toString(),
  reason: row.reason,
  failure: row.failure,
  provider_refund_id: row.provider_refund_id,
  created_at: row.created_at.toISOString(),
  accepted_at: timeOf(row.accepted_at),
  closed_at: timeOf(row.closed_at),
});

export const presentRefundCase = (row: RefundCase) => ({
  ...presentRefund(row),
  price_usd_cents: row.price_usd_cents.toString(),
  product_fee_usd_cents: row.product_fee_usd_cents.toString(),
  processing_fee_usd_cents: row.processing_fee_usd_cents.toString(),
  card: presentCard(row),
  is_uncredited: row.funding === 'suspense',
  sent_at: timeOf(row.sent_at),
  requested_by:
    row.requested_by === null || row.requester_name === null
      ? null
      : { id: row.requested_by, name: row.requester_name },
});

/** The same condition as `awaitsEvidence` in `dispute-lists.sql.ts`. */
const canAnswer = ({ phase, status, evidence_state: state }: ListedDispute): boolean =>
  (phase === 'inquiry' || phase === 'open') &&
  awaitsEvidence(status) &&
  (state === 'draft' || state === 'refused');

export const presentDispute = (row: ListedDispute) => ({
  id: row.id,
  provider_dispute_id: row.provider_dispute_id,
  payment_id: row.order_id,
  customer_uuid: row.customer_uuid,
  status: row.status,
  phase: row.phase,
  reason: row.reason,
  amount_usd_cents: row.amount_usd_cents.toString(),
  withdrawn_usd_cents: row.withdrawn_usd_cents.toString(),
  taken_token_amount: row.taken_micro_ath.toString(),
  owed_token_amount: row.owed_micro_ath.toString(),
  due_at: timeOf(row.due_at),
  evidence_state: row.evidence_state,
  awaits_evidence: canAnswer(row),
  opened_at: row.opened_at.toISOString(),
});

export const presentBooking = (row: BookingRow) => ({
  id: row.id,
  what: row.what,
  payment_id: row.order_id,
  source_id: row.source_id,
  amount_usd_cents: row.amount_usd_cents.toString(),
  fee_usd_cents: row.fee_usd_cents.toString(),
  booked_at: row.booked_at.toISOString(),
  is_matched: row.matched_at !== null,
  explanation: row.explanation,
});

export const presentTransaction = (row: TransactionRow) => ({
  id: row.id,
  type: row.type,
  source_id: row.source_id,
  amount_usd_cents: row.amount_usd_cents.toString(),
  fee_usd_cents: row.fee_usd_cents.toString(),
  net_usd_cents: row.net_usd_cents.toString(),
  created_at: row.created_at.toISOString(),
  listed_at: row.listed_at.toISOString(),
  booking_id: row.booking_id,
  explanation: row.explanation,
});

export const presentDay = (row: DayRow) => ({
  day: row.day_text,
  provider_usd_cents: row.provider_usd_cents.toString(),
  nets_usd_cents: row.nets_usd_cents.toString(),
  clearing_usd_cents: row.clearing_usd_cents.toString(),
  in_flight_usd_cents: row.in_flight_usd_cents.toString(),
  is_agreed: row.is_agreed,
  checked_at: row.checked_at.toISOString(),
});
