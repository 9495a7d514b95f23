/** Pages of the running system outside the catalogue of states: mails, the mailbox, the API's page, the demo's catalogue. */
import { press, see, write } from '@athos/testing/steps/acts';
import { openCardForm, pay, signIn } from '@athos/testing/steps/wallet';
import type { Browser, Page } from '@playwright/test';
import { openContext } from '../open-state.ts';
import { createAccount, newEmail, PASSWORD, type Account } from '../system/accounts.ts';
import { addresses } from '../system/addresses.ts';
import { callApi } from '../system/api.ts';
import { linkTo, waitForMail } from '../system/mailbox.ts';
import type { Shot } from './shot.ts';

const TENANT = { tenant_id: 1, mode: 'production' } as const;

const shot = (name: Shot['name'], show: (page: Page) => Promise<unknown>): Shot => ({
  name,
  async open(browser: Browser) {
    const context = await openContext(browser);
    try {
      const page = await context.newPage();
      // `takePictures` stops this clock.
      await page.clock.install();
      await show(page);
      return page;
    } catch (error) {
      await context.close();
      throw error;
    }
  },
});

/** The content of a mail, as a mail program shows it. */
async function showMail(page: Page, email: string, subject: RegExp): Promise<void> {
  const { id } = await waitForMail(email, subject);
  await page.goto(`${addresses.mailbox}/messages/${id}/html`);
}

async function resetPassword({ email }: Account): Promise<void> {
  await callApi('forgotPassword', { body: { email, ...TENANT } });
  const link = new URL(linkTo(await waitForMail(email, /^Reset/), '/auth/reset-password'));
  const code = link.searchParams.get('code') ?? '';
  await callApi('resetPassword', { body: { code, new_password: `${PASSWORD}!` } });
}

/** Signs in as a user whom the wallet has not seen on this device. */
async function signInAs(page: Page, account: Account): Promise<void> {
  await page.goto('/auth/sign-in');
  await signIn(page, account);
  await see(page, 'Marketplace');
}

const mails: readonly Shot[] = [
  shot('mails/verify', async (page) => {
    const email = newEmail();
    await callApi('register', { body: { email, password: PASSWORD, ...TENANT } });
    await showMail(page, email, /^Verify/);
  }),
  shot('mails/taken', async (page) => {
    const { email, password } = await createAccount();
    await callApi('register', { body: { email, password, ...TENANT } });
    await showMail(page, email, /already exists$/);
  }),
  shot('mails/reset', async (page) => {
    const { email } = await createAccount();
    await callApi('forgotPassword', { body: { email, ...TENANT } });
    await showMail(page, email, /^Reset/);
  }),
  shot('mails/password-reset', async (page) => {
    const account = await createAccount();
    await resetPassword(account);
    await showMail(page, account.email, /was reset$/);
  }),
  shot('mails/new-device', async (page) => {
    const { email, password } = await createAccount();
    await page.goto('/auth/sign-in');
    await write(page, 'Email', email);
    await write(page, 'Password', password);
    await press(page, 'Sign In');
    await showMail(page, email, /^New sign-in/);
  }),
  shot('mails/receipt', async (page) => {
    const account = await createAccount();
    await signInAs(page, account);
    await openCardForm(page, '1234.56');
    await pay(page);
    await showMail(page, account.email, /^Your receipt/);
  }),
];

const mailbox: readonly Shot[] = [
  shot('mailbox/list', (page) => page.goto(addresses.mailbox)),
  shot('mailbox/nothing-found', (page) => page.goto(`${addresses.mailbox}?to=${newEmail()}`)),
  shot('mailbox/message', async (page) => {
    const { email } = await createAccount();
    const { id } = await waitForMail(email, /^Verify/);
    await page.goto(`${addresses.mailbox}/messages/${id}`);
  }),
];

/** The catalogue that the demo seeds, with its pictures. */
const demo: Shot = {
  ...shot('demo/category', async (page) => {
    await signInAs(page, await createAccount());
    await page.getByRole('region', { name: 'Marketplace' }).getByRole('link').first().click();
    await page.getByRole('searchbox').waitFor();
    await page.getByRole('heading', { level: 3 }).first().waitFor();
  }),
  widths: [390, 768, 1440],
  isWhole: true,
};

const apiDocs = shot('api-docs/filled', async (page) => {
  await page.goto('/api/docs');
  await see(page, 'account/transfer');
});

export const systemPages: readonly Shot[] = [demo, ...mails, ...mailbox, apiDocs];
