/** Customers with their holds and timelines, as the API returns them to the console. */
import type { ConsoleAnswerOf } from '@athos/contract/console/calls';
import type { Handlers } from '../fake-api.ts';

type Summary = ConsoleAnswerOf<'customers'>['items'][number];
type Customer = ConsoleAnswerOf<'customer'>;
type Hold = ConsoleAnswerOf<'customerHolds'>['items'][number];
type Entry = ConsoleAnswerOf<'customerTimeline'>['items'][number];

export const CUSTOMER_UUID = '0192aaaa-0000-7000-8000-000000000001';
const HOUR_MS = 3_600_000;
const hoursAgo = (hours: number): string => new Date(Date.now() - hours * HOUR_MS).toISOString();

const summary = (index: number, email: string | null, more: Partial<Summary> = {}): Summary => ({
  uuid: `0192aaaa-0000-7000-8000-00000000000${index}`,
  email,
  state: 'open',
  created_at: hoursAgo(index * 31),
  closed_at: null,
  balances: { ATH: String(index * 84_150_000), ATH2: '0', ATH3: '0' },
  held_kinds: [],
  ...more,
});

const CUSTOMERS: readonly Summary[] = [
  summary(1, 'ma•••@example.com'),
  summary(2, 'jo•••@example.org', { held_kinds: ['send', 'spend'] }),
  summary(3, 'an•••@a-rather-long-company-name.example', {
    balances: { ATH: '-431500000', ATH2: '0', ATH3: '0' },
    held_kinds: ['send', 'spend', 'redeem'],
  }),
  summary(4, null, { state: 'closed', closed_at: hoursAgo(9) }),
];

export const customer = (more: Partial<Customer> = {}): Customer => ({
  ...summary(1, 'ma•••@example.com'),
  verified_at: hoursAgo(30),
  terms_version: '2026-10',
  terms_accepted_at: hoursAgo(30),
  tier: { id: 2, title: 'Silver' },
  owed: [],
  sessions: [
    {
      id: 's1',
      created_at: hoursAgo(30),
      refreshed_at: hoursAgo(1),
      expires_at: hoursAgo(-500),
    },
    { id: 's2', created_at: hoursAgo(20), refreshed_at: hoursAgo(3), expires_at: hoursAgo(-600) },
  ],
  devices: [
    { first_seen_at: hoursAgo(30), last_seen_at: hoursAgo(1) },
    { first_seen_at: hoursAgo(20), last_seen_at: hoursAgo(3) },
  ],
  public_names: { display_name: null, shows_name: false, handle: null, is_findable: true },
  recovery: null,
  is_own: false,
  ...more,
});

export const heldSends = (
  ...items: ConsoleAnswerOf<'customerHeldSends'>['items']
): ConsoleAnswerOf<'customerHeldSends'> => ({ server_time: hoursAgo(0), items });

/** A send that arrives in a minute. */
export const heldSend = (): ConsoleAnswerOf<'customerHeldSends'>['items'][number] => ({
  id: '0192cccc-0000-7000-8000-000000000031',
  to_uuid: '0192aaaa-0000-7000-8000-00000000beef',
  asset: 'ATH',
  amount_units: '12500000',
  post_at: hoursAgo(-1 / 60),
});

/** Names that staff may have to remove. */
export const PUBLIC_NAMES: Customer['public_names'] = {
  display_name: 'Maria from the ticket desk',
  shows_name: true,
  handle: 'ticket_desk',
  is_findable: true,
};

export const recovery = (
  more: Partial<NonNullable<Customer['recovery']>> = {},
): NonNullable<Customer['recovery']> => ({
  begun_at: hoursAgo(30),
  ends_at: hoursAgo(-42),
  reminded_at: hoursAgo(6),
  approval_id: null,
  ...more,
});

export const hold = (more: Partial<Hold> = {}): Hold => ({
  id: 71,
  kinds: ['send', 'spend'],
  cause: 'staff',
  cause_id: 'staff',
  reason: 'The customer reports a stolen phone.',
  placed_at: hoursAgo(2),
  placed_by: { id: '0192bbbb-0000-7000-8000-000000000102', name: 'Tomás Okafor' },
  ends_at: hoursAgo(-70),
  lifted_at: null,
  lifted_by: null,
  ...more,
});

export const customerHolds = (...items: readonly Hold[]): ConsoleAnswerOf<'customerHolds'> => ({
  items: [...items],
});

const PERSON = { id: '0192bbbb-0000-7000-8000-000000000102', name: 'Tomás Okafor' };

const ENTRIES: readonly Entry[] = [
  {
    kind: 'staff',
    id: '1280',
    at: hoursAgo(1),
    data: { action: 'customer.open', outcome: 'done', staff: PERSON },
  },
  {
    kind: 'note',
    id: '4',
    at: hoursAgo(2),
    data: { text: 'Called about the concert on Friday.\nWill send the receipt.', staff: PERSON },
  },
  {
    kind: 'movement',
    id: '48210',
    at: hoursAgo(3),
    object: null,
    data: {
      type: 'Send',
      data: {
        id: 48_210,
        date: hoursAgo(3),
        amount: '12500000',
        asset: 'ATH',
        counterparty: '0192aaaa-0000-7000-8000-00000000beef',
      },
    },
  },
  {
    kind: 'scan',
    id: '9',
    at: hoursAgo(5),
    data: {
      action: 'redeem',
      outcome: 'accepted',
      venue: 'Harbour stage',
      item_count: 2,
      redeemed_count: 2,
      titles: ['Lemonade'],
    },
  },
  {
    kind: 'purchase',
    id: '48100',
    at: hoursAgo(6),
    object: { type: 'purchase', id: '9123' },
    data: {
      type: 'Purchase',
      data: {
        id: 48_100,
        date: hoursAgo(6),
        purchase_date: hoursAgo(6),
        offer_amount: 2500,
        offer_count: 2,
        offer: { kind: 1, title: 'Lemonade', img: '', note: '' },
      },
    },
  },
  {
    kind: 'payment',
    id: '48000',
    at: hoursAgo(8),
    object: null,
    data: {
      type: 'Payment',
      data: {
        id: 48_000,
        date: hoursAgo(8),
        token_amount: '500000000',
        amount_paid: 8415,
        tx_fee: 120,
        athos_fee: 400,
        stripe_status: 1,
      },
    },
  },
  { kind: 'mail', id: '3', at: hoursAgo(8), data: { template: 'receipt' } },
  { kind: 'terms', id: '2026-11', at: hoursAgo(29), data: { version: '2026-11' } },
  { kind: 'sign_in', id: 's1', at: hoursAgo(30), data: { ended_at: null } },
];

