/**
 * What is measured of the console: every call of the contract that reads. A new one does not compile until it has its cases here,
 * or a reason why it has none.
 */
import { API_PREFIX } from '@athos/contract/call';
import {
  consoleApi,
  type ConsoleCallName,
  type ConsoleParamsOf,
  type ConsoleQueryOf,
} from '@athos/contract/console/calls';
import { DASHBOARD_DAYS_MAX } from '@athos/contract/console/dashboard';
import type { Examples } from './examples.sql.ts';
import { JOURNAL_DAYS } from './journal.sql.ts';

type ConsoleApi = typeof consoleApi;
type ReadName = {
  [Name in ConsoleCallName]: ConsoleApi[Name]['method'] extends 'GET' ? Name : never;
}[ConsoleCallName];

interface Given<Name extends ReadName> {
  readonly params?: ConsoleParamsOf<Name>;
  readonly query?: ConsoleQueryOf<Name>;
}
interface Cases<Name extends ReadName> {
  readonly [label: string]: (some: Examples) => Given<Name>;
}
interface LeftOut {
  readonly leftOut: string;
}

const DAY_MS = 24 * 60 * 60_000;
const daysAgo = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString();
const someDay = (): string => daysAgo(1 + Math.random() * (JOURNAL_DAYS - 2)).slice(0, 10);
const plain = { '': () => ({}) };
const daysUntilToday = (count: number) => () => ({
  query: { from: daysAgo(count - 1).slice(0, 10), to: daysAgo(0).slice(0, 10) },
});
const dashboardCases = {
  'of today': daysUntilToday(1),
  'of 30 days': daysUntilToday(30),
  'of a quarter': daysUntilToday(DASHBOARD_DAYS_MAX),
};
const byId = (idOf: (some: Examples) => string) => ({
  '': (some: Examples) => ({ params: { id: idOf(some) } }),
});
const byUuid = {
  '': (some: Examples) => ({ params: { uuid: some.customer().uuid } }),
};
const localPart = (email: string): string => email.split('@')[0] ?? '';

