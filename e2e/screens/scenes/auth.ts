import type { Page } from '@playwright/test';
import { newEmail, PASSWORD } from '../../system/accounts.ts';
import { callApi } from '../../system/api.ts';
import { linkTo, waitForMail } from '../../system/mailbox.ts';
import { press, see } from '../acts.ts';
import { scenesOf } from '../scene.ts';

const LONG_EMAIL =
  'maximiliane.von-und-zu-hohenstaufen+concert-tickets-and-supercars@marketing.international-beverages.example';

async function fill(page: Page, email: string, password?: string): Promise<Page> {
  await page.getByRole('textbox', { name: 'Email' }).fill(email);
  if (password !== undefined) {
    await page.getByRole('textbox', { name: 'Password', exact: true }).fill(password);
  }
  return page;
}

const accepted = { success: true } as const;

const signUp = async (page: Page, email = newEmail(), password = PASSWORD): Promise<Page> =>
  press(await fill(page, email, password), 'Create Account');

const signIn = async (page: Page): Promise<Page> =>
  press(await fill(page, 'ada@example.com', PASSWORD), 'Sign In');

const forgot = async (page: Page, email = 'ada@example.com'): Promise<Page> =>
  press(await fill(page, email), 'Initiate Password Reset');

const CODE = 'a'.repeat(43);
const resetPath = `/auth/reset-password?code=${CODE}`;
const newPassword = (page: Page) => page.getByRole('textbox', { name: 'New Password' });

async function reset(page: Page, password = PASSWORD): Promise<Page> {
  await newPassword(page).fill(password);
  return press(page, 'Reset Password');
}

/** Of a real sign-up, as it was mailed. */
async function verifyPath(): Promise<string> {
  const email = newEmail();
  await callApi('register', {
    body: { email, password: PASSWORD, tenant_id: 1, mode: 'production' },
  });
  const link = new URL(linkTo(await waitForMail(email, /^Verify/), '/auth/verify-account'));
  return link.pathname + link.search;
}

