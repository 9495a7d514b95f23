/** A holder who has used the wallet for a while. */
import type { AnswerOf } from '@athos/contract/api';
import { balanceOf, walletAnswers } from '../answers.ts';
import type { Handlers } from '../fake-api.ts';
import { wireCategory } from './catalogue.ts';
import { heads, receipt } from './receipts.ts';

export const FRIEND = '0192f3a1-9e02-7d55-8a31-0b7c2d4f6e12';

/** A send that can still be undone. */
export const heldSend = (fields: Partial<HeldSend> = {}): HeldSend => ({
  id: '0192f3a1-cccc-7d55-8a31-0b7c2d4f6e15',
  post_at: new Date(Date.now() + 45_000).toISOString(),
  to_uuid: FRIEND,
  amount: '12500000',
  asset: 'ATH',
  ...fields,
});
type HeldSend = AnswerOf<'holds'>['sent'][number];

/** The balance of a very rich holder. */
export const LARGE_BALANCE = balanceOf('123456789123456', '9876543210000');
/** The largest balance that an account can hold. */
export const HUGE_BALANCE = balanceOf('9223372036854775807', '9223372036854775807');

const category = (id: number, slug: string, title: string, description: string) =>
  wireCategory(id, { title, description, banner_url: `/art/${slug}.webp`, display_type: 'row' });

const CATEGORIES = [
  category(1, 'drinks', 'Drinks', 'Cold, sparkling and slow: everything we bottle.'),
  category(2, 'live-music', 'Live Music', 'Small rooms, big nights. Tickets for members first.'),
  category(3, 'supercars', 'Supercars', 'Laps, garages and roads that are worth the early hour.'),
  category(4, 'discounts', 'Discounts', 'Less to pay at places that we like.'),
  category(5, 'gear', 'Gear', 'Glass, cotton and steel with a small mark on it.'),
  category(6, 'crew', 'Thank the Crew', 'The people behind the bar, the desk and the pit wall.'),
];

const TIERS = [
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

export type Movement = AnswerOf<'historyItem'>;
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
const paid = (id: number, date: string, stripe_status: Paid['stripe_status']): Paid => ({
  id,
  date,
  token_amount: '250000000',
  amount_paid: 4671,
  tx_fee: 253,
  athos_fee: 210,
  stripe_status,
});

type Bought = Extract<Movement, { type: 'Purchase' }>['data'];
const bought = (line: Omit<Bought, 'purchase_date'>): Bought => ({
  ...line,
  purchase_date: line.date,
});

/** Movements of every kind, newest first, with amounts from the smallest to the largest. */
export const history = {
  drinks: {
    type: 'Purchase',
    data: bought({
      id: 1206,
      date: '2026-11-20T18:05:00.000Z',
      offer_amount: 960,
      offer_count: 2,
      offer: { kind: 0, title: 'Amber *Fizz*', img: '/art/cold-brew-orange.webp', note: '' },
    }),
  },
  sent: { type: 'Send', data: moved(1204, '2026-11-20T18:04:00.000Z', '12500000') },
  refunded: {
    type: 'Send',
    data: moved(1205, '2026-11-20T18:04:30.000Z', '40000000', {
      counterparty: null,
      reason: 'refund_to_card',
    }),
  },
  paid: { type: 'Payment', data: paid(1203, '2026-11-19T09:30:00.000Z', 1) },
  received: {
    type: 'Receive',
    data: moved(1201, '2026-11-11T12:00:00.000Z', '9223372036854775807'),
  },
  paymentFailed: { type: 'Payment', data: paid(1198, '2026-11-02T21:12:00.000Z', 2) },
  purchase: {
    type: 'Purchase',
    data: bought({
      id: 1190,
      date: '2026-10-30T19:00:00.000Z',
      offer_amount: 18_000,
      offer_count: 2,
      offer: {
        kind: 1,
        title: 'Rooftop Session',
        img: '/art/rooftop-session.webp',
        note: 'Forty seats, one piano.',
      },
    }),
  },
  tipReceived: {
    type: 'Receive',
    data: {
      ...moved(1189, '2026-10-30T18:30:00.000Z', '2500000', { counterparty: null }),
      tip_from: 'Cleo',
      note: 'The broth!',
    },
  },
  reward: {
    type: 'Reward',
    data: moved(1180, '2026-09-14T08:00:00.000Z', '5000000', { counterparty: null }),
  },
  sentLarge: { type: 'Send', data: moved(1100, '2026-03-08T08:00:00.000Z', '987654321098765') },
  sentSmallest: { type: 'Send', data: moved(1001, '2026-01-29T12:00:00.000Z', '1') },
  receivedOther: {
    type: 'Receive',
    data: moved(990, '2025-12-31T22:59:00.000Z', '10000', { asset: 'ATH2' }),
  },
} as const satisfies Record<string, Movement>;

/** A link to the receipt of `history.sent`. */
export const RECEIPT_SHARE = {
  id: '0192f3a1-dddd-7d55-8a31-0b7c2d4f6e16',
  movement_id: history.sent.data.id,
  with_names: false,
  made_at: '2026-11-24T12:00:00.000Z',
  expires_at: '2026-12-24T12:00:00.000Z',
};

export const filledAnswers: Handlers = {
  ...walletAnswers,
  balance: () => balanceOf('1284560000', '120000000'),
  sign: () => ({ signature: 'Zb3'.repeat(28) }),
  tiers: () => ({ tiers: TIERS }),
  categories: () => ({ categories: CATEGORIES }),
  allHistory: () => ({ history: Object.values(history), next_cursor: null }),
  receipt: () => ({ receipt }),
  movementNotes: () => ({
    notes: [
      {
        movement_id: history.sent.data.id,
        note: 'Concert tickets, my half',
        labels: ['Fun', 'Shared'],
      },
    ],
  }),
  noteMovement: () => ({ note: '', labels: [] }),
  receiptShares: () => ({ shares: [RECEIPT_SHARE] }),
  shareReceipt: () => ({
    ...RECEIPT_SHARE,
    link: `https://wallet.example/receipt#${'k'.repeat(22)}`,
  }),
  endReceiptShare: () => ({ success: true }),
  ledgerHeads: () => heads,
};