const READS: { readonly [Name in ReadName]: Cases<Name> | LeftOut } = {
  consoleDocument: { leftOut: 'made once at the start and kept; staff open it by hand' },
  consoleEvents: { leftOut: 'a stream, which stays open' },
  me: plain,
  newPasskeyOptions: { leftOut: 'a challenge for the browser, no list' },
  proofOptions: { leftOut: 'a challenge for the browser, no list' },
  ownSessions: plain,
  staffList: {
    ...plain,
    'by role': () => ({ query: { role: 'provider_owner' } }),
    'by state': () => ({ query: { state: 'active', organisation: 'brand' } }),
  },
  staffMember: byId((some) => some.staff()),
  roleList: plain,
  consolePayments: {
    ...plain,
    'in review': () => ({ query: { state: 'review' } }),
    credited: () => ({ query: { state: 'credited' } }),
    canceled: () => ({ query: { state: 'canceled' } }),
    open: () => ({ query: { state: 'open' } }),
    'of a customer': (some) => ({ query: { customer_uuid: some.customer().uuid } }),
    'of a day': () => ({ query: { from: daysAgo(9), to: daysAgo(8) } }),
    'of a card': () => ({ query: { q: '4242' } }),
    'by the provider’s id': () => ({ query: { q: 'pi_77' } }),
    'by an unknown id': () => ({ query: { q: 'du_unknown' } }),
  },
  consolePayment: byId((some) => some.order()),
  paymentAttempts: { leftOut: 'asks the provider, which this bench does not measure' },
  refundable: byId((some) => some.order()),
  consoleRefunds: {
    ...plain,
    succeeded: () => ({ query: { state: 'succeeded' } }),
    failed: () => ({ query: { state: 'failed' } }),
    'none of them': () => ({ query: { state: 'withdrawn' } }),
    'of a customer': (some) => ({ query: { customer_uuid: some.customer().uuid } }),
    'of a day': () => ({ query: { from: daysAgo(9), to: daysAgo(8) } }),
    'of a payment': (some) => ({ query: { q: some.order() } }),
  },
  brakes: plain,
  rateNow: plain,
  rateSeries: { ...plain, 'of a quarter': () => ({ query: { range: 'quarter' } }) },
  consoleRefund: byId((some) => some.refund()),
  reconciliationDays: plain,
  unmatchedMoney: plain,
  reconciliationDay: { '': () => ({ params: { day: someDay() } }) },
  cardTransactions: {
    ...plain,
    payments: () => ({ query: { group: 'payments' } }),
    'of disputes': () => ({ query: { group: 'disputes' } }),
    'none of them': () => ({ query: { group: 'payouts' } }),
    'of some days': () => ({ query: { from: daysAgo(60), to: daysAgo(50) } }),
  },
  cardTransaction: byId((some) => some.cardTransaction()),
  cardBooking: byId((some) => some.cardBooking()),
  consoleDisputes: {
    ...plain,
    open: () => ({ query: { phase: 'open' } }),
    'to answer': () => ({ query: { view: 'answer' } }),
    undecided: () => ({ query: { view: 'undecided' } }),
    'of a customer': (some) => ({ query: { customer_uuid: some.customer().uuid } }),
    'none of them': () => ({ query: { phase: 'inquiry' } }),
  },
  consoleDispute: byId((some) => some.dispute()),
  evidenceFile: { leftOut: 'one row by its key, of at most a megabyte' },
  consoleDebts: {
    ...plain,
    open: () => ({ query: { state: 'open' } }),
    'of a customer': (some) => ({ query: { customer_uuid: some.customer().uuid } }),
  },
  consoleDebt: byId((some) => some.debt()),
  consoleWarnings: { ...plain, open: () => ({ query: { view: 'open' } }) },
  campaigns: { ...plain, running: () => ({ query: { state: 'running' } }) },
  campaign: { leftOut: 'three rows by their keys' },
  campaignOptions: plain,
  batches: { leftOut: 'a page of one index; a campaign has few' },
  lockOuts: { leftOut: 'a page of one small table that empties itself' },
  batchFile: { leftOut: 'a file, streamed' },
  auditEntries: {
    ...plain,
    oldest: () => ({ query: { sort: 'oldest' } }),
    'of a person': (some) => ({ query: { staff_id: some.staff() } }),
    'of an action': () => ({ query: { action: 'payment.refund' } }),
    'about a customer': (some) => ({
      query: { subject_type: 'customer', subject_id: some.customer().uuid },
    }),
    'of a rare outcome': () => ({ query: { outcome: 'failed' } }),
    'of some days': () => ({ query: { from: daysAgo(60), to: daysAgo(50) } }),
  },
  auditHead: plain,
  auditVerification: byId((some) => some.auditVerification()),
  auditEntry: byId((some) => some.auditEntry()),
  customerHolds: byUuid,
  ledgerAccounts: plain,
  ledgerAccount: byId((some) => some.transfer().debit),
  ledgerTransfers: {
    ...plain,
    'by key': (some) => ({ query: { key: some.transfer().key } }),
    'of an account': (some) => ({ query: { account_id: some.transfer().debit } }),
    'of the busiest account': () => ({ query: { account_id: '-16' } }),
    'of a rare kind': () => ({ query: { kind: 'tip' } }),
    'of an amount': () => ({ query: { amount_min: '100000000' } }),
    'of some days': () => ({ query: { from: daysAgo(60), to: daysAgo(50) } }),
  },
  ledgerTransfer: byId((some) => some.transfer().id),
  trialBalance: { '': () => ({ query: { day: someDay() } }) },
  ledgerChain: plain,
  ledgerSeals: plain,
  ledgerVerification: byId((some) => some.ledgerVerification()),
  approvals: {
    ...plain,
    oldest: () => ({ query: { sort: 'oldest' } }),
    'of the caller': () => ({ query: { view: 'mine' } }),
    all: () => ({ query: { view: 'all' } }),
    'all executed': () => ({ query: { view: 'all', state: 'executed' } }),
    'all of an action': () => ({ query: { view: 'all', action: 'customer.adjust' } }),
    'none of them': () => ({ query: { view: 'all', state: 'stale' } }),
    'all about a customer': (some) => ({
      query: { view: 'all', subject_id: some.customer().uuid },
    }),
  },
  approval: byId((some) => some.approval()),
  settings: plain,
  legalTexts: plain,
  legalTextVersion: { leftOut: 'one row by its key; a programme has some dozen' },
  purchases: {
    ...plain,
    'by its id': (some) => ({ query: { id: some.purchase() } }),
    'of a customer': (some) => ({ query: { customer_uuid: some.customer().uuid } }),
    'of some days': () => ({ query: { from: daysAgo(30), to: daysAgo(20) } }),
  },
  consoleCategories: plain,
  consoleCategory: { '': () => ({ params: { id: 1 } }) },
  offerChoices: plain,
  consoleOffers: {
    ...plain,
    'by title': () => ({ query: { q: 'offer', sort: 'title' } }),
    'of a state': () => ({ query: { state: 'live' } }),
    'with a draft': () => ({ query: { draft: 'open' } }),
  },
  consoleOffer: { '': () => ({ params: { id: 1 } }) },
  merchants: plain,
  merchant: { '': () => ({ params: { id: 1 } }) },
  merchantStatement: {
    '': () => ({ params: { id: 1 }, query: { month: someDay().slice(0, 7) } }),
  },
  offerImport: { leftOut: 'one row of a person by its key, and a count of at most 5,000' },
  offerImportRows: { leftOut: 'a page of one file by its key' },
  redemptions: {
    ...plain,
    'at a venue': () => ({ query: { venue_id: 7 } }),
    'of a customer': (some) => ({ query: { customer_uuid: some.customer().uuid } }),
    'of some days': () => ({ query: { from: daysAgo(30), to: daysAgo(20) } }),
  },
  redemption: { '': (some) => ({ params: { id: some.redemption() } }) },
  scan: { '': (some) => ({ params: { id: some.redemption() } }) },
  scanners: { ...plain, 'at a venue': () => ({ query: { venue_id: 7 } }) },
  scanner: { leftOut: 'one row by its key' },
  jobs: { ...plain, failed: () => ({ query: { state: 'failed' } }) },
  job: { leftOut: 'one row by its key, which is gone when the job is done' },
  jobQueue: plain,
  mails: {
    ...plain,
    'none of them': () => ({ query: { state: 'refused' } }),
    'of a customer': (some) => ({ query: { customer_uuid: some.customer().uuid } }),
  },
  system: plain,
  venues: { ...plain, archived: () => ({ query: { state: 'archived' } }) },
  venueNames: plain,
  venueCounts: { ...plain, 'of a venue': () => ({ query: { venue_id: 7 } }) },
  venue: { '': () => ({ params: { id: 7 } }) },
  scans: {
    ...plain,
    refused: () => ({ query: { outcome: 'refused' } }),
    'at a venue': () => ({ query: { venue_id: 7 } }),
    'of a customer': (some) => ({ query: { customer_uuid: some.customer().uuid } }),
    'by a scanner': (some) => ({ query: { scanner_uuid: some.customer().uuid } }),
    'of some days': () => ({ query: { from: daysAgo(30), to: daysAgo(20) } }),
  },
  consoleTiers: plain,
  tierHolders: {
    '': () => ({ query: { amounts: '0,100000000,1000000000,1234560000,10000000000' } }),
  },
  pictures: { ...plain, unused: () => ({ query: { use: 'unused' } }) },
  picture: { leftOut: 'one row by its key; the data set has no pictures' },
  voidable: { leftOut: 'as many rows as one customer bought since one payment' },
  purchaseDetail: { '': (some) => ({ params: { id: some.purchase() } }) },
  customers: {
    ...plain,
    oldest: () => ({ query: { sort: 'oldest' } }),
    closed: () => ({ query: { state: 'closed' } }),
    open: () => ({ query: { state: 'open' } }),
    'of some days': () => ({ query: { from: daysAgo(500), to: daysAgo(490) } }),
    'by address': (some) => ({ query: { q: some.customer().email } }),
    'by the beginning of an address': (some) => ({
      query: { q: some.customer().email.slice(0, 6) },
    }),
    'by part of an address': (some) => ({
      query: { q: localPart(some.customer().email).slice(3, 11) },
    }),
    'by the beginning of a uuid': (some) => ({ query: { q: some.customer().uuid.slice(0, 6) } }),
    'by an order': (some) => ({ query: { q: some.order() } }),
    'by a transfer': (some) => ({ query: { q: some.transfer().id } }),
  },
  customer: byUuid,
  customerContact: byUuid,
  customerErasure: byUuid,
  customerTimeline: {
    ...byUuid,
    movements: (some) => ({ params: { uuid: some.customer().uuid }, query: { kind: 'movement' } }),
    scans: (some) => ({ params: { uuid: some.customer().uuid }, query: { kind: 'scan' } }),
    'acts of staff': (some) => ({
      params: { uuid: some.customer().uuid },
      query: { kind: 'staff' },
    }),
  },
  exports: plain,
  savedViews: { '': () => ({ query: { list: '/customers' } }) },
  export: { leftOut: 'one row by its key, which only its owner may read' },
  exportFile: { leftOut: 'the bytes of a file, once for each link' },
  bulkRuns: { leftOut: 'the seed runs no bulk act' },
  bulkRun: { leftOut: 'the seed runs no bulk act' },
  bulkFailures: { leftOut: 'the seed runs no bulk act' },
  dashboard: dashboardCases,
  dashboardMoney: dashboardCases,
  waiting: plain,
  search: {
    'for an order': (some) => ({ query: { q: some.order() } }),
    'for a purchase': (some) => ({ query: { q: String(some.purchase()) } }),
    'for an offer': () => ({ query: { q: 'offer 7' } }),
    'for part of an address': (some) => ({
      query: { q: localPart(some.customer().email).slice(3, 11) },
    }),
  },
};

export interface MeasuredRead {
  readonly name: string;
  /** Path and query, other ones each time. */
  readonly makePath: (some: Examples) => string;
}

function pathOf(
  template: string,
  { params, query }: { readonly params?: unknown; readonly query?: unknown },
): string {
  const values = (params ?? {}) as Readonly<Record<string, string | number>>;
  const path = template.replace(/:(\w+)/g, (_match, name: string) => String(values[name]));
  const search = new URLSearchParams(query as Record<string, string>).toString();
  return `${API_PREFIX}${path}${search === '' ? '' : `?${search}`}`;
}

export const MEASURED_READS: readonly MeasuredRead[] = Object.entries(READS).flatMap(
  ([name, cases]) =>
    'leftOut' in cases
      ? []
      : Object.entries(cases as Cases<ReadName>).map(([label, make]) => ({
          name: label === '' ? name : `${name}, ${label}`,
          makePath: (some) => pathOf(consoleApi[name as ReadName].path, make(some)),
        })),
);
