import type Stripe from 'stripe';
import { missingResource } from '../transport/errors.ts';
import { answerList, listSpec, readFilters } from '../transport/list.ts';
import { readList } from '../transport/params.ts';
import { ok } from '../transport/route.ts';
import type { Call, Route } from '../transport/route.ts';
import { oldestEventSeconds, withPendingCount } from '../webhooks/events.ts';

const idSpec = { expand: 'list' } as const;
const created = 'text or map' as const;

function findEvent(call: Call): Stripe.Event {
  const event = call.sandbox.store.find('event', call.id)?.object;
  if (event === undefined || event.created < oldestEventSeconds(call.sandbox)) {
    throw missingResource('event', call.id);
  }
  return withPendingCount(call.sandbox, event);
}

const chargeRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/charges',
    params: { ...listSpec, created, customer: 'text', payment_intent: 'text' },
    run: (call) =>
      answerList(call, 'charge', {
        url: '/v1/charges',
        equals: readFilters(call, ['customer', 'payment_intent']),
      }),
  },
  {
    method: 'GET',
    path: '/v1/charges/:id',
    params: idSpec,
    run: (call) => {
      const charge = call.sandbox.store.find('charge', call.id)?.object;
      if (charge === undefined) throw missingResource('charge', call.id);
      return ok(charge);
    },
  },
];

const eventRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/events',
    params: { ...listSpec, created, type: 'text', types: 'list' },
    run: (call) => {
      const types = readList(call.form, 'types');
      return answerList(call, 'event', {
        url: '/v1/events',
        createdFrom: oldestEventSeconds(call.sandbox),
        equals: types.length > 0 ? { type: types } : readFilters(call, ['type']),
        present: (event) => withPendingCount(call.sandbox, event),
      });
    },
  },
  {
    method: 'GET',
    path: '/v1/events/:id',
    params: idSpec,
    run: (call) => ok(findEvent(call)),
  },
];

/** The routes that reconciliation reads. */
export const recordRoutes: readonly Route[] = [...chargeRoutes, ...eventRoutes];
