import type { Page } from '@playwright/test';
import { problem, silence } from '../fake-api.ts';
import { press, see, seen, write } from '../steps/acts.ts';
import { signInForm } from '../steps/wallet.ts';
import { statesOf, type ScreenState } from './screen-state.ts';

const EMAIL = 'ada@example.com';
const LONG_EMAIL =
  'maximiliane.von-und-zu-hohenstaufen+concert-tickets-and-supercars@marketing.international-beverages.example';
const PASSWORD = 'Correct-horse-7';
const CODE = 'a'.repeat(43);

/** A user followed the link of a reward before signing in. */
const rewardWaits = { storage: { 'intended-route': '/app/redeem?code=7K4T-DS21-3SB5-5QDT' } };

const visitor = (path: string) => ({ path, isVisitor: true }) as const;

async function fill(page: Page, email: string, password: string): Promise<void> {
  await signInForm(page).email.fill(email);
  await signInForm(page).password.fill(password);
}

const signUp =
  (email = EMAIL, password = PASSWORD) =>
  async (page: Page): Promise<void> => {
    await fill(page, email, password);
    await press(page, 'Create Account');
  };

async function signIn(page: Page): Promise<void> {
  await fill(page, EMAIL, PASSWORD);
  await press(page, 'Sign In');
}

async function forgot(page: Page): Promise<void> {
  await press(page, 'Initiate Password Reset');
}

async function reset(page: Page): Promise<void> {
  await write(page, 'New Password', PASSWORD);
  await press(page, 'Reset Password');
}

const forgotPath = (email: string): string =>
  `/auth/forgot-password?email=${encodeURIComponent(email)}`;

const signUpStates = statesOf('sign-up', visitor('/auth/sign-up'), {
  empty: {},
  'password-half-strong': { reach: (page) => fill(page, LONG_EMAIL, 'password7') },
  'password-shown': {
    reach: async (page) => {
      await fill(page, LONG_EMAIL, PASSWORD);
      await press(page, 'Show password');
    },
  },
  'weak-refused-twice': {
    reach: async (page) => {
      await signUp(EMAIL, 'password')(page);
      await press(page, 'Create Account');
      await page.getByText('Shown 2 times').waitFor({ state: 'attached' });
    },
  },
  'reward-waiting': rewardWaits,
  creating: { answers: { register: silence }, reach: signUp() },
  failed: {
    answers: { register: () => problem('internal_error') },
    reach: async (page) => {
      await signUp()(page);
      await see(page, 'Something went wrong. Please try again.');
    },
  },
  created: {
    reach: async (page) => {
      await signUp()(page);
      await see(page, 'Your account has been created!');
    },
  },
  'created-long-address': {
    reach: async (page) => {
      await signUp(LONG_EMAIL)(page);
      await see(page, 'Your account has been created!');
    },
  },
});

const verifyStates = statesOf('verify-account', visitor(`/auth/verify-account?code=${CODE}`), {
  verifying: { answers: { verify: silence }, reach: seen('Verifying Account') },
  'landed-from-the-mail': { reach: seen('Marketplace') },
  'on-another-device': {
    answers: { verify: () => problem('incorrect_password') },
    reach: seen('Enter your password'),
  },
  'wrong-password': {
    answers: { verify: () => problem('incorrect_password') },
    reach: async (page) => {
      await write(page, 'Password', 'another-horse-8');
      await press(page, 'Verify Account');
      await see(page, 'This is not the password of this sign-up');
    },
  },
  'link-used-before': {
    answers: { verify: () => problem('invalid_code') },
    reach: seen('This link did not work'),
  },
});

const secondStepAnswers = {
  login: () => problem('second_factor_required', { challenge_id: 'c'.repeat(43) }),
};

async function askForRecovery(page: Parameters<typeof signIn>[0]): Promise<void> {
  await signIn(page);
  await press(page, 'Use a recovery code');
  await press(page, 'I have lost both');
  await press(page, 'Mail me the link');
}

