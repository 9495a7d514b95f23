import { problem, silence } from '../fake-api.ts';
import {
  bulkRun,
  CUSTOMER_UUID,
  customer,
  customerHolds,
  heldSend,
  heldSends,
  hold,
  PUBLIC_NAMES,
  recovery,
} from '../samples/console-customers.ts';
import { consoleAnswers, staffWith } from '../samples/console.ts';
import { press, see, seen, write } from '../steps/acts.ts';
import { seeFailure } from './console-lists.ts';
import { statesOf } from './screen-state.ts';

const shared = {
  isVisitor: true,
  answers: consoleAnswers,
  widths: [390, 768, 1440],
} as const;

const none = () => ({
  items: [],
  next_cursor: null,
  count: { value: 0, is_at_least: false },
});

const inDebt = () =>
  customer({
    balances: { ATH: '-431500000', ATH2: '12000000', ATH3: '0' },
    held_kinds: ['send', 'spend', 'redeem'],
    owed: ['ATH'],
  });
const holds = () =>
  customerHolds(
    hold(),
    hold({
      id: 70,
      kinds: ['send', 'spend', 'redeem'],
      cause: 'debt',
      placed_by: null,
      ends_at: null,
      reason: 'The balance fell below zero by a chargeback.',
    }),
    hold({ id: 44, kinds: ['sign_in'], lifted_at: new Date().toISOString() }),
  );

