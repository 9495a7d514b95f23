/** What the system shows beside the wallet: its mails, the mailbox that shows them, and the page of the API. */
import type { Page } from '@playwright/test';
import { createAccount, newEmail, PASSWORD, type Account } from '../../system/accounts.ts';
import { addresses } from '../../system/addresses.ts';
import { callApi } from '../../system/api.ts';
import { linkTo, waitForMail } from '../../system/mailbox.ts';
import { openCardForm, pay } from '../../steps/wallet.ts';
import { press, see, write } from '../acts.ts';
import { scenesOf } from '../scene.ts';
import type { Stage } from '../stage.ts';

const TENANT = { tenant_id: 1, mode: 'production' } as const;

/** The content of a mail, as a mail program shows it. */
async function mail(stage: Stage, email: string, subject: RegExp): Promise<Page> {
  const { id } = await waitForMail(email, subject);
  return stage.visitor(`${addresses.mailbox}/messages/${id}/html`);
}

async function resetPassword({ email }: Account): Promise<void> {
  await callApi('forgotPassword', { body: { email, ...TENANT } });
  const link = new URL(linkTo(await waitForMail(email, /^Reset/), '/auth/reset-password'));
  const code = link.searchParams.get('code') ?? '';
  await callApi('resetPassword', { body: { code, new_password: `${PASSWORD}!` } });
}

export const pageScenes = [
  ...scenesOf('mails', {
    verify: async (stage) => {
      const email = newEmail();
      await callApi('register', { body: { email, password: PASSWORD, ...TENANT } });
      return mail(stage, email, /^Verify/);
    },
    taken: async (stage) => {
      const { email, password } = await createAccount();
      await callApi('register', { body: { email, password, ...TENANT } });
      return mail(stage, email, /already exists$/);
    },
    reset: async (stage) => {
      const { email } = await createAccount();
      await callApi('forgotPassword', { body: { email, ...TENANT } });
      return mail(stage, email, /^Reset/);
    },
    'password reset': async (stage) => {
      const account = await createAccount();
      await resetPassword(account);
      return mail(stage, account.email, /was reset$/);
    },
    'new device': async (stage) => {
      const { email, password } = await createAccount();
      const page = await write(await stage.visitor('/auth/sign-in'), 'Email', email);
      await press(await write(page, 'Password', password), 'Sign In');
      return mail(stage, email, /^New sign-in/);
    },
    receipt: async (stage) => {
      const account = await createAccount();
      const page = await stage.member('/app/buy', { who: account });
      await openCardForm(page, '1234.56');
      await pay(page);
      return mail(stage, account.email, /^Your receipt/);
    },
  }),
  ...scenesOf('mailbox', {
    list: async (stage) => stage.visitor(addresses.mailbox),
    'nothing found': async (stage) => stage.visitor(`${addresses.mailbox}?to=${newEmail()}`),
    message: async (stage) => {
      const { email } = await createAccount();
      const { id } = await waitForMail(email, /^Verify/);
      return stage.visitor(`${addresses.mailbox}/messages/${id}`);
    },
  }),
  ...scenesOf('api-docs', {
    filled: async (stage) => see(await stage.visitor('/api/docs'), 'account/transfer'),
  }),
];
