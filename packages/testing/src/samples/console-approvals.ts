/** Approval requests of staff, as the API returns them to the console. */
import type { ConsoleAnswerOf } from '@athos/contract/console/calls';
import type { Handlers } from '../fake-api.ts';
import { STAFF_UUID } from '../session.ts';

type Summary = ConsoleAnswerOf<'approvals'>['items'][number];
type Approval = ConsoleAnswerOf<'approval'>;

const CUSTOMER_UUID = '0192aaaa-0000-7000-8000-000000000001';
const HOUR_MS = 3_600_000;
const hoursAgo = (hours: number): string => new Date(Date.now() - hours * HOUR_MS).toISOString();

const TOMAS = {
  id: '0192bbbb-0000-7000-8000-000000000102',
  name: 'Tomás Okafor',
  organisation: 'provider',
} as const;

const summary = (index: number, more: Partial<Summary> = {}): Summary => ({
  id: `0192f0f0-0000-7000-8000-00000000000${index}`,
  action: 'customer.credit',
  subject: { type: 'customer', id: CUSTOMER_UUID },
  state: 'pending',
  amount: { asset: 'ATH', units: '120000000' },
  requested_by: TOMAS,
  requested_at: hoursAgo(index * 2),
  expires_at: hoursAgo(index * 2 - 72),
  votes_needed: 1,
  votes_given: 0,
  ...more,
});

const REQUESTS: readonly Summary[] = [
  summary(1),
  summary(2, {
    action: 'payment.refund',
    subject: { type: 'card_order', id: '0192dddd-0000-7000-8000-000000000077' },
    amount: { asset: 'USD', units: '181250' },
    votes_needed: 2,
    votes_given: 1,
  }),
  summary(3, {
    action: 'setting.change',
    subject: { type: 'setting', id: 'policy_credit' },
    amount: null,
  }),
];

export const approval = (more: Partial<Approval> = {}): Approval => ({
  ...summary(1),
  customer_uuid: CUSTOMER_UUID,
  reason: 'The concert was cancelled an hour before it began.',
  before: { balance: '84.15 ATH' },
  after: { balance: '204.15 ATH' },
  usd_cents: 2020,
  risks: ['first_of_customer', 'above_usual'],
  is_value_held: true,
  voters: 'anyone',
  votes: [],
  ended_at: null,
  failure: null,
  obstacle: null,
  voter_count: 3,
  ...more,
});

/** The same request, made by the signed-in person. */
export const ownApproval = (): Approval =>
  approval({
    requested_by: { id: STAFF_UUID, name: 'Mara Lindqvist', organisation: 'provider' },
    obstacle: 'own_request',
  });

/** The inbox of a person who can decide three requests. */
export const approvalAnswers: Handlers = {
  approvals: ({ query }) => {
    const about = query.get('subject_id');
    const items = REQUESTS.filter(({ subject }) => about === null || subject.id === about);
    return {
      items,
      next_cursor: null,
      count: { value: items.length, is_at_least: false },
      other_decider_count: 3,
    };
  },
  approval: () => approval(),
  approveRequest: () => ({ state: 'executed', votes_given: 1 }),
  rejectRequest: () => ({ state: 'rejected', votes_given: 0 }),
  withdrawRequest: () => ({ state: 'withdrawn', votes_given: 0 }),
};
