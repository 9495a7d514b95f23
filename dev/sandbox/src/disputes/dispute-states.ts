import type Stripe from 'stripe';
import { readId } from '../ids.ts';
import { failPendingRefunds } from '../refunds/refund-states.ts';
import type { Cause, Sandbox } from '../sandbox.ts';
import { schedule } from '../timers.ts';
import { emit } from '../webhooks/events.ts';
import { bookCounterFee, isWithdrawn, reinstate, withdraw } from './dispute-money.ts';
import { describeCase, dueBy, scheduleDue } from './open-dispute.ts';

type Dispute = Stripe.Dispute;

/** How long the bank takes to read evidence, by the sandbox's clock. */
const reviewMs = 5000;

const reviewStatuses: Record<string, Dispute['status']> = {
  needs_response: 'under_review',
  warning_needs_response: 'warning_under_review',
  appeal_needs_response: 'appeal_under_review',
};

export function needsResponse(dispute: Dispute): boolean {
  return Object.hasOwn(reviewStatuses, dispute.status);
}

function isInquiry(dispute: Dispute): boolean {
  return dispute.status.startsWith('warning_');
}

/** Sends the evidence to the bank. Its text decides a little later, see `decideDispute`. */
export function submitEvidence(sandbox: Sandbox, cause: Cause | null, dispute: Dispute): Dispute {
  const details = dispute.evidence_details;
  const submitted: Dispute = {
    ...dispute,
    evidence_details: {
      ...details,
      has_evidence: true,
      submission_count: details.submission_count + 1,
      submission_method: 'manual',
    },
    status: reviewStatuses[dispute.status] ?? dispute.status,
  };
  if (dispute.status === 'needs_response') bookCounterFee(sandbox, dispute);
  schedule(sandbox, 'decide_dispute', dispute.id, reviewMs);
  return keep(sandbox, cause, { before: dispute, after: submitted });
}

/** Timer: the provider's test texts decide a dispute under review; any other text leaves it there. */
export function decideDispute(sandbox: Sandbox, disputeId: string): void {
  const dispute = sandbox.store.find('dispute', disputeId)?.object;
  if (dispute?.status.endsWith('under_review') !== true) return;
  const text = dispute.evidence.uncategorized_text;
  if (text === 'winning_evidence') winDispute(sandbox, null, dispute);
  else if (text === 'escalate_inquiry_evidence' && isInquiry(dispute)) {
    escalateInquiry(sandbox, dispute);
  } else if (text === 'losing_evidence' && isInquiry(dispute)) {
    // An inquiry took no money, so it can only end or become a chargeback.
    winDispute(sandbox, null, dispute);
  } else if (text === 'losing_evidence') loseDispute(sandbox, null, dispute);
}

/** Timer: an unanswered dispute is lost at `due_by`. An unanswered inquiry stays open, marked as past due. */
export function expireDispute(sandbox: Sandbox, disputeId: string): void {
  const dispute = sandbox.store.find('dispute', disputeId)?.object;
  if (dispute === undefined || !needsResponse(dispute)) return;
  const details = dispute.evidence_details;
  // A reopened dispute has a later date and a timer of its own.
  if (details.due_by === null || details.due_by > sandbox.clock.nowSeconds()) return;
  const expired = { ...dispute, evidence_details: { ...details, past_due: true } };
  if (isInquiry(dispute)) keep(sandbox, null, { before: dispute, after: expired });
  else loseDispute(sandbox, null, expired);
}

/** Timer: an inquiry that never became a chargeback is closed after 120 days. */
export function closeInquiry(sandbox: Sandbox, disputeId: string): void {
  const dispute = sandbox.store.find('dispute', disputeId)?.object;
  if (dispute === undefined || !isInquiry(dispute)) return;
  if (dispute.status !== 'warning_closed') winDispute(sandbox, null, dispute);
}

/** Closes the inquiries of a charge that was refunded in full: nobody can take its money any more. */
export function closeInquiriesOf(sandbox: Sandbox, chargeId: string): void {
  const { data } = sandbox.store.list('dispute', { limit: 100, equals: { charge: [chargeId] } });
  for (const { id } of data) closeInquiry(sandbox, id);
}

