import type { AnswerOf } from '@athos/contract/api';

type PendingPayment = AnswerOf<'pendingPayments'>['pending'][number];

const minutesFromNow = (minutes: number): string =>
  new Date(Date.now() + minutes * 60_000).toISOString();

/** A card purchase of 100 ATH that was created a minute ago. */
export const pendingPayment = (id: string, state: PendingPayment['state']): PendingPayment => ({
  id,
  token_amount: '100000000',
  total: 1868,
  exchange_rate: 0.1683,
  created_at: minutesFromNow(-1),
  expires_at: minutesFromNow(14),
  state,
});
