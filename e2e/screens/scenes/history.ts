import type { HistoryItem } from '@athos/contract/wallet/history';
import { see } from '../acts.ts';
import { scenesOf } from '../scene.ts';
import type { Stage } from '../stage.ts';

const moved = {
  date: '2026-11-20T18:45:00.000Z',
  amount: '12500000',
  asset: 'ATH',
  counterparty: '0192aaaa-bbbb-7ccc-8ddd-eeeeffff0001',
} as const;
const paid = {
  date: '2026-11-18T09:05:00.000Z',
  token_amount: '100000000',
  amount_paid: 2186,
  tx_fee: 94,
  athos_fee: 42,
} as const;

/** One of each kind, the long ones too. */
const items: readonly HistoryItem[] = [
  { type: 'Send', data: { ...moved, id: 12 } },
  { type: 'Receive', data: { ...moved, id: 11, amount: '9223372036854775807' } },
  { type: 'Payment', data: { ...paid, id: 10, stripe_status: 1 } },
  { type: 'Payment', data: { ...paid, id: 9, stripe_status: 2 } },
  { type: 'Reward', data: { ...moved, id: 8, asset: 'ATH2', counterparty: null } },
  {
    type: 'Purchase',
    data: {
      id: 7,
      date: '2025-12-31T22:30:00.000Z',
      purchase_date: '2025-12-31T22:30:00.000Z',
      offer_amount: 2500,
      offer_count: 2,
      offer: { kind: 1, title: 'Night drive', img: '', note: '' },
    },
  },
  { type: 'Send', data: { ...moved, id: 6, date: '2024-02-29T12:00:00.000Z', amount: '1' } },
];

const detail = (type: HistoryItem['type'], id?: number) => async (stage: Stage) => {
  const item = items.find((one) => one.type === type && (id ?? one.data.id) === one.data.id);
  if (item === undefined) throw new Error(`No ${type}`);
  const page = await stage.member(`/app/history/id=${item.data.id}`, {
    answers: { historyItem: item },
  });
  return see(page, 'Status');
};

export const historyScenes = [
  ...scenesOf('history', {
    filled: async (stage) => see(await stage.member('/app/history'), 'Receive'),
    'every kind': async (stage) =>
      see(
        await stage.member('/app/history', {
          answers: { allHistory: { history: [...items], next_cursor: null } },
        }),
        'That is everything.',
      ),
    empty: async (stage) =>
      see(await stage.member('/app/history', { who: 'new' }), 'No movements yet'),
    loading: async (stage) => {
      const page = await stage.member('/app/history', { answers: { allHistory: 'never' } });
      await page.getByRole('status', { name: 'Loading history' }).waitFor();
      return page;
    },
    failed: async (stage) =>
      see(
        await stage.member('/app/history', {
          answers: { allHistory: { problem: 'internal_error' } },
        }),
        'could not be loaded',
      ),
  }),
  ...scenesOf('history-detail', {
    sent: detail('Send'),
    'received, huge amount': detail('Receive'),
    paid: detail('Payment'),
    'payment failed': detail('Payment', 9),
    reward: detail('Reward'),
    purchase: detail('Purchase'),
    loading: async (stage) => {
      const page = await stage.member('/app/history/id=1', { answers: { historyItem: 'never' } });
      await page.getByRole('status', { name: 'Loading history' }).waitFor();
      return page;
    },
    'not found': async (stage) => see(await stage.member('/app/history/none'), 'was not found'),
    failed: async (stage) =>
      see(
        await stage.member('/app/history/id=1', {
          answers: { historyItem: { problem: 'internal_error' } },
        }),
        'could not be loaded',
      ),
  }),
];
