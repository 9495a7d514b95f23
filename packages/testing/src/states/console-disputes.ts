import { problem, silence } from '../fake-api.ts';
import {
  debt,
  DEBT_ID,
  dispute,
  DISPUTE_ID,
  lostDispute,
  submittedDispute,
  voidable,
} from '../samples/console-disputes.ts';
import { consoleAnswers, staffWith } from '../samples/console.ts';
import { press, see, seen, write } from '../steps/acts.ts';
import { emptyList, seeFailure } from './console-lists.ts';
import { statesOf } from './screen-state.ts';

const shared = {
  isVisitor: true,
  answers: consoleAnswers,
  widths: [390, 768, 1440],
} as const;

export const disputeStates = [
  ...statesOf(
    'console-disputes',
    { ...shared, path: '/console/disputes' },
    {
      filled: { reach: seen('4 of 4 shown') },
      all: { path: '/console/disputes?view=all', reach: seen('8 of 8 shown') },
      empty: {
        answers: { consoleDisputes: emptyList },
        reach: seen('No bank is waiting for your evidence.'),
      },
      loading: { answers: { consoleDisputes: silence } },
      failed: {
        answers: { consoleDisputes: () => problem('internal_error') },
        reach: seeFailure,
      },
    },
  ),
  ...statesOf(
    'console-dispute',
    { ...shared, path: `/console/disputes/${DISPUTE_ID}` },
    {
      'to-answer': { reach: seen('Save draft'), isWhole: true },
      changed: {
        async reach(page) {
          await write(page, 'Other remarks', 'The customer wrote to us on the day.');
          await see(page, /Not saved yet/);
        },
      },
      conflict: {
        answers: {
          saveEvidence: () =>
            problem('version_conflict', {
              present: { ...dispute(), version: 9, evidence: { customer_name: 'Maria F.' } },
            }),
        },
        async reach(page) {
          await write(page, 'Other remarks', 'The customer wrote to us on the day.');
          await press(page, 'Save draft');
          await page.getByText('Someone else has changed this').scrollIntoViewIfNeeded();
        },
      },
      submit: {
        async reach(page) {
          await press(page, 'Submit evidence');
          await see(page, /It is sent once/);
        },
      },
      accept: {
        async reach(page) {
          await press(page, 'Accept');
          await see(page, /Gives up 84.15 USD for good/);
        },
      },
      file: {
        async reach(page) {
          await press(page, 'Open scan-north-gate.png');
          await page.getByRole('link', { name: 'Download' }).waitFor();
        },
      },
      overdue: {
        answers: {
          consoleDispute: () => dispute({ due_at: new Date(Date.now() - 9e6).toISOString() }),
        },
        reach: seen('The due date has passed'),
      },
      submitted: { answers: { consoleDispute: submittedDispute }, reach: seen('Sent') },
      lost: { answers: { consoleDispute: lostDispute }, reach: seen('Chargeback loss') },
      void: {
        answers: { consoleDispute: lostDispute },
        async reach(page) {
          await press(page, 'Refund items of purchase 9118');
          await see(page, /which repays the 415.85 ATH owed first/);
        },
      },
      'void-none': {
        answers: { consoleDispute: lostDispute, voidable: () => voidable({ lines: [] }) },
        reach: seen('Everything that was bought since is redeemed or refunded.'),
      },
      'void-loading': {
        answers: { consoleDispute: lostDispute, voidable: silence },
        reach: seen('Bought with it, not redeemed'),
      },
      'void-failed': {
        answers: { consoleDispute: lostDispute, voidable: () => problem('internal_error') },
        async reach(page) {
          await page.clock.fastForward(2000);
          await see(page, 'This could not be loaded');
        },
      },
      reopened: {
        answers: {
          consoleDispute: () =>
            dispute({
              status: 'appeal_needs_response',
              submission_count: 1,
              evidence_state: 'draft',
            }),
        },
        reach: seen('The bank opened it again'),
      },
      refused: {
        answers: {
          consoleDispute: () =>
            dispute({
              evidence_state: 'refused',
              evidence_act: 'submit',
              evidence_failure: 'parameter_invalid: The file is not readable.',
            }),
        },
        reach: seen('The provider refused it'),
      },
      inquiry: {
        answers: {
          consoleDispute: () =>
            dispute({
              status: 'warning_needs_response',
              phase: 'inquiry',
              reason: 'unrecognized',
              withdrawn_usd_cents: '0',
              taken_token_amount: '0',
              owed_token_amount: '0',
              evidence: {},
              files: [],
              debts: [],
              journal: [],
            }),
        },
        reach: seen('Nothing has been posted.'),
      },
      unknown: {
        answers: {
          consoleDispute: () => ({ ...submittedDispute(), status: 'verdict_pending' }),
        },
        reach: seen(/which this console does not know/),
      },
      auditor: {
        answers: { me: () => staffWith(['auditor']) },
        reach: seen('Your roles do not allow this'),
      },
    },
  ),
  ...statesOf(
    'console-debts',
    { ...shared, path: '/console/debts' },
    {
      filled: { reach: seen('3 of 3 shown') },
      closed: { path: '/console/debts?state=closed', reach: seen('2 of 2 shown') },
      empty: {
        answers: { consoleDebts: emptyList },
        reach: seen('Nobody owes anything after a dispute.'),
      },
      loading: { answers: { consoleDebts: silence } },
      one: { path: `/console/debts/${DEBT_ID}`, reach: seen(/repays the oldest debt first/) },
      repaid: {
        path: `/console/debts/${DEBT_ID}`,
        answers: {
          consoleDebt: () =>
            debt(1, {
              repaid_token_amount: '431500000',
              owed_token_amount: '0',
              closed_at: new Date().toISOString(),
            }),
        },
        reach: seen('Repaid'),
      },
      'write-off': {
        path: `/console/debts/${DEBT_ID}`,
        async reach(page) {
          await press(page, 'Write off');
          await see(page, /Gives up 415.85 ATH/);
        },
      },
    },
  ),
  ...statesOf(
    'console-warnings',
    { ...shared, path: '/console/warnings' },
    {
      filled: { reach: seen('2 of 2 shown') },
      all: { path: '/console/warnings?view=all', reach: seen('5 of 5 shown') },
      empty: { answers: { consoleWarnings: emptyList }, reach: seen(/No bank suspects fraud/) },
    },
  ),
];
