/** Merchants with their balances and a statement, as the API returns them to the console. */
import type { ConsoleAnswerOf } from '@athos/contract/console/calls';
import type { Handlers } from '../fake-api.ts';

type Merchant = ConsoleAnswerOf<'merchant'>;
type Statement = ConsoleAnswerOf<'merchantStatement'>;

export const MERCHANT_ID = 1;
export const SETTLE_REQUEST_ID = '0192eeee-0000-7000-8000-000000000741';

const MERCHANTS: ConsoleAnswerOf<'merchants'>['items'] = [
  {
    id: MERCHANT_ID,
    name: 'Harbour Brewery',
    archived_at: null,
    offer_count: 12,
    balance: '4820500000',
  },
  {
    id: 3,
    name: 'Last winter’s stand',
    archived_at: '2026-03-02T10:00:00.000Z',
    offer_count: 3,
    balance: '0',
  },
  {
    id: 2,
    name: 'North Quay Kitchen, suppliers of everything that is eaten at the Harbour Stage',
    archived_at: null,
    offer_count: 7,
    balance: '-64000000',
  },
];

export const merchant = (more: Partial<Merchant> = {}): Merchant => ({
  id: MERCHANT_ID,
  name: 'Harbour Brewery',
  archived_at: null,
  offer_count: 12,
  balance: '4820500000',
  note: 'Paid on the 5th of each month.\nInvoices to accounts@harbour-brewery.example',
  version: 4,
  created_at: '2026-08-14T09:30:00.000Z',
  account_id: '-34359738376',
  waiting: [
    {
      approval_id: SETTLE_REQUEST_ID,
      amount: '1200000000',
      expires_at: '2026-11-25T08:00:00.000Z',
    },
  ],
  ...more,
});

const NOTHING = {
  sale_count: 0,
  sales: '0',
  refund_count: 0,
  refunds: '0',
  settled: '0',
  held: '0',
};

export const statement = (more: Partial<Statement> = {}): Statement => ({
  month: '2026-11',
  merchant: { id: MERCHANT_ID, name: 'Harbour Brewery' },
  opening: '2310000000',
  total: {
    sale_count: 214,
    sales: '6052500000',
    refund_count: 3,
    refunds: '32000000',
    settled: '2310000000',
    held: '1200000000',
    balance: '4820500000',
  },
  days: [
    {
      ...NOTHING,
      day: '2026-11-02',
      sale_count: 96,
      sales: '2704000000',
      balance: '5014000000',
    },
    {
      ...NOTHING,
      day: '2026-11-05',
      sale_count: 41,
      sales: '1180500000',
      settled: '2310000000',
      balance: '3884500000',
    },
    {
      ...NOTHING,
      day: '2026-11-14',
      sale_count: 77,
      sales: '2168000000',
      refund_count: 3,
      refunds: '32000000',
      balance: '6020500000',
    },
    { ...NOTHING, day: '2026-11-22', held: '1200000000', balance: '4820500000' },
  ],
  counted_until: '2026-11-22T11:59:00.000Z',
  ...more,
});

export const merchantAnswers: Handlers = {
  merchants: () => ({
    items: MERCHANTS,
    next_cursor: null,
    count: { value: MERCHANTS.length, is_at_least: false },
  }),
  merchant: () => merchant(),
  merchantStatement: () => statement(),
  createMerchant: () => merchant(),
  changeMerchant: () => merchant({ version: 5 }),
  archiveMerchant: () => merchant({ version: 5, archived_at: '2026-11-22T12:00:00.000Z' }),
  settleMerchant: () => ({
    outcome: 'requested',
    approval_id: SETTLE_REQUEST_ID,
    expires_at: '2026-11-25T12:00:00.000Z',
    votes_needed: 1,
  }),
};
