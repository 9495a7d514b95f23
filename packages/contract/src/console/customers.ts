/** Customers: searching them, their timeline, and the actions of staff. */
import { z } from 'zod';
import { historyItem } from '../wallet/history.ts';
import { balances, timeText, uuidText } from '../values.ts';
import { policyOutcome, reasonText } from './approvals.ts';
import { AUDIT_OUTCOMES } from './audit.ts';
import type { ConsoleCalls } from './console-call.ts';
import { HOLD_KINDS } from './holds.ts';
import { listOf, pageQuery } from './lists.ts';
import { publicNames } from './public-names.ts';
import { recovery } from './recoveries.ts';

export const CUSTOMER_STATES = ['open', 'closed'] as const;
export type CustomerState = (typeof CUSTOMER_STATES)[number];

/** A search returns at most this many customers and has no further page. */
export const CUSTOMERS_FOUND_MAX = 50;
const SEARCH_LENGTH_MAX = 254;
const NOTE_LENGTH_MAX = 2_000;

const summary = {
  uuid: z.string(),
  /** Always masked: `customerContact` returns the whole address and writes an audit entry. Null once the account is closed. */
  email: z.string().nullable(),
  state: z.enum(CUSTOMER_STATES),
  created_at: timeText,
  closed_at: timeText.nullable(),
  /** Negative while the customer has a debt. */
  balances,
  /** The union of the kinds of all active holds. */
  held_kinds: z.array(z.enum(HOLD_KINDS)),
};

export const customerSummary = z.object(summary).meta({ id: 'CustomerSummary' });

const customer = z
  .object({
    ...summary,
    /** Accounts exist once their address is verified. */
    verified_at: timeText,
    terms_version: z.string().nullable(),
    terms_accepted_at: timeText.nullable(),
    tier: z.object({ id: z.int(), title: z.string() }).nullable(),
    /** The tokens whose balance is negative. */
    owed: z.array(z.string()),
    sessions: z.array(
      z.object({
        id: z.string(),
        created_at: timeText,
        refreshed_at: timeText,
        expires_at: timeText,
      }),
    ),
    devices: z.array(z.object({ first_seen_at: timeText, last_seen_at: timeText })),
    public_names: publicNames,
    /** Null unless the customer is in the waiting period for the removal of a lost second step. */
    recovery: recovery.nullable(),
    /** Whether it is the caller's own wallet account, on which they may not act. */
    is_own: z.boolean(),
  })
  .meta({ id: 'Customer' });

export const TIMELINE_KINDS = [
  'movement',
  'payment',
  'purchase',
  'sign_in',
  'scan',
  'terms',
  'mail',
  'note',
  'staff',
] as const;
export type TimelineKind = (typeof TIMELINE_KINDS)[number];

/** The mails to customers that are recorded when sent. */
export const MAIL_TEMPLATES = [
  'reset',
  'password_reset',
  'password_changed',
  'new_device',
  'second_step',
  'recovery',
  'receipt',
] as const;
export type MailTemplate = (typeof MAIL_TEMPLATES)[number];

const person = z.object({ id: z.string(), name: z.string() }).nullable();
/** Unique within its kind. */
const line = { id: z.string(), at: timeText };

/** The object that caused it, such as a purchase or a card order. */
const cause = { object: z.object({ type: z.string(), id: z.string() }).nullable() };

const timelineEntry = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('movement'), ...line, ...cause, data: historyItem }),
    z.object({ kind: z.literal('payment'), ...line, ...cause, data: historyItem }),
    z.object({ kind: z.literal('purchase'), ...line, ...cause, data: historyItem }),
    z.object({
      kind: z.literal('sign_in'),
      ...line,
      /** Null while the session is open. */
      data: z.object({ ended_at: timeText.nullable() }),
    }),
    z.object({
      kind: z.literal('scan'),
      ...line,
      data: z.object({
        action: z.enum(['scan', 'redeem']),
        outcome: z.string(),
        venue: z.string().nullable(),
        item_count: z.int(),
        redeemed_count: z.int(),
        titles: z.array(z.string()),
      }),
    }),
    z.object({ kind: z.literal('terms'), ...line, data: z.object({ version: z.string() }) }),
    z.object({
      kind: z.literal('mail'),
      ...line,
      data: z.object({ template: z.enum(MAIL_TEMPLATES) }),
    }),
    z.object({
      kind: z.literal('note'),
      ...line,
      /** Plain text, never markup. */
      data: z.object({ text: z.string(), staff: person }),
    }),
    z.object({
      kind: z.literal('staff'),
      ...line,
      data: z.object({ action: z.string(), outcome: z.enum(AUDIT_OUTCOMES), staff: person }),
    }),
  ])
  .meta({ id: 'TimelineEntry' });
export type TimelineEntry = z.infer<typeof timelineEntry>;

