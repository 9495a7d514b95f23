import type { Page } from '@playwright/test';
import { enterSend } from '../steps/wallet.ts';
import { balanceOf } from './fake-api.ts';
import { FRIEND, ME } from './sample-data.ts';
import { contactsOf, type State } from './state.ts';

const OTHER = '0192f3a1-aaaa-7d55-8a31-0b7c2d4f6e13';
const contacts = contactsOf(
  { alias: 'Bo', address: FRIEND },
  { alias: 'Maximiliana Constantinopolitanska-Featherstonehaugh', address: OTHER },
  { alias: '汪小明', address: ME },
);

const amount = (page: Page) => page.getByRole('textbox', { name: 'Amount to send' });
const recipient = (page: Page) => page.getByRole('textbox', { name: 'Recipient' });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

/** The step before is a confirmed draft: what is in the browser when the summary is opened. */
const draft = (fields: object) => ({
  [`send-draft:${ME}`]: JSON.stringify({
    asset: 'ATH',
    paymentAmount: '12.5',
    sendAll: false,
    usd: '210',
    name: 'Bo',
    address: FRIEND,
    active: true,
    ...fields,
  }),
});
const summary = { path: '/app/send/summary', tabStorage: draft({}) };
/** A sending whose outcome nobody knows. */
const unknown = draft({ key: '0192f3a1-cccc-7d55-8a31-0b7c2d4f6e14' });
const send = (page: Page) => press(page, 'Send');

export const sendStates: readonly State[] = [
  { name: 'send/amount', path: '/app/send' },
  { name: 'send/amount-typed', path: '/app/send', reach: (page) => amount(page).fill('12.5') },
  {
    name: 'send/amount-above-balance',
    path: '/app/send',
    reach: (page) => amount(page).fill('999999'),
  },
  {
    name: 'send/amount-big-all',
    path: '/app/send',
    answers: { balance: balanceOf('98765432109876543') },
    reach: (page) => press(page, 'All'),
  },
  {
    name: 'send/token-select',
    path: '/app/send',
    reach: async (page) => {
      await page.getByRole('combobox', { name: 'Token' }).click();
      await page.getByRole('option', { name: /ATH3/ }).waitFor();
    },
  },
  { name: 'send/recipient-empty', path: '/app/send/recipient' },
  { name: 'send/recipient-contacts', path: '/app/send/recipient', storage: contacts },
  {
    name: 'send/recipient-scan',
    path: '/app/send/recipient',
    reach: async (page) => {
      await press(page, 'Scan Address');
      await press(page, 'Scan an Image File');
      await page.getByRole('button', { name: 'Choose Image' }).waitFor();
    },
  },
  {
    name: 'send/recipient-chosen',
    path: '/app/send/recipient',
    storage: contacts,
    reach: (page) => page.getByRole('button', { name: /^Bo/ }).click(),
  },
  {
    name: 'send/recipient-unknown',
    path: '/app/send/recipient',
    storage: contacts,
    reach: (page) => recipient(page).fill('0192f3a1-bbbb-7d55-8a31-0b7c2d4f6e14'),
  },
  {
    name: 'send/recipient-incomplete',
    path: '/app/send/recipient',
    storage: contacts,
    reach: (page) => recipient(page).fill('0192f3a1-bbbb'),
  },
  {
    name: 'send/add-contact',
    path: '/app/send/recipient',
    reach: async (page) => {
      await recipient(page).fill(FRIEND);
      await press(page, 'ADD CONTACT');
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'send/delete-contact',
    path: '/app/send/recipient',
    storage: contacts,
    reach: async (page) => {
      await press(page, 'Delete Bo');
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'send/contact-deleted',
    path: '/app/send/recipient',
    storage: contacts,
    reach: async (page) => {
      await press(page, 'Delete Bo');
      await press(page, 'Delete');
      await page.getByText(/removed from contact list!$/).waitFor();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    },
  },
  { name: 'send/summary', ...summary },
  {
    name: 'send/summary-long',
    path: '/app/send/summary',
    answers: { balance: balanceOf('98765432109876543') },
    tabStorage: draft({
      name: 'Maximiliana Constantinopolitanska-Featherstonehaugh',
      paymentAmount: '98765432109.876543',
    }),
  },
  { name: 'send/sending', ...summary, answers: { transfer: 'silence' }, reach: send },
  {
    name: 'send/failed',
    ...summary,
    answers: { transfer: { problem: 'recipient_not_found' } },
    reach: async (page) => {
      await send(page);
      await page.getByText('There is no account with this ID. Nothing was sent.').waitFor();
    },
  },
  { name: 'send/unknown', path: '/app/send/summary', storage: unknown },
  { name: 'send/amount-unknown', path: '/app/send', storage: unknown },
  {
    name: 'send/sent',
    path: '/app/send',
    reach: async (page) => {
      await enterSend(page, '12.5', FRIEND);
      await send(page);
      await page.getByRole('dialog', { name: 'Successfully sent' }).waitFor();
    },
  },
];
