/** The provider's balance and our bookings, as the API returns them to the console. */
import type { ConsoleAnswerOf } from '@athos/contract/console/calls';
import type { Handlers } from '../fake-api.ts';

type Day = ConsoleAnswerOf<'reconciliationDays'>['items'][number];
type Transaction = ConsoleAnswerOf<'cardTransactions'>['items'][number];
type Booking = ConsoleAnswerOf<'unmatchedMoney'>['bookings'][number];

const HOUR_MS = 3_600_000;
const hoursAgo = (hours: number): string => new Date(Date.now() - hours * HOUR_MS).toISOString();

export const DAY = '2026-11-20';
export const TRANSACTION_ID = 'txn_1QmB7x2eZvKYlo2CUmPayout';
export const BOOKING_ID = '0192eded-0000-4000-8000-000000000001';

const reconciledDay = (day: string, more: Partial<Day> = {}): Day => ({
  day,
  provider_usd_cents: '21618190',
  nets_usd_cents: '21618190',
  clearing_usd_cents: '21618190',
  in_flight_usd_cents: '0',
  is_agreed: true,
  checked_at: `${day}T04:10:00.000Z`,
  ...more,
});

export const differentDay = (): Day =>
  reconciledDay(DAY, {
    provider_usd_cents: '20980341',
    nets_usd_cents: '20980341',
    clearing_usd_cents: '20981181',
    in_flight_usd_cents: '1500',
    is_agreed: false,
  });

const days = (): Day[] => [
  reconciledDay('2026-11-22'),
  reconciledDay('2026-11-21', {
    provider_usd_cents: '21309960',
    nets_usd_cents: '21309960',
    clearing_usd_cents: '21308460',
    in_flight_usd_cents: '1500',
    is_agreed: false,
  }),
  differentDay(),
  reconciledDay('2026-11-19', {
    provider_usd_cents: '-4120',
    nets_usd_cents: '-4120',
    clearing_usd_cents: '-4120',
  }),
];

const transaction = (more: Partial<Transaction> = {}): Transaction => ({
  id: TRANSACTION_ID,
  type: 'payout',
  source_id: 'po_1QmB7x2eZvKYlo2CWeekly44',
  amount_usd_cents: '-1284030',
  fee_usd_cents: '0',
  net_usd_cents: '-1284030',
  created_at: hoursAgo(31),
  listed_at: hoursAgo(30.5),
  booking_id: BOOKING_ID,
  explanation: null,
  ...more,
});

const FREE = { booking_id: null } as const;

/** A transaction of the provider without a booking of ours. */
export const unknownTransaction = (): Transaction =>
  transaction({
    ...FREE,
    id: 'txn_1QmB7x2eZvKYlo2CStray001',
    type: 'adjustment',
    source_id: null,
    amount_usd_cents: '-1500',
    net_usd_cents: '-1500',
  });

const booking = (more: Partial<Booking> = {}): Booking => ({
  id: BOOKING_ID,
  what: 'payout',
  payment_id: null,
  source_id: 'po_1QmB7x2eZvKYlo2CWeekly44',
  amount_usd_cents: '-1284030',
  fee_usd_cents: '0',
  booked_at: hoursAgo(30.5),
  is_matched: true,
  explanation: null,
  ...more,
});

/** A booking without a transaction at the provider. */
export const freeBooking = (): Booking =>
  booking({
    id: '0192eded-0000-4000-8000-000000000002',
    what: 'payment',
    payment_id: '0192dddd-0000-7000-8000-000000000077',
    source_id: 'ch_3QmB7x2eZvKYlo2C1a2b3c4d',
    amount_usd_cents: '8415',
    booked_at: hoursAgo(4),
    is_matched: false,
  });

const refundBooking = (): Booking =>
  booking({
    id: '0192eded-0000-4000-8000-000000000003',
    what: 'refund',
    payment_id: '0192dddd-0000-7000-8000-000000000077',
    source_id: 're_3QmB7x2eZvKYlo2C9z8y7x6w',
    amount_usd_cents: '-1500',
    booked_at: hoursAgo(52),
    is_matched: false,
  });

const transactions = (): Transaction[] => [
  transaction(),
  unknownTransaction(),
  transaction({
    id: 'txn_1QmB7x2eZvKYlo2CCharge01',
    type: 'charge',
    source_id: 'ch_3QmB7x2eZvKYlo2C1a2b3c4d',
    amount_usd_cents: '8415',
    fee_usd_cents: '274',
    net_usd_cents: '8141',
  }),
  transaction({
    id: 'txn_1QmB7x2eZvKYlo2CFee00001',
    type: 'stripe_fee',
    source_id: null,
    amount_usd_cents: '-1200',
    net_usd_cents: '-1200',
    ...FREE,
    explanation: 'The provider charges this each month for its fraud rules.',
  }),
];

export const reconciliationAnswers: Handlers = {
  reconciliationDays: () => ({
    items: days(),
    next_cursor: null,
    count: { value: days().length, is_at_least: false },
  }),
  reconciliationDay: ({ params }) => ({
    ...(days().find(({ day }) => day === params['day']) ?? differentDay()),
    types: [
      {
        type: 'adjustment',
        count: 1,
        amount_usd_cents: '-8415',
        fee_usd_cents: '1500',
        net_usd_cents: '-9915',
      },
      {
        type: 'charge',
        count: 1284,
        amount_usd_cents: '9608140',
        fee_usd_cents: '317069',
        net_usd_cents: '9291071',
      },
      {
        type: 'payout',
        count: 1,
        amount_usd_cents: '-1284030',
        fee_usd_cents: '0',
        net_usd_cents: '-1284030',
      },
    ],
  }),
  unmatchedMoney: () => ({
    transactions: [unknownTransaction()],
    bookings: [refundBooking(), freeBooking()],
    has_more: false,
  }),
  cardTransactions: ({ query }) => {
    const isPayouts = query.get('group') === 'payouts';
    const items = isPayouts ? [transaction()] : transactions();
    return { items, next_cursor: null, count: { value: items.length, is_at_least: false } };
  },
  cardTransaction: ({ params }) => {
    const found = transactions().find(({ id }) => id === params['id']) ?? transaction();
    const isFree = found.booking_id === null;
    return {
      ...found,
      booking: isFree ? null : booking(),
      candidates: isFree && found.explanation === null ? [refundBooking()] : [],
    };
  },
  cardBooking: ({ params }) => {
    const found =
      [refundBooking(), freeBooking()].find(({ id }) => id === params['id']) ?? booking();
    return {
      ...found,
      transaction: found.is_matched ? transaction() : null,
      candidates: found.what === 'refund' ? [unknownTransaction()] : [],
    };
  },
  matchMoney: () => ({ outcome: 'done' }),
  bookMoney: () => ({
    outcome: 'requested',
    approval_id: '0192f0f0-0000-7000-8000-000000000008',
    expires_at: hoursAgo(-72),
    votes_needed: 1,
  }),
  explainMoney: () => ({ outcome: 'done' }),
};