const customerParam = z.object({ uuid: uuidText });
/** A typed search text. */
export const searchText = z.string().trim().min(1).max(SEARCH_LENGTH_MAX);
export const noteText = z.string().trim().min(1).max(NOTE_LENGTH_MAX);
const done = z.object({ success: z.literal(true) });
const dateTime = z.iso.datetime({ offset: true });

/** The filters of the list of customers. */
export const customerFilters = {
  state: z.enum(CUSTOMER_STATES).optional(),
  from: dateTime.optional(),
  /** Exclusive. */
  to: dateTime.optional(),
};

export const customerCalls = {
  customers: {
    method: 'GET',
    path: '/admin/customers',
    auth: 'console',
    permission: 'customers.read',
    limit: 'search',
    summary: 'Customers, newest first, or those that a search finds',
    query: z.object({
      ...pageQuery,
      sort: z.enum(['newest', 'oldest']).default('newest'),
      /**
       * A uuid or its beginning, an e-mail address, the id of a card order or of a movement. With `customers.contact`, also the beginning
       * of an address, or at least four characters of its local part.
       */
      q: searchText.optional(),
      ...customerFilters,
    }),
    answer: listOf(customerSummary),
  },
  customer: {
    method: 'GET',
    path: '/admin/customers/:uuid',
    auth: 'console',
    permission: 'customers.read',
    limit: 'customer_open',
    audit: { action: 'customer.open', subject: 'customer' },
    summary: 'One customer',
    params: customerParam,
    answer: customer,
  },
  customerContact: {
    method: 'GET',
    path: '/admin/customers/:uuid/contact',
    auth: 'console',
    permission: 'customers.contact',
    audit: { action: 'customer.contact', subject: 'customer' },
    summary: 'The e-mail address without its mask',
    params: customerParam,
    answer: z.object({ email: z.string().nullable() }),
  },
  customerTimeline: {
    method: 'GET',
    path: '/admin/customers/:uuid/timeline',
    auth: 'console',
    permission: 'customers.read',
    summary: 'What happened to a customer, newest first',
    params: customerParam,
    query: z.object({ ...pageQuery, kind: z.enum(TIMELINE_KINDS).optional() }),
    answer: z.object({ items: z.array(timelineEntry), next_cursor: z.string().nullable() }),
  },
  addNote: {
    method: 'POST',
    path: '/admin/customers/:uuid/notes',
    auth: 'console',
    permission: 'customers.note',
    audit: { action: 'customer.note', subject: 'customer' },
    summary: 'Write a note about a customer. Notes cannot be changed',
    params: customerParam,
    body: z.object({ text: noteText }),
    answer: z.object({ id: z.string(), at: timeText }),
  },
  endCustomerSessions: {
    method: 'POST',
    path: '/admin/customers/:uuid/sign-out',
    auth: 'console',
    permission: 'customers.end_sessions',
    audit: { action: 'customer.end_sessions', subject: 'customer' },
    summary: 'End every session of a customer',
    params: customerParam,
    body: z.object({ reason: reasonText }),
    answer: done,
  },
  customerErasure: {
    method: 'GET',
    path: '/admin/customers/:uuid/erasure',
    auth: 'console',
    permission: 'customers.erase',
    summary: 'What erasing a customer would end, and what stands in its way',
    params: customerParam,
    answer: z.object({
      /** The balances that would be forfeited. */
      balances,
      session_count: z.int(),
      /** The number of purchased items not redeemed yet, which could no longer be redeemed. */
      unredeemed_count: z.int(),
      /** Null if erasure can be requested. */
      obstacle: z.object({ code: z.string(), title: z.string() }).nullable(),
    }),
  },
  eraseCustomer: {
    method: 'POST',
    path: '/admin/customers/:uuid/erase',
    auth: 'console',
    permission: 'customers.erase',
    proof: true,
    audit: { action: 'customer.erase', subject: 'customer' },
    summary: 'Ask that a customer be erased, as the deletion of an account does; always by a vote',
    params: customerParam,
    body: z.object({ reason: reasonText }).meta({ id: 'EraseCustomer' }),
    answer: policyOutcome({}),
  },
  sendCustomerMail: {
    method: 'POST',
    path: '/admin/customers/:uuid/mails',
    auth: 'console',
    permission: 'customers.mail',
    audit: { action: 'customer.mail', subject: 'customer' },
    summary: 'Send a mail again: a link to a new password, or a receipt',
    params: customerParam,
    body: z.discriminatedUnion('template', [
      z.object({ template: z.literal('reset') }),
      z.object({ template: z.literal('receipt'), order_id: uuidText }),
    ]),
    answer: done,
  },
  sendVerificationMail: {
    method: 'POST',
    path: '/admin/verification-mails',
    auth: 'console',
    permission: 'customers.mail',
    audit: { action: 'sign_up.mail', subject: 'sign_up' },
    summary: 'Send the verification mail of an unfinished sign-up again',
    body: z.object({ email: z.string().trim().toLowerCase().max(SEARCH_LENGTH_MAX) }),
    answer: done,
  },
} as const satisfies ConsoleCalls;
