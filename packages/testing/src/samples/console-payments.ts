/** Card payments and refunds, as the API returns them to the console. */
import type { ConsoleAnswerOf } from '@athos/contract/console/calls';
import type { Handlers } from '../fake-api.ts';
import { CUSTOMER_UUID } from './console-customers.ts';

type Summary = ConsoleAnswerOf<'consolePayments'>['items'][number];
type Payment = ConsoleAnswerOf<'consolePayment'>;
type Refund = ConsoleAnswerOf<'consoleRefund'>;
type Refundable = ConsoleAnswerOf<'refundable'>;
type Event = Payment['events'][number];

export const PAYMENT_ID = '0192dddd-0000-7000-8000-000000000077';
export const REFUND_ID = '0192f0f0-0000-7000-8000-000000000001';
const MINUTE_MS = 60_000;
const minutesAgo = (minutes: number): string =>
  new Date(Date.now() - minutes * MINUTE_MS).toISOString();

const VISA = { brand: 'visa', last_four: '4242' };

const summary = (index: number, more: Partial<Summary> = {}): Summary => ({
  id: `0192dddd-0000-7000-8000-0000000000${77 - index}`,
  customer_uuid: `0192aaaa-0000-7000-8000-00000000000${index + 1}`,
  state: 'credited',
  token_amount: '500000000',
  total_usd_cents: '9340',
  provider_fee_usd_cents: '301',
  returned_token_amount: '0',
  refunding_token_amount: '0',
  charged_back_token_amount: '0',
  is_refund_under_way: false,
  is_charged_back: false,
  card: VISA,
  review_reason: null,
  resolution: null,
  created_at: minutesAgo(3 + index * 97),
  closed_at: minutesAgo(2 + index * 97),
  ...more,
});

const IN_REVIEW: Partial<Summary> = {
  state: 'review',
  review_reason: 'received 1234 cents instead of 1868',
  token_amount: '100000000',
  total_usd_cents: '1868',
  closed_at: null,
};

export const PAYMENTS: readonly Summary[] = [
  summary(0),
  summary(1, { state: 'open', card: null, provider_fee_usd_cents: null, closed_at: null }),
  summary(2, IN_REVIEW),
  summary(3, {
    returned_token_amount: '200000000',
    card: { brand: 'mastercard', last_four: '4444' },
  }),
  summary(4, { state: 'canceled', card: null, provider_fee_usd_cents: null }),
  summary(5, { returned_token_amount: '500000000' }),
  summary(6, {
    state: 'canceled',
    resolution: 'settled_elsewhere',
    card: { brand: 'amex', last_four: '0005' },
  }),
  summary(7, { token_amount: '12500000000', total_usd_cents: '233112' }),
  summary(8, {
    returned_token_amount: '500000000',
    refunding_token_amount: '300000000',
    is_refund_under_way: true,
  }),
  summary(9, {
    returned_token_amount: '84150000',
    charged_back_token_amount: '84150000',
    is_charged_back: true,
  }),
];

const event = (index: number, type: string, minutes: number, more: Partial<Event> = {}): Event => ({
  id: `evt_3PxR2Kq${index}`,
  type,
  object_id: 'pi_3PxR2KqB1c9sample',
  created_at: minutesAgo(minutes),
  processed_at: minutesAgo(minutes),
  ...more,
});

export const payment = (more: Partial<Payment> = {}): Payment => ({
  ...summary(0, { customer_uuid: CUSTOMER_UUID, id: PAYMENT_ID }),
  usd_per_ath: '0.16830000',
  price_usd_cents: '8415',
  product_fee_usd_cents: '421',
  processing_fee_usd_cents: '504',
  received_usd_cents: '9340',
  intent_id: 'pi_3PxR2KqB1c9sample',
  charge_id: 'ch_3PxR2KqB1c9sample',
  provider_status: 'succeeded',
  error_message: null,
  expires_at: minutesAgo(-12),
  refunds: [],
  disputes: [],
  bookings: [
    {
      id: PAYMENT_ID,
      what: 'payment',
      payment_id: PAYMENT_ID,
      source_id: 'ch_3PxR2KqB1c9sample',
      amount_usd_cents: '9340',
      fee_usd_cents: '301',
      booked_at: minutesAgo(2),
      is_matched: true,
      explanation: null,
    },
  ],
  warnings: [],
  events: [
    event(4, 'charge.updated', 1.9, { processed_at: null }),
    event(3, 'payment_intent.succeeded', 2),
    event(2, 'payment_intent.requires_action', 2.3),
    event(1, 'payment_intent.payment_failed', 2.6),
    event(0, 'payment_intent.created', 3),
  ],
  ...more,
});

export const reviewedPayment = (): Payment =>
  payment({
    ...IN_REVIEW,
    returned_token_amount: '0',
    price_usd_cents: '1683',
    product_fee_usd_cents: '84',
    processing_fee_usd_cents: '101',
    received_usd_cents: '1234',
    provider_fee_usd_cents: null,
    id: PAYMENT_ID,
    customer_uuid: CUSTOMER_UUID,
    created_at: minutesAgo(3),
  } as Partial<Payment>);

