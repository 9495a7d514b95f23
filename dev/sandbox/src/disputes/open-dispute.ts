import type Stripe from 'stripe';
import { createId, readId } from '../ids.ts';
import { settleChargeLater } from '../payments/intent-timers.ts';
import { failPendingRefunds } from '../refunds/refund-states.ts';
import type { Sandbox } from '../sandbox.ts';
import { scheduleAt } from '../timers.ts';
import { closeWarnings } from '../warnings/early-fraud-warnings.ts';
import { emit } from '../webhooks/events.ts';
import { withdraw } from './dispute-money.ts';
import { firstEvidence } from './evidence.ts';

/** A chargeback takes the money at once, an inquiry only asks, a prevented dispute takes nothing. */
export const disputeKinds = ['chargeback', 'inquiry', 'prevented'] as const;
type DisputeKind = (typeof disputeKinds)[number];

const daySeconds = 86_400;
const answerDays = 9;
const inquiryDays = 120;

/** Visa's reason codes; an inquiry shows only the part before the dot. */
const networkCodes: Record<string, string> = {
  credit_not_processed: '13.6',
  duplicate: '12.6',
  fraudulent: '10.4',
  general: '13.7',
  product_not_received: '13.1',
  product_unacceptable: '13.3',
  subscription_canceled: '13.2',
  unrecognized: '10.4',
};
export const disputeReasons: readonly string[] = Object.keys(networkCodes);

export interface DisputeTerms {
  readonly kind: DisputeKind;
  readonly reason: string;
  readonly amount: number;
}

/** Opens a dispute of a charge, reports it, and takes its money if it is a chargeback. */
export function openDispute(
  sandbox: Sandbox,
  chargeId: string,
  terms: DisputeTerms,
): Stripe.Dispute {
  // A charge is recorded before the money of its dispute leaves.
  settleChargeLater(sandbox, chargeId);
  const charge = sandbox.store.find('charge', chargeId)?.object;
  if (charge === undefined) throw new Error(`No charge ${chargeId}.`);
  sandbox.store.update('charge', { ...charge, disputed: true });
  const blank = describeDispute(sandbox, charge, terms);
  const dispute = terms.kind === 'chargeback' ? withdraw(sandbox, blank) : blank;
  sandbox.store.insert('dispute', dispute);
  scheduleDue(sandbox, dispute);
  if (terms.kind === 'inquiry') {
    scheduleAt(sandbox, 'close_inquiry', dispute.id, dispute.created + inquiryDays * daySeconds);
  }
  emit(sandbox, null, { type: 'charge.dispute.created', object: dispute });
  if (terms.kind === 'chargeback') {
    emit(sandbox, null, { type: 'charge.dispute.funds_withdrawn', object: dispute });
    failPendingRefunds(sandbox, chargeId);
  }
  closeWarnings(sandbox, chargeId);
  return dispute;
}

/** Ends the dispute at `due_by` if it is not answered by then. */
export function scheduleDue(sandbox: Sandbox, dispute: Stripe.Dispute): void {
  const { due_by } = dispute.evidence_details;
  if (due_by !== null) scheduleAt(sandbox, 'dispute_due', dispute.id, due_by);
}

/** The last second of the day on which an answer is due. */
export function dueBy(sandbox: Sandbox): number {
  const due = sandbox.clock.nowSeconds() + answerDays * daySeconds;
  return due - (due % daySeconds) + daySeconds - 1;
}

const startStatuses = {
  chargeback: 'needs_response',
  inquiry: 'warning_needs_response',
  prevented: 'prevented',
} as const;

function describeDispute(
  sandbox: Sandbox,
  charge: Stripe.Charge,
  terms: DisputeTerms,
): Stripe.Dispute {
  return {
    id: createId('du_1'),
    object: 'dispute',
    amount: terms.amount,
    balance_transactions: [],
    charge: charge.id,
    created: sandbox.clock.nowSeconds(),
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: firstEvidence(charge),
    evidence_details: {
      due_by: terms.kind === 'prevented' ? null : dueBy(sandbox),
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: 'prefer_manual',
    is_charge_refundable: terms.kind !== 'chargeback',
    livemode: false,
    metadata: {},
    payment_intent: readId(charge.payment_intent) || null,
    payment_method_details: { card: describeCase(charge, terms), type: 'card' },
    reason: terms.reason,
    status: startStatuses[terms.kind],
  };
}

/** The case as the card network describes it. */
export function describeCase(
  charge: Stripe.Charge,
  terms: Pick<DisputeTerms, 'kind' | 'reason'>,
): Stripe.Dispute.PaymentMethodDetails.Card {
  const brand = charge.payment_method_details?.card?.brand ?? 'unknown';
  const code = networkCodes[terms.reason] ?? '';
  const shown = terms.kind === 'inquiry' ? code.split('.')[0] : code;
  return {
    brand,
    case_type: terms.kind === 'prevented' ? 'block' : terms.kind,
    network: brand,
    network_reason_code: brand === 'visa' && shown ? shown : null,
  };
}
