import { problem, silence } from '../fake-api.ts';
import {
  BOOKING_ID,
  DAY,
  freeBooking,
  TRANSACTION_ID,
  unknownTransaction,
} from '../samples/console-reconciliation.ts';
import { consoleAnswers, staffWith } from '../samples/console.ts';
import { press, see, seen } from '../steps/acts.ts';
import { seeFailure } from './console-lists.ts';
import { statesOf } from './screen-state.ts';

const shared = {
  isVisitor: true,
  answers: consoleAnswers,
  widths: [390, 768, 1440],
} as const;

const UNMATCHED = '/console/reconciliation/unmatched';
const STRAY = `${UNMATCHED}/${unknownTransaction().id}`;

export const reconciliationStates = [
  ...statesOf(
    'console-reconciliation',
    { ...shared, path: '/console/reconciliation/days' },
    {
      filled: { reach: seen('4 of 4 shown') },
      different: { path: `/console/reconciliation/days/${DAY}`, reach: seen('The totals differ') },
      unmatched: {
        path: '/console/reconciliation/days/2026-11-21',
        reach: seen(/something has waited for its partner/),
      },
      agreed: {
        path: '/console/reconciliation/days/2026-11-22',
        reach: seen('Provider less transactions'),
      },
      empty: {
        answers: {
          reconciliationDays: () => ({
            items: [],
            next_cursor: null,
            count: { value: 0, is_at_least: false },
          }),
        },
        reach: seen(/The first comparison/),
      },
      loading: { answers: { reconciliationDays: silence } },
      failed: {
        answers: { reconciliationDays: () => problem('internal_error') },
        reach: seeFailure,
      },
    },
  ),
  ...statesOf(
    'console-unmatched',
    { ...shared, path: UNMATCHED },
    {
      filled: { reach: seen('Our booking') },
      empty: {
        answers: { unmatchedMoney: () => ({ transactions: [], bookings: [], has_more: false }) },
        reach: seen('Everything has its partner'),
      },
      loading: { answers: { unmatchedMoney: silence } },
      transaction: { path: STRAY, reach: seen('First seen') },
      booking: { path: `${UNMATCHED}/${freeBooking().id}`, reach: seen('Show its transfers') },
      match: {
        path: STRAY,
        async reach(page) {
          await press(page, 'Match');
          await see(page, /Joins a transaction and a booking/);
        },
      },
      book: {
        path: STRAY,
        async reach(page) {
          await press(page, 'Book');
          await see(page, /Books 15.00 USD Suspense → Card provider/);
        },
      },
      explain: {
        path: STRAY,
        async reach(page) {
          await press(page, 'Explain');
          await see(page, /Takes it off the unmatched list/);
        },
      },
      auditor: {
        path: STRAY,
        answers: { me: () => staffWith(['auditor']) },
        reach: seen(/Needs the permission ledger.book/),
      },
    },
  ),
  ...statesOf(
    'console-transactions',
    { ...shared, path: '/console/reconciliation/transactions' },
    {
      filled: { reach: seen('4 of 4 shown') },
      payouts: {
        path: '/console/reconciliation/transactions?group=payouts',
        reach: seen('1 of 1 shown'),
      },
      one: {
        path: `/console/reconciliation/transactions/${TRANSACTION_ID}`,
        reach: seen('First seen'),
      },
      explained: {
        path: '/console/reconciliation/transactions/txn_1QmB7x2eZvKYlo2CFee00001',
        reach: seen(/charges this each month/),
      },
      booking: {
        path: `/console/reconciliation/bookings/${BOOKING_ID}`,
        reach: seen('Show its transfers'),
      },
    },
  ),
];