export const attempts = (): ConsoleAnswerOf<'paymentAttempts'> => ({
  items: [
    {
      charge_id: 'ch_3PxR2KqB1c9sample',
      at: minutesAgo(2.1),
      state: 'succeeded',
      amount_usd_cents: '9340',
      card: { ...VISA, country: 'US', funding: 'credit' },
      failure: null,
      authentication: 'authenticated',
      risk_level: 'normal',
    },
    {
      charge_id: 'ch_3PxR2KqA0b8sample',
      at: minutesAgo(2.7),
      state: 'failed',
      amount_usd_cents: '9340',
      card: { brand: 'visa', last_four: '9995', country: 'US', funding: 'debit' },
      failure: { code: 'insufficient_funds', message: 'Your card has insufficient funds.' },
      authentication: null,
      risk_level: 'normal',
    },
  ],
});

export const refund = (more: Partial<Refund> = {}): Refund => ({
  id: REFUND_ID,
  payment_id: PAYMENT_ID,
  customer_uuid: CUSTOMER_UUID,
  state: 'succeeded',
  is_adopted: false,
  method: 'card',
  bank_reference: null,
  is_uncredited: false,
  token_amount: '320000000',
  taken_token_amount: '320000000',
  price_usd_cents: '5386',
  product_fee_usd_cents: '269',
  processing_fee_usd_cents: '322',
  total_usd_cents: '5977',
  card: VISA,
  reason: 'The concert was cancelled an hour before it began.',
  failure: null,
  provider_refund_id: 're_3PxR2KqB1c9sample',
  requested_by: { id: '0192bbbb-0000-7000-8000-000000000102', name: 'Tomás Okafor' },
  created_at: minutesAgo(64),
  sent_at: minutesAgo(31),
  accepted_at: minutesAgo(31),
  closed_at: minutesAgo(30),
  ...more,
});

const waiting: Partial<Refund> = {
  state: 'requested',
  provider_refund_id: null,
  sent_at: null,
  accepted_at: null,
  closed_at: null,
};

export const requestedRefund = (): Refund => refund(waiting);

export const returnedRefund = (): Refund =>
  refund({ state: 'failed', failure: 'lost_or_stolen_card' });

const REFUNDS: readonly Refund[] = [
  requestedRefund(),
  refund({ id: '0192f0f0-0000-7000-8000-000000000002', state: 'pending', closed_at: null }),
  refund({ id: '0192f0f0-0000-7000-8000-000000000003', total_usd_cents: '1868' }),
  refund({ id: '0192f0f0-0000-7000-8000-000000000004', state: 'failed', failure: 'expired_card' }),
  refund({ id: '0192f0f0-0000-7000-8000-000000000005', ...waiting, state: 'rejected' }),
  refund({ id: '0192f0f0-0000-7000-8000-000000000006', state: 'refused' }),
];

/** The balance fell to 320 of the 500 tokens in the meantime. */
export const refundable = (more: Partial<Refundable> = {}): Refundable => ({
  not_returned_token_amount: '500000000',
  low_water_token_amount: '320000000',
  is_disputed: false,
  has_card_failed: false,
  largest: {
    token_amount: '320000000',
    price_usd_cents: '5386',
    product_fee_usd_cents: '269',
    processing_fee_usd_cents: '322',
    total_usd_cents: '5977',
  },
  largest_at_cost: {
    token_amount: '500000000',
    price_usd_cents: '8415',
    product_fee_usd_cents: '421',
    processing_fee_usd_cents: '504',
    total_usd_cents: '9340',
  },
  asked: null,
  ...more,
});

const askedPart = (tokenAmount: string): NonNullable<Refundable['asked']> => ({
  token_amount: tokenAmount,
  price_usd_cents: '1683',
  product_fee_usd_cents: '84',
  processing_fee_usd_cents: '101',
  total_usd_cents: '1868',
  fault: null,
});

/** Answers to a person who handles card money. */
export const paymentAnswers: Handlers = {
  consolePayments: ({ query }) => {
    const state = query.get('state');
    const items = PAYMENTS.filter((one) => state === null || one.state === state);
    return { items, next_cursor: null, count: { value: items.length, is_at_least: false } };
  },
  consolePayment: () => payment(),
  paymentAttempts: attempts,
  refundable: ({ query }) => {
    const tokens = query.get('token_amount');
    return refundable(tokens === null ? {} : { asked: askedPart(tokens) });
  },
  refundPayment: () => ({
    outcome: 'requested',
    approval_id: REFUND_ID,
    expires_at: minutesAgo(-72 * 60),
    votes_needed: 1,
  }),
  refundByBank: () => ({
    outcome: 'requested',
    approval_id: REFUND_ID,
    expires_at: minutesAgo(-72 * 60),
    votes_needed: 1,
  }),
  resolveReview: () => ({
    outcome: 'requested',
    approval_id: REFUND_ID,
    expires_at: minutesAgo(-72 * 60),
    votes_needed: 1,
  }),
  consoleRefunds: () => ({
    items: [...REFUNDS],
    next_cursor: null,
    count: { value: REFUNDS.length, is_at_least: false },
  }),
  consoleRefund: ({ params }) => REFUNDS.find(({ id }) => id === params['id']) ?? requestedRefund(),
};
