import type { Page } from '@playwright/test';
import { holdsOf, sharedContacts } from '../answers.ts';
import { problem, silence } from '../fake-api.ts';
import { FRIEND, heldSend, HUGE_BALANCE } from '../samples/holder.ts';
import { FAKE_UUID } from '../session.ts';
import { press, see, seen, write } from '../steps/acts.ts';
import { enterSend } from '../steps/wallet.ts';
import { statesOf, type ScreenState } from './screen-state.ts';

const contacts = {
  [`contacts:${FAKE_UUID}`]: JSON.stringify([
    { alias: 'Bo', address: FRIEND },
    {
      alias: 'Maximiliana Constantinopolitanska-Featherstonehaugh',
      address: '0192f3a1-aaaa-7d55-8a31-0b7c2d4f6e13',
    },
    { alias: '汪小明', address: '0192f3a1-aaaa-7d55-8a31-0b7c2d4f6e15' },
  ]),
};
const STRANGER = '7c41e9b2-bbbb-7d55-8a31-0b7c2d4f6e14';
/** The largest amount that the contract allows: 16 digits of micro-units. */
const AMOUNT_MAX = '9999999999.999999';

const typeAmount = (text: string) => (page: Page) => write(page, 'Amount to send', text);

async function chooseToken(page: Page, name: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Token' }).click();
  await page.getByRole('option', { name }).click();
}

const amountStep = statesOf(
  'send',
  { path: '/app/send' },
  {
    empty: { reach: seen('Enter an amount') },
    filled: { reach: typeAmount('12.5') },
    all: { reach: (page) => press(page, 'All') },
    'above-the-balance': { reach: typeAmount('999999') },
    'all-of-a-huge-balance': {
      answers: { balance: () => HUGE_BALANCE },
      reach: (page) => press(page, 'All'),
    },
    '19-digits-above-the-balance': { reach: typeAmount('9223372036854.775807') },
    'tokens-open': {
      reach: async (page) => {
        await page.getByRole('combobox', { name: 'Token' }).click();
        await page.getByRole('option', { name: /ATH3/ }).waitFor();
      },
    },
    'balance-loading': {
      answers: { balance: silence },
      staysSplash: true,
      reach: async (page) => {
        await page.getByRole('status', { name: / is starting$/ }).waitFor();
        // The start waits for the balance until the request times out.
        await page.clock.fastForward(15_000);
        await see(page, 'Amount to send');
      },
    },
  },
);

const typeRecipient = (text: string) => (page: Page) => write(page, 'Recipient', text);

const recipientStep = statesOf(
  'recipient',
  { path: '/app/send/recipient', storage: contacts },
  {
    contacts: { reach: seen('汪小明') },
    'no-contacts': { storage: {}, reach: seen('People you save') },
    'contacts-unreadable': {
      answers: {
        contacts: () => sharedContacts([{ id: FRIEND, version: 1, state: 'unreadable' }]),
      },
      reach: seen('1 contact cannot be read'),
    },
    'contacts-unreadable-delete': {
      answers: {
        contacts: () => sharedContacts([{ id: FRIEND, version: 1, state: 'unreadable' }]),
      },
      reach: async (page) => {
        await press(page, 'Delete what cannot be read');
        await page.getByRole('dialog').waitFor();
      },
    },
    'contacts-left-out': {
      storage: {
        ...contacts,
        [`contacts-shared:${FAKE_UUID}`]: JSON.stringify({ leftOutCount: 2 }),
      },
      answers: { contacts: () => problem('internal_error') },
      reach: seen('2 contacts are on this device only'),
    },
    chosen: { reach: (page) => page.getByRole('button', { name: /^Bo/ }).click() },
    'unknown-address': { reach: typeRecipient(STRANGER) },
    'first-time': {
      answers: { pastSends: () => ({ is_first_time: true, looks_like: null }) },
      reach: async (page) => {
        await typeRecipient(STRANGER)(page);
        await see(page, /^You have never sent/);
      },
    },
    'look-alike': {
      answers: { pastSends: () => ({ is_first_time: true, looks_like: null }) },
      reach: async (page) => {
        await typeRecipient(`${FRIEND.slice(0, 9)}aaaa-4d55-8a31-0b7c2d4f6e19`)(page);
        await see(page, 'This address looks like one you know');
      },
    },
    'incomplete-address': {
      reach: async (page) => {
        await typeRecipient('0192f3a1-bbbb')(page);
        await page.keyboard.press('Enter');
        await page.getByRole('alert').filter({ hasText: 'not a complete' }).waitFor();
      },
    },
    'unknown-recipient': {
      answers: { recipient: () => ({ exists: false, uuid: null }) },
      reach: async (page) => {
        await typeRecipient(STRANGER)(page);
        await press(page, 'Next');
        await see(page, 'There is no account with this ID.');
      },
    },
    'looking-up': {
      answers: { recipient: silence },
      reach: async (page) => {
        await typeRecipient(STRANGER)(page);
        await press(page, 'Next');
      },
    },
    'own-address': { reach: typeRecipient(FAKE_UUID) },
    'scan-address': {
      reach: async (page) => {
        await press(page, 'Scan Address');
        await see(page, 'Scan an Image File');
      },
    },
    'scan-image-file': {
      reach: async (page) => {
        await press(page, 'Scan Address');
        await press(page, 'Scan an Image File');
        await page.getByRole('button', { name: 'Choose Image' }).waitFor();
      },
    },
    'add-contact': {
      reach: async (page) => {
        await typeRecipient(STRANGER)(page);
        await press(page, 'ADD CONTACT');
        await page.getByRole('dialog').waitFor();
      },
    },
    'delete-contact': {
      reach: async (page) => {
        await press(page, 'Delete Bo');
        await page.getByRole('dialog').waitFor();
      },
    },
    'contact-deleted': {
      reach: async (page) => {
        await press(page, 'Delete Bo');
        await press(page, 'Delete');
        await see(page, /removed from contact list!$/);
        await page.getByRole('dialog').waitFor({ state: 'detached' });
      },
    },
  },
);

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

const tryAgain = { transfer: () => problem('try_again') };

const summaryStep = statesOf(
  'summary',
  { path: '/app/send', storage: contacts },
  {
    filled: { reach: summaryTo(/^Bo/) },
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
      answers: {
        transfer: () => ({ id: 7, balance: '0', hold: heldSend() }),
        holds: () => holdsOf([heldSend()]),
      },
      reach: async (page) => {
        await summary()(page);
        await press(page, 'Send');
        await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).waitFor();
      },
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

export const sendStates: readonly ScreenState[] = [...amountStep, ...recipientStep, ...summaryStep];