export const customerStates = [
  ...statesOf(
    'console-customers',
    { ...shared, path: '/console/customers' },
    {
      filled: { reach: seen('4 of 4 shown') },
      found: { path: '/console/customers?q=maria', reach: seen('4 of 4 shown') },
      selected: {
        async reach(page) {
          await see(page, '4 of 4 shown');
          await page.getByRole('checkbox', { name: 'Select all rows shown' }).click();
          await see(page, '4 selected');
        },
      },
      bulk: {
        async reach(page) {
          await see(page, '4 of 4 shown');
          await page.getByRole('checkbox', { name: 'Select all rows shown' }).click();
          await press(page, 'Place holds');
          await page.getByRole('checkbox', { name: 'Signing in' }).click();
          await write(page, 'Reason', 'Addresses of a leaked list');
          await press(page, 'Count');
          await see(page, 'Stops exactly 4 customers');
        },
      },
      'bulk-running': {
        path: '/console/bulk/0192eeee-0000-7000-8000-000000000009',
        answers: {
          bulkRun: () =>
            bulkRun({ state: 'running', rows_done: 417, rows_failed: 0, finished_at: null }),
        },
        reach: seen('417 of 1,284 customers'),
      },
      'bulk-stop': {
        path: '/console/bulk/0192eeee-0000-7000-8000-000000000009',
        answers: {
          bulkRun: () =>
            bulkRun({ state: 'running', rows_done: 417, rows_failed: 0, finished_at: null }),
        },
        async reach(page) {
          await press(page, 'Stop');
          await see(page, /for 417 customers so far stays done/);
        },
      },
      'bulk-stopped': {
        path: '/console/bulk/0192eeee-0000-7000-8000-000000000009',
        answers: { bulkRun: () => bulkRun({ state: 'stopped', rows_done: 417 }) },
        reach: seen('Not reached'),
      },
      'bulk-runs': { path: '/console/bulk', reach: seen('90 of 1,284 customers') },
      'bulk-runs-none': {
        path: '/console/bulk',
        answers: { bulkRuns: none },
        reach: seen('No bulk action yet'),
      },
      'bulk-runs-loading': { path: '/console/bulk', answers: { bulkRuns: silence } },
      'bulk-runs-failed': {
        path: '/console/bulk',
        answers: { bulkRuns: () => problem('internal_error') },
        async reach(page) {
          await page.clock.fastForward(2000);
          await see(page, 'This could not be loaded');
        },
      },
      'bulk-failed': {
        path: '/console/bulk/0192eeee-0000-7000-8000-000000000009',
        reach: seen('2 customers failed'),
      },
      none: {
        path: '/console/customers?q=nobody',
        answers: { customers: none },
        reach: seen('No match'),
      },
      loading: { answers: { customers: silence } },
      failed: {
        answers: { customers: () => problem('internal_error') },
        reach: seeFailure,
      },
    },
  ),
  ...statesOf(
    'console-customer',
    { ...shared, path: `/console/customers/${CUSTOMER_UUID}` },
    {
      filled: { reach: seen('Called about the concert') },
      'in-debt': {
        answers: { customer: inDebt, customerHolds: holds },
        reach: seen('It ends when the debt is repaid.'),
      },
      hold: {
        async reach(page) {
          await press(page, 'Place hold');
          await page.getByRole('dialog', { name: 'Place a hold' }).waitFor();
          await page.getByText('Sending', { exact: true }).click();
          await page.getByText('Spending', { exact: true }).click();
        },
      },
      recovery: {
        answers: { customer: () => customer({ recovery: recovery() }) },
        reach: seen('Lost second step'),
      },
      'recovery-asked': {
        answers: {
          customer: () =>
            customer({
              recovery: recovery({
                reminded_at: null,
                approval_id: '0192f0f0-0000-7000-8000-000000000001',
              }),
            }),
        },
        reach: seen('Waiting for approval'),
      },
      'recovery-refuse': {
        answers: { customer: () => customer({ recovery: recovery() }) },
        async reach(page) {
          await press(page, 'Refuse');
          await see(page, /Ends the wait at once/);
        },
      },
      'recovery-shorten': {
        answers: { customer: () => customer({ recovery: recovery() }) },
        async reach(page) {
          await press(page, 'Shorten');
          await see(page, /Someone else must approve it/);
        },
      },
      'send-on-its-way': {
        answers: { customerHeldSends: () => heldSends(heldSend()) },
        reach: seen('Sends on their way'),
      },
      'send-given-back': {
        answers: { customerHeldSends: () => heldSends(heldSend()) },
        async reach(page) {
          await press(page, 'Give back');
          await see(page, /The recipient gets nothing/);
        },
      },
      'remove-names': {
        answers: { customer: () => customer({ public_names: PUBLIC_NAMES }) },
        async reach(page) {
          await press(page, 'Actions');
          await page.getByRole('menuitem', { name: 'Remove name or handle' }).click();
          await page.getByRole('checkbox', { name: /^Handle/ }).click();
          await see(page, /ever take it again/);
        },
      },
      adjust: {
        async reach(page) {
          await press(page, 'Actions');
          await page.getByRole('menuitem', { name: 'Adjust the balance' }).click();
          await write(page, 'Amount in ATH', '12.5');
          await see(page, /Gives 12.50 ATH/);
        },
      },
      erase: {
        async reach(page) {
          await press(page, 'Actions');
          await page.getByRole('menuitem', { name: 'Erase the customer' }).click();
          await see(page, /Forfeits 84.15 ATH/);
        },
      },
      'erase-refused': {
        answers: {
          customerErasure: () => ({
            balances: { ATH: '84150000', ATH2: '0', ATH3: '0' },
            session_count: 1,
            unredeemed_count: 0,
            obstacle: {
              code: 'payments_open',
              title: 'A card payment of this account is not finished yet.',
            },
          }),
        },
        async reach(page) {
          await press(page, 'Actions');
          await page.getByRole('menuitem', { name: 'Erase the customer' }).click();
          await see(page, 'This customer cannot be erased yet');
        },
      },
      auditor: {
        answers: { me: () => staffWith(['auditor']) },
        async reach(page) {
          await press(page, 'Actions');
          await see(page, /Needs the permission customers.mail/);
        },
      },
      closed: {
        answers: {
          customer: () =>
            customer({
              email: null,
              state: 'closed',
              closed_at: new Date().toISOString(),
              sessions: [],
              devices: [],
              balances: { ATH: '0', ATH2: '0', ATH3: '0' },
            }),
        },
        reach: seen('Closed at'),
      },
    },
  ),
];
