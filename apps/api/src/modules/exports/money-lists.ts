/** The exported lists of card money: payments, refunds and disputes. */
import type { Cell } from '../../platform/files/csv.ts';
import {
  compileDisputes,
  compilePayments,
  compileRefunds,
  countDisputes,
  countPayments,
  countRefunds,
  type DisputeFilters,
  type ListedDispute,
  type ListedRefund,
  type PaymentFilters,
  type PaymentRow,
  type RefundFilters,
} from '../cards/index.ts';
import { inChunks, worthCells, type ExportList } from './export-list.ts';

interface Sorted {
  readonly sort: 'newest' | 'oldest';
}

const ath = (units: bigint): Cell[] => worthCells(units.toString(), 'ATH');
const usd = (cents: bigint | null): Cell[] =>
  cents === null ? [null, null] : worthCells(cents.toString(), 'USD');
const time = (at: Date | null): Cell => at?.toISOString() ?? null;

export const payments: ExportList<PaymentRow, PaymentFilters & Sorted> = {
  permission: 'payments.read',
  columns: ['payment', 'status', 'customer_uuid', 'created_at', 'closed_at'].concat(
    ['amount', 'amount_units', 'returned', 'returned_units', 'refunding', 'refunding_units'],
    ['charged_back', 'charged_back_units', 'usd_per_ath'],
    ['price_usd', 'price_usd_cents', 'product_fee_usd', 'product_fee_usd_cents'],
    ['processing_fee_usd', 'processing_fee_usd_cents', 'total_usd', 'total_usd_cents'],
    ['provider_fee_usd', 'provider_fee_usd_cents', 'card_brand', 'card_last_four'],
    ['review_reason', 'resolution', 'intent_id', 'charge_id'],
  ),
  count: countPayments,
  read: (deps, filters) => inChunks(deps, compilePayments(deps.db, filters)),
  cellsOf: (_deps, rows) =>
    rows.map((row) => [
      row.id,
      row.state,
      row.customer_uuid,
      time(row.created_at),
      time(row.closed_at),
      ...ath(row.amount_micro_ath),
      ...ath(row.returned_micro_ath - row.refunding_micro_ath - row.charged_back_micro_ath),
      ...ath(row.refunding_micro_ath),
      ...ath(row.charged_back_micro_ath),
      { number: row.usd_per_ath },
      ...usd(row.price_usd_cents),
      ...usd(row.product_fee_usd_cents),
      ...usd(row.processing_fee_usd_cents),
      ...usd(row.total_usd_cents),
      ...usd(row.provider_fee_usd_cents),
      row.card_brand,
      row.card_last_four,
      row.review_reason,
      row.resolution,
      row.intent_id,
      row.charge_id,
    ]),
};

export const refunds: ExportList<ListedRefund, RefundFilters & Sorted> = {
  permission: 'payments.read',
  columns: ['refund', 'status', 'payment', 'customer_uuid'].concat(
    ['created_at', 'accepted_at', 'closed_at', 'method'],
    ['amount', 'amount_units', 'taken', 'taken_units', 'total_usd', 'total_usd_cents'],
    ['reason', 'failure', 'bank_reference', 'provider_refund_id'],
  ),
  count: countRefunds,
  read: (deps, filters) => inChunks(deps, compileRefunds(deps.db, filters)),
  cellsOf: (_deps, rows) =>
    rows.map((row) => [
      row.id,
      row.state,
      row.order_id,
      row.customer_uuid,
      time(row.created_at),
      time(row.accepted_at),
      time(row.closed_at),
      row.method,
      ...ath(row.share_micro_ath),
      ...ath(row.taken_micro_ath),
      ...usd(row.total_usd_cents),
      row.reason,
      row.failure,
      row.reference,
      row.provider_refund_id,
    ]),
};

export const disputes: ExportList<ListedDispute, DisputeFilters> = {
  permission: 'payments.read',
  columns: ['dispute', 'status', 'phase', 'payment', 'customer_uuid'].concat(
    ['opened_at', 'due_at', 'reason', 'amount_usd', 'amount_usd_cents'],
    ['withdrawn_usd', 'withdrawn_usd_cents', 'taken', 'taken_units', 'owed', 'owed_units'],
    ['evidence', 'provider_dispute_id'],
  ),
  count: countDisputes,
  read: (deps, filters) => inChunks(deps, compileDisputes(deps.db, filters)),
  cellsOf: (_deps, rows) =>
    rows.map((row) => [
      row.id,
      row.status,
      row.phase,
      row.order_id,
      row.customer_uuid,
      time(row.opened_at),
      time(row.due_at),
      row.reason,
      ...usd(row.amount_usd_cents),
      ...usd(row.withdrawn_usd_cents),
      ...ath(row.taken_micro_ath),
      ...ath(row.owed_micro_ath),
      row.evidence_state,
      row.provider_dispute_id,
    ]),
};