export const authScenes = [
  ...scenesOf('get-started', {
    idle: async (stage) => see(await stage.visitor('/'), 'Get Started'),
  }),
  ...scenesOf('choose', {
    idle: async (stage) => see(await stage.visitor('/auth/choose'), 'Sign Up'),
  }),
  ...scenesOf('sign-up', {
    empty: async (stage) => see(await stage.visitor('/auth/sign-up'), 'Create Account'),
    'password half strong': async (stage) =>
      fill(await stage.visitor('/auth/sign-up'), 'ada@example.com', 'password7'),
    'password shown': async (stage) => {
      const page = await fill(await stage.visitor('/auth/sign-up'), LONG_EMAIL, PASSWORD);
      return press(page, 'Show password');
    },
    'weak, refused twice': async (stage) => {
      const page = await signUp(await stage.visitor('/auth/sign-up'), newEmail(), 'password');
      await press(page, 'Create Account');
      return see(page, 'Must meet password');
    },
    creating: async (stage) =>
      see(
        await signUp(await stage.visitor('/auth/sign-up', { answers: { register: 'never' } })),
        'Creating Account...',
      ),
    failed: async (stage) =>
      see(
        await signUp(
          await stage.visitor('/auth/sign-up', {
            answers: { register: { problem: 'internal_error' } },
          }),
        ),
        'Something went wrong',
      ),
    created: async (stage) =>
      see(await signUp(await stage.visitor('/auth/sign-up')), 'has been created'),
    'created, long address': async (stage) =>
      see(
        await signUp(
          await stage.visitor('/auth/sign-up', { answers: { register: accepted } }),
          LONG_EMAIL,
        ),
        'has been created',
      ),
  }),
  ...scenesOf('verify-account', {
    verifying: async (stage) =>
      see(
        await stage.visitor(`/auth/verify-account?code=${CODE}`, { answers: { verify: 'never' } }),
        'Verifying Account',
      ),
    'landed from the mail': async (stage) => {
      const page = await stage.visitor(await verifyPath());
      await page.waitForURL(/\/app$/);
      return see(page, 'Marketplace');
    },
    'link used before': async (stage) =>
      see(await stage.visitor(`/auth/verify-account?code=${CODE}`), 'This link did not work'),
  }),
  ...scenesOf('sign-in', {
    empty: async (stage) => see(await stage.visitor('/auth/sign-in'), 'Welcome back'),
    filled: async (stage) => fill(await stage.visitor('/auth/sign-in'), LONG_EMAIL, PASSWORD),
    'password too short': async (stage) => {
      const page = await fill(await stage.visitor('/auth/sign-in'), 'ada@example.com', '  seven7 ');
      return see(await press(page, 'Sign In'), 'At least 8 characters');
    },
    'signing in': async (stage) =>
      see(
        await signIn(await stage.visitor('/auth/sign-in', { answers: { login: 'never' } })),
        'Signing In...',
      ),
    'signed in': async (stage) => {
      const { token, uuid } = await stage.account('new');
      const answers = { login: { token, uuid } };
      return see(await signIn(await stage.visitor('/auth/sign-in', { answers })), 'Signed In!');
    },
    'refused three times': async (stage) => {
      const answers = { login: { problem: 'incorrect_credentials' } } as const;
      const page = await signIn(await stage.visitor('/auth/sign-in', { answers }));
      await signIn(page);
      await signIn(page);
      return see(page, 'Incorrect credentials');
    },
    'after a reset': async (stage) => {
      const answers = { resetPassword: accepted };
      const page = await reset(await stage.visitor(resetPath, { answers }));
      return see(page, 'Your password was reset');
    },
  }),
  ...scenesOf('forgot-password', {
    prefilled: async (stage) =>
      see(
        await stage.visitor(`/auth/forgot-password?email=${encodeURIComponent(LONG_EMAIL)}`),
        'Initiate',
      ),
    submitting: async (stage) =>
      see(
        await forgot(
          await stage.visitor('/auth/forgot-password', { answers: { forgotPassword: 'never' } }),
        ),
        'Submitting...',
      ),
    sent: async (stage) =>
      see(await forgot(await stage.visitor('/auth/forgot-password')), 'A reset link was sent'),
    'sent, long address': async (stage) =>
      see(
        await forgot(await stage.visitor('/auth/forgot-password'), LONG_EMAIL),
        'A reset link was sent',
      ),
    failed: async (stage) =>
      see(
        await forgot(
          await stage.visitor('/auth/forgot-password', {
            answers: { forgotPassword: { problem: 'overloaded' } },
          }),
        ),
        'There was an error',
      ),
  }),
  ...scenesOf('reset-password', {
    empty: async (stage) => see(await stage.visitor(resetPath), 'Reset Your Password'),
    resetting: async (stage) =>
      see(
        await reset(await stage.visitor(resetPath, { answers: { resetPassword: 'never' } })),
        'Resetting...',
      ),
    reset: async (stage) =>
      see(
        await reset(await stage.visitor(resetPath, { answers: { resetPassword: accepted } })),
        'Password Reset!',
      ),
    failed: async (stage) =>
      see(await reset(await stage.visitor(resetPath)), 'There was an error resetting'),
    'no code': async (stage) =>
      see(await stage.visitor('/auth/reset-password'), 'No reset code supplied'),
  }),
  ...scenesOf('legal', {
    terms: { isWhole: true, show: async (stage) => see(await stage.visitor('/terms'), 'Version') },
    privacy: {
      isWhole: true,
      show: async (stage) => see(await stage.visitor('/privacy'), 'Version'),
    },
  }),
  ...scenesOf('not-found', {
    'signed out': async (stage) =>
      see(await stage.visitor('/auth/nowhere'), 'This page does not exist'),
    'signed in': async (stage) =>
      see(await stage.member('/app/nowhere'), 'This page does not exist'),
  }),
];
