import type Stripe from 'stripe';
import { invalidRequest, missingResource } from '../transport/errors.ts';
import { answerList, listSpec, readFilters } from '../transport/list.ts';
import { mergeMetadata } from '../transport/params.ts';
import { ok } from '../transport/route.ts';
import type { Answer, Call, Route } from '../transport/route.ts';
import { createRefund } from './create-refund.ts';
import { emitUpdated } from './refund-states.ts';

function find(call: Call): Stripe.Refund {
  const refund = call.sandbox.store.find('refund', call.id)?.object;
  if (refund === undefined) throw missingResource('refund', call.id);
  return refund;
}

function update(call: Call): Answer {
  const refund = find(call);
  const changed = { ...refund, metadata: mergeMetadata(refund.metadata ?? {}, call.form) };
  call.sandbox.store.update('refund', changed);
  emitUpdated(call.sandbox, call.cause, changed, { metadata: refund.metadata });
  return ok(changed);
}

/** Refuses every refund: only payment methods that ask the customer to act have refunds that can be canceled. */
function cancel(call: Call): Answer {
  const { status } = find(call);
  throw invalidRequest(
    `This refund cannot be canceled because it has a status of ${status}. Only a refund with a status of requires_action may be canceled.`,
  );
}

export const refundRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/v1/refunds',
    params: {
      amount: 'text',
      charge: 'text',
      expand: 'list',
      metadata: 'map',
      payment_intent: 'text',
      reason: 'text',
    },
    run: (call) => ok(createRefund(call.sandbox, call.cause, call.form)),
  },
  {
    method: 'GET',
    path: '/v1/refunds',
    params: { ...listSpec, charge: 'text', created: 'text or map', payment_intent: 'text' },
    run: (call) =>
      answerList(call, 'refund', {
        url: '/v1/refunds',
        equals: readFilters(call, ['charge', 'payment_intent']),
      }),
  },
  {
    method: 'GET',
    path: '/v1/refunds/:id',
    params: { expand: 'list' },
    run: (call) => ok(find(call)),
  },
  {
    method: 'POST',
    path: '/v1/refunds/:id',
    params: { expand: 'list', metadata: 'map' },
    run: update,
  },
  {
    method: 'POST',
    path: '/v1/refunds/:id/cancel',
    params: { expand: 'list' },
    run: cancel,
  },
];
