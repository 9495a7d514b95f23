import type Stripe from 'stripe';
import { invalidRequest, missingResource } from '../transport/errors.ts';
import { answerList, listSpec, readFilters } from '../transport/list.ts';
import { mergeMetadata, readBoolean, readForm } from '../transport/params.ts';
import { ok } from '../transport/route.ts';
import type { Answer, Call, Route } from '../transport/route.ts';
import { isClosed, keep, loseDispute, needsResponse, submitEvidence } from './dispute-states.ts';
import { evidenceSpec, mergeEvidence } from './evidence.ts';

function find(call: Call): Stripe.Dispute {
  const dispute = call.sandbox.store.find('dispute', call.id)?.object;
  if (dispute === undefined) throw missingResource('dispute', call.id);
  return dispute;
}

/** Changes evidence and metadata. Evidence is sent to the bank at once, unless `submit` is false. */
function update(call: Call): Answer {
  const { sandbox, cause, form } = call;
  const dispute = find(call);
  const hasEvidence = form['evidence'] !== undefined;
  const isSubmitted = form['submit'] === undefined ? hasEvidence : readBoolean(form, 'submit');
  if (hasEvidence || isSubmitted) requireAnswerable(dispute);
  const given = readForm(form, 'evidence');
  const changed: Stripe.Dispute = {
    ...dispute,
    metadata: mergeMetadata(dispute.metadata, form),
    ...(hasEvidence ? { evidence: mergeEvidence(sandbox, dispute.evidence, given) } : {}),
    evidence_details: {
      ...dispute.evidence_details,
      has_evidence: dispute.evidence_details.has_evidence || hasEvidence,
    },
  };
  if (isSubmitted) return ok(submitEvidence(sandbox, cause, changed));
  return ok(keep(sandbox, cause, { before: dispute, after: changed }));
}

function requireAnswerable(dispute: Stripe.Dispute): void {
  if (isClosed(dispute)) throw invalidRequest('This dispute is already closed');
  if (!needsResponse(dispute)) {
    throw invalidRequest(
      `The evidence of this dispute was submitted already; it has a status of ${dispute.status}.`,
    );
  }
}

/** Accepts a dispute as lost. An inquiry cannot be lost, only answered or refunded. */
function close(call: Call): Answer {
  const dispute = find(call);
  requireAnswerable(dispute);
  if (dispute.status === 'warning_needs_response') {
    throw invalidRequest('An inquiry cannot be closed: answer it, or refund the payment.');
  }
  return ok(loseDispute(call.sandbox, call.cause, dispute));
}

export const disputeRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/disputes',
    params: { ...listSpec, charge: 'text', created: 'text or map', payment_intent: 'text' },
    run: (call) =>
      answerList(call, 'dispute', {
        url: '/v1/disputes',
        equals: readFilters(call, ['charge', 'payment_intent']),
      }),
  },
  {
    method: 'GET',
    path: '/v1/disputes/:id',
    params: { expand: 'list' },
    run: (call) => ok(find(call)),
  },
  {
    method: 'POST',
    path: '/v1/disputes/:id',
    params: { evidence: evidenceSpec, expand: 'list', metadata: 'map', submit: 'text' },
    run: update,
  },
  {
    method: 'POST',
    path: '/v1/disputes/:id/close',
    params: { expand: 'list' },
    run: close,
  },
];
