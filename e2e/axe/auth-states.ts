import type { Page } from '@playwright/test';
import { signInForm } from '../steps/wallet.ts';
import type { State } from './state.ts';

const LONG_EMAIL = 'maximiliana.constantinopolitanska-featherstonehaugh@department.example.com';
const press = (name: string) => (page: Page) => page.getByRole('button', { name }).click();

async function fill(page: Page, email: string, password: string): Promise<void> {
  await signInForm(page).email.fill(email);
  await signInForm(page).password.fill(password);
}

const signUp = (email: string, password: string) => async (page: Page) => {
  await fill(page, email, password);
  await press('Create Account')(page);
};

const signIn = (password: string) => async (page: Page) => {
  await fill(page, 'ada@example.com', password);
  await press('Sign In')(page);
};

const reset = async (page: Page): Promise<void> => {
  await page.getByRole('textbox', { name: 'New Password' }).fill('Correct-horse-7');
  await press('Reset Password')(page);
};

const visitors: readonly Omit<State, 'isVisitor'>[] = [
  { name: 'auth/get-started', path: '/auth/get-started' },
  { name: 'auth/choose', path: '/auth/choose' },
  { name: 'auth/sign-up', path: '/auth/sign-up' },
  {
    name: 'auth/sign-up-typed',
    path: '/auth/sign-up',
    reach: (page) => fill(page, LONG_EMAIL, 'password1'),
  },
  {
    name: 'auth/sign-up-weak',
    path: '/auth/sign-up',
    reach: async (page) => {
      await signUp('ada@example.com', 'pass')(page);
      await press('Create Account')(page);
      await page.getByText('Shown 2 times').waitFor({ state: 'attached' });
    },
  },
  {
    name: 'auth/sign-up-submitting',
    path: '/auth/sign-up',
    answers: { register: 'silence' },
    reach: signUp('ada@example.com', 'Correct-horse-7'),
  },
  {
    name: 'auth/sign-up-failed',
    path: '/auth/sign-up',
    answers: { register: { problem: 'internal_error' } },
    reach: async (page) => {
      await signUp('ada@example.com', 'Correct-horse-7')(page);
      await page.getByText('Something went wrong. Please try again.').waitFor();
    },
  },
  {
    name: 'auth/sign-up-done',
    path: '/auth/sign-up',
    reach: async (page) => {
      await signUp(LONG_EMAIL, 'Correct-horse-7')(page);
      await page.getByRole('heading', { name: 'Your account has been created!' }).waitFor();
    },
  },
  { name: 'auth/sign-in', path: '/auth/sign-in' },
  {
    name: 'auth/sign-in-short',
    path: '/auth/sign-in',
    reach: async (page) => {
      await fill(page, 'ada@example.com', '1234567        ');
      await press('Sign In')(page);
    },
  },
  {
    name: 'auth/sign-in-refused',
    path: '/auth/sign-in',
    answers: { login: { problem: 'incorrect_credentials' } },
    reach: async (page) => {
      await signIn('Wrong-horse-7')(page);
      await page.getByText('Incorrect credentials').waitFor();
    },
  },
  {
    name: 'auth/sign-in-submitting',
    path: '/auth/sign-in',
    answers: { login: 'silence' },
    reach: signIn('Correct-horse-7'),
  },
  { name: 'auth/forgot-password', path: '/auth/forgot-password?email=ada%40example.com' },
  {
    name: 'auth/forgot-password-sent',
    path: `/auth/forgot-password?email=${encodeURIComponent(LONG_EMAIL)}`,
    reach: async (page) => {
      await press('Initiate Password Reset')(page);
      await page.getByRole('button', { name: 'Email sent!' }).waitFor();
    },
  },
  { name: 'auth/reset-password', path: '/auth/reset-password?code=abcdefghijklmnopqrstuvwxyz' },
  {
    name: 'auth/reset-password-failed',
    path: '/auth/reset-password?code=abcdefghijklmnopqrstuvwxyz',
    answers: { resetPassword: { problem: 'invalid_code' } },
    reach: async (page) => {
      await reset(page);
      await page.getByText('There was an error resetting your password.').waitFor();
    },
  },
  {
    name: 'auth/sign-in-after-reset',
    path: '/auth/reset-password?code=abcdefghijklmnopqrstuvwxyz',
    reach: async (page) => {
      await reset(page);
      await page.getByRole('button', { name: 'Password Reset!' }).waitFor();
      await page.clock.fastForward(1100);
      await page.getByText('Your password was reset.').waitFor();
    },
  },
  {
    name: 'auth/verify-account',
    path: '/auth/verify-account?code=abcdefghijklmnopqrstuvwxyz',
    answers: { verify: 'silence' },
  },
  {
    name: 'auth/verify-account-failed',
    path: '/auth/verify-account?code=abcdefghijklmnopqrstuvwxyz',
    answers: { verify: { problem: 'invalid_code' } },
    reach: (page) => page.getByRole('heading', { name: 'This link did not work' }).waitFor(),
  },
  { name: 'auth/terms', path: '/terms' },
  { name: 'auth/privacy', path: '/privacy' },
  { name: 'auth/not-found', path: '/auth/nowhere' },
];

export const authStates: readonly State[] = visitors.map((state) => ({
  ...state,
  isVisitor: true,
}));