/** Ends a dispute well: the money comes back if it was taken. An inquiry is closed. */
export function winDispute(sandbox: Sandbox, cause: Cause | null, dispute: Dispute): Dispute {
  const wasWithdrawn = isWithdrawn(dispute);
  const paid = wasWithdrawn ? reinstate(sandbox, dispute) : dispute;
  const status = isInquiry(dispute) ? 'warning_closed' : 'won';
  const won: Dispute = { ...paid, is_charge_refundable: true, status };
  sandbox.store.update('dispute', won);
  const previous = { status: dispute.status };
  if (wasWithdrawn) {
    emit(sandbox, cause, { type: 'charge.dispute.funds_reinstated', object: won });
  }
  emit(sandbox, cause, { type: 'charge.dispute.closed', object: won, previous });
  return won;
}

/** Ends a dispute badly. Money that a win had brought back is taken again. */
export function loseDispute(sandbox: Sandbox, cause: Cause | null, dispute: Dispute): Dispute {
  const wasWithdrawn = isWithdrawn(dispute);
  const taken = wasWithdrawn ? dispute : withdraw(sandbox, dispute);
  const lost: Dispute = { ...taken, is_charge_refundable: false, status: 'lost' };
  sandbox.store.update('dispute', lost);
  const previous = { status: dispute.status };
  if (!wasWithdrawn) {
    emit(sandbox, cause, { type: 'charge.dispute.funds_withdrawn', object: lost });
  }
  emit(sandbox, cause, { type: 'charge.dispute.closed', object: lost, previous });
  return lost;
}

/** Turns an inquiry into a chargeback over the amount that is not refunded, which takes the money and can be answered again. */
export function escalateInquiry(sandbox: Sandbox, dispute: Dispute): Dispute {
  const charge = sandbox.store.find('charge', readId(dispute.charge))?.object;
  if (charge === undefined) throw new Error(`No charge of ${dispute.id}.`);
  const kind = 'chargeback';
  const card = describeCase(charge, { kind, reason: dispute.reason });
  const escalated = withdraw(sandbox, {
    ...dispute,
    amount: Math.min(dispute.amount, charge.amount - charge.amount_refunded),
    evidence_details: { ...dispute.evidence_details, due_by: dueBy(sandbox), past_due: false },
    is_charge_refundable: false,
    payment_method_details: { card, type: 'card' },
    status: 'needs_response',
  });
  scheduleDue(sandbox, escalated);
  keep(sandbox, null, { before: dispute, after: escalated });
  emit(sandbox, null, { type: 'charge.dispute.funds_withdrawn', object: escalated });
  failPendingRefunds(sandbox, charge.id);
  return escalated;
}

const reopenedStatuses: Record<string, Dispute['status']> = {
  lost: 'appeal_needs_response',
  warning_closed: 'warning_needs_response',
  won: 'needs_response',
};

export function isClosed(dispute: Dispute): boolean {
  return Object.hasOwn(reopenedStatuses, dispute.status) || dispute.status === 'prevented';
}

/** Opens a closed dispute again: a lost one for an appeal, a won one because the bank insists and takes the money again. */
export function reopenDispute(sandbox: Sandbox, dispute: Dispute): Dispute {
  const isTaken = dispute.status === 'won';
  const taken = isTaken ? withdraw(sandbox, dispute) : dispute;
  const reopened: Dispute = {
    ...taken,
    evidence_details: { ...dispute.evidence_details, due_by: dueBy(sandbox), past_due: false },
    is_charge_refundable: dispute.status === 'warning_closed',
    status: reopenedStatuses[dispute.status] ?? dispute.status,
  };
  scheduleDue(sandbox, reopened);
  keep(sandbox, null, { before: dispute, after: reopened });
  if (isTaken) emit(sandbox, null, { type: 'charge.dispute.funds_withdrawn', object: reopened });
  return reopened;
}

/** Stores a changed dispute that stays open, and reports the changed top-level fields. */
export function keep(
  sandbox: Sandbox,
  cause: Cause | null,
  change: { before: Dispute; after: Dispute },
): Dispute {
  const { before, after } = change;
  sandbox.store.update('dispute', after);
  const previous = Object.fromEntries(
    Object.entries(before).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(after[name as keyof Dispute]),
    ),
  );
  emit(sandbox, cause, { type: 'charge.dispute.updated', object: after, previous });
  return after;
}