export const customerList = (
  count: ConsoleAnswerOf<'customers'>['count'] = { value: CUSTOMERS.length, is_at_least: false },
): ConsoleAnswerOf<'customers'> => ({ items: [...CUSTOMERS], next_cursor: null, count });

const bulkId = (index: number): string => `0192eeee-0000-7000-8000-00000000000${index}`;

/** A run that places holds on a leaked list, with two failed rows. */
export const bulkRun = (
  more: Partial<ConsoleAnswerOf<'bulkRun'>> = {},
): ConsoleAnswerOf<'bulkRun'> => ({
  id: bulkId(9),
  act: 'hold.place',
  reason: 'Addresses of a leaked list',
  state: 'done',
  rows_total: 1284,
  rows_done: 1282,
  rows_failed: 2,
  created_at: hoursAgo(1),
  finished_at: hoursAgo(1),
  ...more,
});

const underWay = { rows_failed: 0, finished_at: null } as const;

/** Runs in each state. */
const bulkRuns = (): ConsoleAnswerOf<'bulkRuns'> => {
  const items = [
    bulkRun({ id: bulkId(1), state: 'waiting', act: 'customer.note', rows_done: 0, ...underWay }),
    bulkRun({ id: bulkId(2), state: 'running', rows_done: 417, ...underWay }),
    bulkRun({ id: bulkId(3), state: 'stopped', rows_done: 90, rows_failed: 0 }),
    bulkRun(),
    bulkRun({ id: bulkId(5), act: 'customer.end_sessions', rows_done: 1284, rows_failed: 0 }),
  ];
  return { items, next_cursor: null, count: { value: items.length, is_at_least: false } };
};

/** Answers to a person who handles customers. */
export const customerAnswers: Handlers = {
  customers: () => customerList(),
  customer: () => customer(),
  customerContact: () => ({ email: 'maria.lind@example.com' }),
  customerHolds: () => customerHolds(),
  customerHeldSends: () => heldSends(),
  customerTimeline: ({ query }) => {
    const kind = query.get('kind');
    return {
      items: ENTRIES.filter((entry) => kind === null || entry.kind === kind),
      next_cursor: null,
    };
  },
  bulkRun: () => bulkRun(),
  bulkRuns: () => bulkRuns(),
  stopBulk: () => bulkRun({ state: 'stopped', rows_done: 421, rows_failed: 0 }),
  bulkFailures: () => ({
    items: [
      {
        line: 17,
        customer_uuid: CUSTOMER_UUID,
        code: 'own_account',
        reason: 'This is your own account.',
      },
      {
        line: 402,
        customer_uuid: '0192aaaa-0000-7000-8000-000000000402',
        code: 'not_found',
        reason: 'There is no such customer.',
      },
    ],
    next_cursor: null,
    count: { value: 2, is_at_least: false },
  }),
  previewBulk: ({ body }) =>
    bulkRun({
      act: body.act.name,
      state: 'previewed',
      rows_total: 'ids' in body.rows ? body.rows.ids.length : 1284,
      rows_done: 0,
      rows_failed: 0,
      finished_at: null,
    }),
  startBulk: () => bulkRun({ state: 'waiting', rows_done: 0, rows_failed: 0, finished_at: null }),
  placeHold: ({ body }) =>
    customerHolds(hold({ kinds: body.kinds, reason: body.reason, ends_at: body.ends_at ?? null })),
  releaseHold: () => ({ outcome: 'done' }),
  returnHeldSend: () => ({ success: true }),
  removePublicNames: () => ({ success: true }),
  refuseRecovery: () => ({ success: true }),
  shortenRecovery: () => ({
    outcome: 'requested',
    approval_id: '0192f0f0-0000-7000-8000-000000000001',
    expires_at: hoursAgo(-72),
    votes_needed: 1,
  }),
  creditCustomer: () => ({ outcome: 'done' }),
  debitCustomer: () => ({
    outcome: 'requested',
    approval_id: '0192f0f0-0000-7000-8000-000000000001',
    expires_at: hoursAgo(-72),
    votes_needed: 1,
  }),
  addNote: () => ({ id: '5', at: hoursAgo(0) }),
  sendCustomerMail: () => ({ success: true }),
  sendVerificationMail: () => ({ success: true }),
  endCustomerSessions: () => ({ success: true }),
  customerErasure: () => ({
    balances: { ATH: '84150000', ATH2: '12000000', ATH3: '0' },
    session_count: 2,
    unredeemed_count: 3,
    obstacle: null,
  }),
  eraseCustomer: () => ({
    outcome: 'requested',
    approval_id: '0192f0f0-0000-7000-8000-000000000002',
    expires_at: hoursAgo(-72),
    votes_needed: 1,
  }),
};
