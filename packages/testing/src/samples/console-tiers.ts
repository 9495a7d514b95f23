/** The tiers as staff edit them, and the number of holders by amount. */
import type { ConsoleAnswerOf } from '@athos/contract/console/calls';
import type { Handlers } from '../fake-api.ts';

type Tiers = ConsoleAnswerOf<'consoleTiers'>;

const HOUR_MS = 3_600_000;
const MICRO = 1_000_000;

const tier = (id: number, title: string, ath: number, look: { color: string; note: string }) => ({
  id,
  title,
  amount: String(ath * MICRO),
  ...look,
  offer_count: id === 2 ? 3 : 0,
  campaign_count: id === 2 ? 1 : 0,
});

export const consoleTiers = (more: Partial<Tiers> = {}): Tiers => ({
  version: 4,
  items: [
    tier(1, 'Bronze', 100, {
      color: '#bd7d47',
      note: 'A free drink on your birthday and early word of every event.',
    }),
    tier(2, 'Silver', 1_000, {
      color: '#aab0ba',
      note: 'Tickets a day before everybody else, and the shop online.',
    }),
    tier(3, 'Gold', 10_000, {
      color: '#d9a935',
      note: 'The short line at every venue, and a guest on your list.',
    }),
    tier(4, 'Onyx', 100_000, {
      color: '#2b2433',
      note: 'Backstage, paddock and one lap a year beside a driver.',
    }),
  ],
  request_id: null,
  ...more,
});

/** Fewer holders for higher amounts, as with real balances. */
const holdersFrom = (amount: number): number => Math.round(48_211 / (1 + amount / (40 * MICRO)));

export const tierAnswers: Handlers = {
  consoleTiers: () => consoleTiers(),
  tierHolders: ({ query }) => ({
    counted_at: new Date(Date.now() - 9 * HOUR_MS).toISOString(),
    items: (query.get('amounts') ?? '').split(',').map((amount) => ({
      amount,
      count: holdersFrom(Number(amount)),
      is_exact: true,
    })),
  }),
  changeTiers: () => ({
    outcome: 'requested',
    approval_id: '0192f0f0-0000-7000-8000-000000000009',
    expires_at: new Date(Date.now() + 72 * HOUR_MS).toISOString(),
    votes_needed: 1,
  }),
};
