import { missingResource } from '../transport/errors.ts';
import { answerList, listSpec, readFilters } from '../transport/list.ts';
import { ok } from '../transport/route.ts';
import type { Route } from '../transport/route.ts';
import { readBalance, withStatus } from './movements.ts';

/** The balance and its movements. */
export const balanceRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/balance_transactions',
    params: { ...listSpec, created: 'text or map', currency: 'text', source: 'text', type: 'text' },
    run: (call) =>
      answerList(call, 'balance_transaction', {
        url: '/v1/balance_transactions',
        equals: readFilters(call, ['currency', 'source', 'type']),
        present: (movement) => withStatus(call.sandbox, movement),
      }),
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
];
