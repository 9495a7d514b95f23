/** Purchases and redemptions, as the API returns them to the console. */
import type { ConsoleAnswerOf } from '@athos/contract/console/calls';
import type { Handlers } from '../fake-api.ts';

type Summary = ConsoleAnswerOf<'purchases'>['items'][number];
type Purchase = ConsoleAnswerOf<'purchaseDetail'>;
type Item = Purchase['lines'][number]['items'][number];
type RedemptionSummary = ConsoleAnswerOf<'redemptions'>['items'][number];
type Redemption = ConsoleAnswerOf<'redemption'>;

export const PURCHASE_ID = 9123;
export const REDEMPTION_ID = 4410;
const CUSTOMER_UUID = '0192aaaa-0000-7000-8000-000000000001';
const SCANNER_UUID = '0192aaaa-0000-7000-8000-0000000000aa';
const PERSON = { id: '0192bbbb-0000-7000-8000-000000000102', name: 'Tomás Okafor' };
const VENUE = { id: 3, name: 'Harbour Stage' };
const HOUR_MS = 3_600_000;
const hoursAgo = (hours: number): string => new Date(Date.now() - hours * HOUR_MS).toISOString();

const summary = (id: number, more: Partial<Summary> = {}): Summary => ({
  id,
  customer_uuid: CUSTOMER_UUID,
  purchased_at: hoursAgo(PURCHASE_ID - id + 4),
  total: '64000000',
  open_count: 2,
  redeemed_count: 0,
  refunded_count: 0,
  titles: ['Amber Fizz, 0.33 l'],
  ...more,
});

const PURCHASES: readonly Summary[] = [
  summary(PURCHASE_ID, {
    total: '1316000000',
    open_count: 7,
    redeemed_count: 2,
    refunded_count: 1,
    titles: ['Amber Fizz, 0.33 l', 'Night at the Harbour Stage, front row with a drink'],
  }),
  summary(9120),
  summary(9118, { open_count: 0, redeemed_count: 4, titles: ['Team cap', 'Poster'] }),
  summary(9102, { open_count: 0, refunded_count: 1, total: '4250000', titles: ['Poster'] }),
];

const item = (id: number, more: Partial<Item> = {}): Item => ({
  id,
  redeemed_at: null,
  redeemed_venue: null,
  redemption_id: null,
  voided_at: null,
  reversed_count: 0,
  ...more,
});

const handedOut = { redeemed_at: hoursAgo(2), redeemed_venue: VENUE.name };

export const purchase = (more: Partial<Purchase> = {}): Purchase => {
  const { titles: _titles, ...facts } = PURCHASES[0] ?? summary(PURCHASE_ID);
  return {
    ...facts,
    is_customer_closed: false,
    lines: [
      {
        line: 0,
        offer_id: 12,
        title: 'Amber Fizz, 0.33 l',
        price: '32000000',
        items: [
          item(70_001, { ...handedOut, redemption_id: REDEMPTION_ID }),
          item(70_002, { ...handedOut, redemption_id: REDEMPTION_ID, reversed_count: 1 }),
          item(70_003, { voided_at: hoursAgo(1) }),
          item(70_004, { reversed_count: 1 }),
        ],
      },
      {
        line: 1,
        offer_id: 31,
        title: 'Night at the Harbour Stage, front row with a drink',
        price: '198000000',
        items: Array.from({ length: 6 }, (_, index) => item(70_005 + index)),
      },
    ],
    transfers: [
      { id: '48201', at: hoursAgo(4), kind: 'purchase', line: 0, amount: '128000000' },
      { id: '48202', at: hoursAgo(4), kind: 'purchase', line: 1, amount: '1188000000' },
      { id: '48260', at: hoursAgo(1), kind: 'purchase_refund', line: 0, amount: '32000000' },
    ],
    refunds: [
      {
        approval_id: '0192eeee-0000-7000-8000-000000000021',
        state: 'pending',
        is_of_redeemed: true,
        amount: '64000000',
        at: hoursAgo(0.5),
        by: PERSON,
        reason: 'The drinks were flat, says the bar.',
      },
      {
        approval_id: '0192eeee-0000-7000-8000-000000000020',
        state: 'executed',
        is_of_redeemed: false,
        amount: '32000000',
        at: hoursAgo(1),
        by: PERSON,
        reason: 'Ordered one too many.',
      },
    ],
    ...more,
  };
};

const redemptionSummary = (
  id: number,
  more: Partial<RedemptionSummary> = {},
): RedemptionSummary => ({
  id,
  at: hoursAgo(REDEMPTION_ID - id + 2),
  venue: VENUE,
  customer_uuid: CUSTOMER_UUID,
  scanner_uuid: SCANNER_UUID,
  item_count: 1,
  reversed_count: 0,
  titles: ['Poster'],
  ...more,
});

const REDEMPTIONS: readonly RedemptionSummary[] = [
  redemptionSummary(REDEMPTION_ID, {
    item_count: 3,
    reversed_count: 1,
    titles: ['Amber Fizz, 0.33 l'],
  }),
  redemptionSummary(4409, { venue: { id: 4, name: 'Sky Bar' } }),
  redemptionSummary(4401, { item_count: 40, titles: ['Amber Fizz, 0.33 l', 'Team cap'] }),
];

export const redemption = (more: Partial<Redemption> = {}): Redemption => ({
  ...(REDEMPTIONS[0] ?? redemptionSummary(REDEMPTION_ID)),
  items: [70_001, 70_002, 70_004].map((id) => ({
    id,
    purchase_id: PURCHASE_ID,
    title: 'Amber Fizz, 0.33 l',
    price: '32000000',
    is_refunded: false,
    reversal:
      id === 70_004
        ? {
            approval_id: '0192eeee-0000-7000-8000-000000000022',
            at: hoursAgo(1),
            by: PERSON,
            reason: 'The guest had taken two drinks, not three.',
          }
        : null,
  })),
  ...more,
});

const listed = <Item>(items: readonly Item[]) => ({
  items: [...items],
  next_cursor: null,
  count: { value: items.length, is_at_least: false },
});

export const purchaseAnswers: Handlers = {
  purchases: () => listed(PURCHASES),
  purchaseDetail: () => purchase(),
  refundPurchase: () => ({ outcome: 'done' }),
  refundRedeemed: () => ({ outcome: 'done' }),
  redemptions: () => ({ ...listed(REDEMPTIONS), looked_until: null }),
  redemption: () => redemption(),
  reverseRedemption: () => ({ outcome: 'done' }),
};
