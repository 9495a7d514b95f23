import type { AnswerOf } from '@athos/contract/api';

/** One purchase that the bank confirms, and one that waits for its card. */
export const PENDING: AnswerOf<'pendingPayments'> = {
  pending: [
    {
      id: '0192dddd-0000-7000-8000-000000000001',
      token_amount: '250000000',
      total: 5392,
      exchange_rate: 0.1943,
      created_at: '2026-11-20T10:00:00.000Z',
      state: 'processing',
    },
    {
      id: '0192dddd-0000-7000-8000-000000000002',
      token_amount: '100000000',
      total: 2186,
      exchange_rate: 0.1969,
      created_at: '2026-11-20T10:10:00.000Z',
      state: 'open',
    },
  ],
};
