import type { Page } from '@playwright/test';
import { sharedContacts } from '../answers.ts';
import { problem, silence } from '../fake-api.ts';
import { FRIEND, HUGE_BALANCE } from '../samples/holder.ts';
import { FAKE_UUID } from '../session.ts';
import { press, see, seen, write } from '../steps/acts.ts';
import { statesOf, type ScreenState } from './screen-state.ts';

export const contacts = {
  [`contacts:${FAKE_UUID}`]: JSON.stringify([
    { alias: 'Bo', address: FRIEND },
    {
      alias: 'Maximiliana Constantinopolitanska-Featherstonehaugh',
      address: '0192f3a1-aaaa-7d55-8a31-0b7c2d4f6e13',
    },
    { alias: '汪小明', address: '0192f3a1-aaaa-7d55-8a31-0b7c2d4f6e15' },
  ]),
};
export const STRANGER = '7c41e9b2-bbbb-7d55-8a31-0b7c2d4f6e14';

/** The server's facts about an address without an earlier send. */
const FIRST_TIME = { is_first_time: true, looks_like: null, warned_seconds: 60 };

/** A pay link that asks for another amount than the states enter. */
const PAY_CODE = 'Ab-_567890123456789012';
export const payAnswers: NonNullable<ScreenState['answers']> = {
  recipient: () => ({
    exists: true,
    uuid: STRANGER,
    name: 'Ada Lovelace',
    initial: 'A',
    pay: { amount: '2500000', asset: 'ATH', note: 'Two seats' },
  }),
  pastSends: () => FIRST_TIME,
};

/** Enters an amount, and then a pay link that asks for another one. */
export async function enterPayCode(page: Page): Promise<void> {
  await typeAmount('12.5')(page);
  await press(page, 'Next');
  await typeRecipient(PAY_CODE)(page);
  await press(page, 'Next');
  await see(page, /^This link asks for/);
}

export const typeAmount = (text: string) => (page: Page) => write(page, 'Amount to send', text);

export async function chooseToken(page: Page, name: string): Promise<void> {
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

export const typeRecipient = (text: string) => (page: Page) => write(page, 'Recipient', text);

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
    'handle-found': {
      answers: {
        recipient: () => ({ exists: true, uuid: STRANGER, name: 'Ada Lovelace', initial: 'A' }),
        pastSends: () => FIRST_TIME,
      },
      reach: async (page) => {
        await typeRecipient('@ada_lovelace')(page);
        await press(page, 'Next');
        await see(page, STRANGER);
      },
    },
    'pay-link-found': {
      path: `/app/pay?code=${PAY_CODE}`,
      answers: payAnswers,
      reach: seen(/^You have never sent/),
    },
    'pay-link-asks-for-another-amount': {
      path: '/app/send',
      answers: payAnswers,
      isWhole: true,
      reach: enterPayCode,
    },
    'look-up-failed': {
      answers: { recipient: () => problem('overloaded') },
      reach: async (page) => {
        await typeRecipient('@ada_lovelace')(page);
        await press(page, 'Next');
        // The client repeats the call before it gives up.
        await page.clock.fastForward(60_000);
        await see(page, 'It could not be looked up. Try again.');
      },
    },
    'unknown-address': { reach: typeRecipient(STRANGER) },
    'first-time': {
      answers: { pastSends: () => FIRST_TIME },
      reach: async (page) => {
        await typeRecipient(STRANGER)(page);
        await see(page, /^You have never sent/);
      },
    },
    'look-alike': {
      answers: { pastSends: () => FIRST_TIME },
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
    'add-look-alike': {
      isWhole: true,
      answers: { pastSends: () => FIRST_TIME },
      reach: async (page) => {
        await typeRecipient(`${FRIEND.slice(0, 9)}aaaa-4d55-8a31-0b7c2d4f6e19`)(page);
        await press(page, 'ADD CONTACT');
        await page.getByRole('dialog').getByText('This address looks like one you know').waitFor();
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

export const sendStates: readonly ScreenState[] = [...amountStep, ...recipientStep];
