import type { AnswerOf } from '@athos/contract/api';

type PendingPayment = AnswerOf<'pendingPayments'>['pending'][number];

/** A card purchase of 100 ATH that was created a minute before noon. */
export const pendingPayment = (id: string, state: PendingPayment['state']): PendingPayment => ({
  id,
  token_amount: '100000000',
  total: 1868,
  exchange_rate: 0.1683,
  created_at: '2026-11-21T11:59:00.000Z',
  state,
});
