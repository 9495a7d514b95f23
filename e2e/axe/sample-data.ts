/** What the people of the states have. */
import type { AnswerOf } from '@athos/contract/api';

export const ME = '0192f3a1-7c44-7b1e-9d20-5f1a6c3e8b01';
export const FRIEND = '0192f3a1-9e02-7d55-8a31-0b7c2d4f6e12';

const text = (claims: object): string => Buffer.from(JSON.stringify(claims)).toString('base64url');
const DAY_SECONDS = 86_400;
const now = Math.floor(Date.now() / 1000);
/** A token in shape only: a browser reads its claims and cannot check its signature. */
export const TOKEN = `${text({ alg: 'EdDSA' })}.${text({ sub: ME, iat: now, exp: now + DAY_SECONDS })}.c2ln`;

type Category = AnswerOf<'categories'>['categories'][number];
const category = (id: number, slug: string, title: string, description: string): Category => ({
  id,
  parent_id: null,
  title,
  description,
  picture: null,
  banner_url: slug === '' ? '' : `/art/${slug}.webp`,
  position: id,
  display_type: 'row',
  offers: [],
  categories: [],
});

export const categories: readonly Category[] = [
  category(1, 'drinks', 'Drinks', 'Cold, sparkling and slow: everything we bottle.'),
  category(2, 'live-music', 'Live Music', 'Small rooms, big nights. Tickets for members first.'),
  category(3, 'supercars', 'Supercars', 'Laps, garages and roads that are worth the early hour.'),
  category(4, 'discounts', 'Discounts', 'Less to pay at places that we like.'),
  category(5, 'gear', 'Gear', 'Glass, cotton and steel with a small mark on it.'),
  category(6, 'crew', 'Thank the Crew', 'The people behind the bar, the desk and the pit wall.'),
];

export const tiers: readonly AnswerOf<'tiers'>['tiers'][number][] = [
  { id: 1, title: 'Bronze', amount: '100000000', color: '#b0723c', note: 'Early tickets.' },
  {
    id: 2,
    title: 'Silver',
    amount: '1000000000',
    color: '#9aa3ad',
    note: 'A drink on us, every month.',
  },
  {
    id: 3,
    title: 'Gold',
    amount: '5000000000',
    color: '#d9a520',
    note: 'Track days. Book online.',
  },
  { id: 4, title: 'Onyx', amount: '25000000000', color: '#3a3540', note: 'Everything, and a key.' },
];

type Movement = AnswerOf<'allHistory'>['history'][number];
type Moved = Extract<Movement, { type: 'Send' }>['data'];
const moved = (id: number, date: string, amount: string, more: Partial<Moved> = {}): Moved => ({
  id,
  date,
  amount,
  asset: 'ATH',
  counterparty: FRIEND,
  ...more,
});
type Paid = Extract<Movement, { type: 'Payment' }>['data'];
const paid = (id: number, date: string, more: Partial<Paid> = {}): Paid => ({
  id,
  date,
  token_amount: '250000000',
  amount_paid: 4671,
  tx_fee: 253,
  athos_fee: 210,
  stripe_status: 1,
  ...more,
});

export const send: Movement = {
  type: 'Send',
  data: moved(1204, '2026-11-20T18:04:00.000Z', '12500000'),
};
export const payment: Movement = { type: 'Payment', data: paid(1203, '2026-11-19T09:30:00.000Z') };
export const failedPayment: Movement = {
  type: 'Payment',
  data: paid(1198, '2026-11-02T21:12:00.000Z', { stripe_status: 2 }),
};
export const purchase: Movement = {
  type: 'Purchase',
  data: {
    id: 1190,
    date: '2026-10-30T19:00:00.000Z',
    purchase_date: '2026-10-30T19:00:00.000Z',
    offer_amount: 18_000,
    offer_count: 2,
    offer: {
      kind: 1,
      title: 'Rooftop Session',
      img: '/art/rooftop-session.webp',
      note: 'Forty seats, one piano.',
    },
  },
};

export const history: readonly Movement[] = [
  send,
  payment,
  { type: 'Receive', data: moved(1201, '2026-11-11T12:00:00.000Z', '95000000') },
  failedPayment,
  purchase,
  {
    type: 'Reward',
    data: moved(1180, '2026-09-14T08:00:00.000Z', '5000000', { counterparty: null }),
  },
  { type: 'Send', data: moved(1100, '2026-03-08T08:00:00.000Z', '987654321098765') },
  { type: 'Receive', data: moved(990, '2025-12-31T22:59:00.000Z', '10000', { asset: 'ATH2' }) },
];
