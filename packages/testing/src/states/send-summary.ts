/** The summary of a send, and its outcomes. */
import type { Page } from '@playwright/test';
import { holdsOf } from '../answers.ts';
import { problem, silence } from '../fake-api.ts';
import { FRIEND, heldSend, history, HUGE_BALANCE, type Movement } from '../samples/holder.ts';
import { press, see, seen, write } from '../steps/acts.ts';
import { enterSend } from '../steps/wallet.ts';
import { statesOf, type ScreenState } from './screen-state.ts';
import {
  chooseToken,
  contacts,
  enterPayCode,
  payAnswers,
  STRANGER,
  typeAmount,
  typeRecipient,
} from './send.ts';

/** The largest amount that the contract allows: 16 digits of micro-units. */
const AMOUNT_MAX = '9999999999.999999';

const summary =
  (amount = '12.5', address = FRIEND) =>
  (page: Page) =>
    enterSend(page, amount, address);

const summaryTo = (contact: RegExp) => async (page: Page) => {
  await typeAmount('12.5')(page);
  await press(page, 'Next');
  await page.getByRole('button', { name: contact }).click();
  await press(page, 'Next');
  await page.getByRole('heading', { name: 'Summary' }).waitFor();
};

const sendAnd = (text: string | RegExp) => async (page: Page) => {
  await summary()(page);
  await press(page, 'Send');
  await see(page, text);
};

async function sendInVain(page: Page): Promise<void> {
  await summary()(page);
  await press(page, 'Send');
  // The client retries the call after a second.
  await page.clock.fastForward(30_000);
  await see(page, 'We could not confirm');
}

const askToConfirm = (methods: readonly string[]) =>
  problem('confirmation_required', {
    action: 'send',
    action_hash: 'a'.repeat(64),
    methods,
    amount: '1200000000',
    asset: 'ATH',
    to_uuid: STRANGER,
  });

async function sendToConfirm(page: Page): Promise<void> {
  await summary()(page);
  await press(page, 'Send');
  await page.getByRole('dialog', { name: 'Confirm that it is you' }).waitFor();
}

const undoable = {
  transfer: () => ({ id: 7, balance: '0', hold: heldSend() }),
  holds: () => holdsOf([heldSend()]),
};

const undoAnd = (text: string) => async (page: Page) => {
  await summary()(page);
  await press(page, 'Send');
  await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click();
  await page.getByText(text).first().waitFor();
};

const smallSend: Movement = {
  type: 'Send',
  data: { ...history.sent.data, amount: '2500000' },
};

const tryAgain = { transfer: () => problem('try_again') };

export const summaryStates: readonly ScreenState[] = statesOf(
  'summary',
  { path: '/app/send', storage: contacts },
  {
    filled: { reach: summaryTo(/^Bo/) },
    'pay-link-asks-for-another-amount': {
      answers: payAnswers,
      isWhole: true,
      reach: async (page) => {
        await enterPayCode(page);
        await press(page, 'Next');
        await page.getByRole('heading', { name: 'Summary' }).waitFor();
      },
    },
    'long-name': { reach: summaryTo(/^Maximiliana/) },
    'huge-amount': {
      answers: { balance: () => HUGE_BALANCE },
      reach: summary(AMOUNT_MAX, STRANGER),
    },
    'another-token': {
      reach: async (page) => {
        await chooseToken(page, 'ATH2');
        await typeAmount('3')(page);
        await press(page, 'Next');
        await typeRecipient(STRANGER)(page);
        await press(page, 'Next');
        await page.getByRole('heading', { name: 'Summary' }).waitFor();
      },
    },
    'unusual-amount': {
      answers: {
        allHistory: () => ({ history: [smallSend], next_cursor: null }),
      },
      reach: async (page) => {
        await summary('1200')(page);
        await see(page, /^This is more than you usually send\./);
      },
    },
    sending: {
      answers: { transfer: silence },
      reach: async (page) => {
        await summary()(page);
        await press(page, 'Send');
      },
    },
    'no-such-recipient': {
      answers: { transfer: () => problem('recipient_not_found') },
      reach: sendAnd('There is no account with this ID. Nothing was sent.'),
    },
    'sender-on-hold': {
      answers: { transfer: () => problem('account_restricted') },
      reach: sendAnd(/^This account cannot send at the moment\. Nothing was sent\./),
    },
    'recipient-on-hold': {
      answers: { transfer: () => problem('recipient_restricted') },
      reach: sendAnd('This recipient cannot receive at the moment. Nothing was sent.'),
    },
    'confirm-by-password': {
      isWhole: true,
      answers: { transfer: () => askToConfirm(['password']) },
      reach: sendToConfirm,
    },
    'confirm-by-code': {
      answers: {
        transfer: () => askToConfirm(['passkey', 'totp']),
        confirm: () => problem('invalid_code'),
      },
      reach: async (page) => {
        await sendToConfirm(page);
        await write(page, 'Code of the app, or a recovery code', '123456');
        await press(page, 'Confirm');
        await see(page, 'was used already');
      },
    },
    'sent-too-often': {
      answers: { transfer: () => problem('send_limit_reached') },
      reach: sendAnd(
        'You have sent as often as you can within 24 hours. Nothing was sent. Try again tomorrow.',
      ),
    },
    'limited-after-recovery': {
      answers: { transfer: () => problem('recovery_limit_reached') },
      reach: sendAnd(/^The second step of this account was removed lately\./),
    },
    'too-many-on-their-way': {
      answers: { transfer: () => problem('holds_full') },
      reach: sendAnd(/^Too many of your sends are still on their way\./),
    },
    'outcome-unknown': { answers: tryAgain, reach: sendInVain },
    'amount-while-unknown': {
      answers: tryAgain,
      reach: async (page) => {
        await sendInVain(page);
        await page.goto('/app/send');
        await page.getByRole('main').waitFor();
      },
    },
    sent: {
      reach: async (page) => {
        await summary()(page);
        await press(page, 'Send');
        await page.getByRole('dialog', { name: 'Successfully sent' }).waitFor();
      },
    },
    'sent-with-undo': {
      answers: undoable,
      reach: async (page) => {
        await summary()(page);
        await press(page, 'Send');
        await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).waitFor();
      },
    },
    'sent-for-the-first-time': {
      answers: {
        transfer: () => ({ id: 7, balance: '0', hold: { ...heldSend(), is_first_time: true } }),
        holds: () => holdsOf([heldSend()]),
      },
      reach: sendAnd('You have never sent to this account.'),
    },
    'undo-too-late': {
      answers: { ...undoable, undoHold: () => problem('send_settled') },
      reach: undoAnd('It has arrived already.'),
    },
    'taken-back': {
      answers: undoable,
      reach: undoAnd('Taken back.'),
    },
    'sent-huge-amount': {
      answers: { balance: () => HUGE_BALANCE },
      reach: async (page) => {
        await summary(AMOUNT_MAX, STRANGER)(page);
        await press(page, 'Send');
        await page.getByRole('dialog', { name: 'Successfully sent' }).waitFor();
      },
    },
    'no-amount': { path: '/app/send/summary', reach: seen('Please enter the amount!') },
  },
);