const signInStates = statesOf('sign-in', visitor('/auth/sign-in'), {
  empty: {},
  'reward-waiting': rewardWaits,
  filled: { reach: (page) => fill(page, LONG_EMAIL, PASSWORD) },
  'password-too-short': {
    reach: async (page) => {
      await fill(page, EMAIL, '1234567        ');
      await press(page, 'Sign In');
      await see(page, 'At least 8 characters');
    },
  },
  'signing-in': { answers: { login: silence }, reach: signIn },
  'second-step': {
    answers: secondStepAnswers,
    reach: async (page) => {
      await signIn(page);
      await see(page, 'Enter your code');
    },
  },
  'second-step-recovery': {
    answers: secondStepAnswers,
    reach: async (page) => {
      await signIn(page);
      await press(page, 'Use a recovery code');
      await see(page, 'Use one of the codes that you saved');
    },
  },
  'second-step-lost': {
    answers: secondStepAnswers,
    reach: async (page) => {
      await askForRecovery(page);
      await see(page, 'We have mailed you a link.');
    },
  },
  'second-step-lost-after-a-reset': {
    answers: {
      ...secondStepAnswers,
      askForRecovery: () =>
        problem('recovery_after_reset', { possible_from: '2026-11-29T12:00:00.000Z' }),
    },
    reach: async (page) => {
      await askForRecovery(page);
      await see(page, 'set with a mailed link');
    },
  },
  'signed-in': {
    isBrief: true,
    reach: async (page) => {
      await signIn(page);
      await see(page, 'Signed In!');
    },
  },
  'refused-three-times': {
    answers: { login: () => problem('incorrect_credentials') },
    reach: async (page) => {
      await signIn(page);
      await signIn(page);
      await signIn(page);
      await see(page, 'Incorrect credentials');
    },
  },
  'after-a-reset': {
    path: `/auth/reset-password?code=${CODE}`,
    reach: async (page) => {
      await reset(page);
      await see(page, 'Password Reset!');
      await page.clock.fastForward(1100);
      await see(page, 'Your password was reset.');
    },
  },
});

const forgotPasswordStates = statesOf('forgot-password', visitor(forgotPath(EMAIL)), {
  prefilled: {},
  'prefilled-long-address': { path: forgotPath(LONG_EMAIL) },
  submitting: { answers: { forgotPassword: silence }, reach: forgot },
  sent: {
    reach: async (page) => {
      await forgot(page);
      await see(page, 'A reset link was sent');
    },
  },
  'sent-long-address': {
    path: forgotPath(LONG_EMAIL),
    reach: async (page) => {
      await forgot(page);
      await see(page, 'A reset link was sent');
    },
  },
  failed: {
    answers: { forgotPassword: () => problem('overloaded') },
    reach: async (page) => {
      await forgot(page);
      await see(page, 'There was an error');
    },
  },
});

const resetPasswordStates = statesOf(
  'reset-password',
  visitor(`/auth/reset-password?code=${CODE}`),
  {
    empty: {},
    resetting: { answers: { resetPassword: silence }, reach: reset },
    reset: {
      isBrief: true,
      reach: async (page) => {
        await reset(page);
        await see(page, 'Password Reset!');
      },
    },
    failed: {
      answers: { resetPassword: () => problem('invalid_code') },
      reach: async (page) => {
        await reset(page);
        await see(page, 'There was an error resetting your password.');
      },
    },
    'no-code': { path: '/auth/reset-password', reach: seen('No reset code supplied') },
  },
);

export const authStates: readonly ScreenState[] = [
  ...statesOf('get-started', visitor('/auth/get-started'), {
    idle: {},
    'reward-waiting': rewardWaits,
  }),
  ...statesOf('choose', visitor('/auth/choose'), {
    idle: {},
    'reward-waiting': rewardWaits,
  }),
  ...signUpStates,
  ...verifyStates,
  ...signInStates,
  ...forgotPasswordStates,
  ...resetPasswordStates,
  ...statesOf('recover', visitor(`/auth/recover?code=${CODE}`), {
    idle: { reach: seen('Begin the wait') },
    begun: {
      reach: async (page) => {
        await press(page, 'Begin the wait');
        await see(page, 'The wait has begun.');
      },
    },
    wrong: {
      answers: { beginRecovery: () => problem('invalid_code') },
      reach: async (page) => {
        await press(page, 'Begin the wait');
        await see(page, 'This link does not work.');
      },
    },
    stop: { path: `/auth/stop-recovery?code=${CODE}`, reach: seen('Stop this') },
    stopped: {
      path: `/auth/stop-recovery?code=${CODE}`,
      reach: async (page) => {
        await press(page, 'Stop this');
        await see(page, 'It was stopped.');
      },
    },
  }),
  ...statesOf(
    'legal',
    { ...visitor('/terms'), isWhole: true },
    {
      terms: { reach: seen('Version') },
      privacy: { path: '/privacy', reach: seen('Version') },
      'data-deletion': { path: '/user-data-deletion', reach: seen('How to delete your account') },
    },
  ),
  ...statesOf(
    'not-found',
    { path: '/app/nowhere' },
    {
      'signed-in': { reach: seen('This page does not exist') },
      'signed-out': { ...visitor('/auth/nowhere'), reach: seen('This page does not exist') },
    },
  ),
];
