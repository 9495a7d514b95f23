import { missingResource } from '../transport/errors.ts';
import { answerList, listSpec, readFilters } from '../transport/list.ts';
import { readGiven } from '../transport/params.ts';
import { ok } from '../transport/route.ts';
import type { Answer, Call, Route } from '../transport/route.ts';
import { readBalance, withStatus } from './movements.ts';

/** Lists movements. Those of a payout include the payout's own movement, so that they add up to zero. */
function listMovements(call: Call): Answer {
  const payout = readGiven(call.form, 'payout');
  if (payout !== undefined && call.sandbox.store.find('payout', payout) === undefined) {
    throw missingResource('payout', payout, 'payout');
  }
  return answerList(call, 'balance_transaction', {
    url: '/v1/balance_transactions',
    equals: readFilters(call, ['currency', 'source', 'type']),
    ...(payout === undefined ? {} : { hiddenEquals: { payout } }),
    present: (movement) => withStatus(call.sandbox, movement),
  });
}

/** The balance, its movements and its payouts. */
export const balanceRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/balance_transactions',
    params: {
      ...listSpec,
      created: 'text or map',
      currency: 'text',
      payout: 'text',
      source: 'text',
      type: 'text',
    },
    run: listMovements,
  },
  {
    method: 'GET',
    path: '/v1/balance_transactions/:id',
    params: { expand: 'list' },
    run: (call) => {
      const movement = call.sandbox.store.find('balance_transaction', call.id)?.object;
      if (movement === undefined) throw missingResource('balance transaction', call.id);
      return ok(withStatus(call.sandbox, movement));
    },
  },
  {
    method: 'GET',
    path: '/v1/balance',
    params: {},
    run: (call) => ok(readBalance(call.sandbox)),
  },
  {
    method: 'GET',
    path: '/v1/payouts',
    params: { ...listSpec, created: 'text or map', destination: 'text', status: 'text' },
    run: (call) =>
      answerList(call, 'payout', {
        url: '/v1/payouts',
        equals: readFilters(call, ['destination', 'status']),
      }),
  },
  {
    method: 'GET',
    path: '/v1/payouts/:id',
    params: { expand: 'list' },
    run: (call) => {
      const payout = call.sandbox.store.find('payout', call.id)?.object;
      if (payout === undefined) throw missingResource('payout', call.id);
      return ok(payout);
    },
  },
];
