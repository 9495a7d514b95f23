import type { Page } from '@playwright/test';
import { balanceOf } from '../answers.ts';
import { problem, silence } from '../fake-api.ts';
import { FAKE_UUID } from '../session.ts';
import { press, see, seen, write } from '../steps/acts.ts';
import { countPageViews } from './page-views.ts';
import { statesOf, type ScreenState } from './screen-state.ts';

const LONG_EMAIL = 'maximiliana.constantinopolitanska-featherstonehaugh@members.example';

const openLegal = (name: string) => async (page: Page) => {
  await press(page, name);
  await page.getByRole('dialog', { name }).waitFor();
  await see(page, 'in force since');
};

const settingsScreen = statesOf(
  'settings',
  { path: '/app/settings' },
  {
    filled: { reach: seen('ada@example.com') },
    'long-address': {
      answers: { profile: () => ({ uuid: FAKE_UUID, email: LONG_EMAIL }) },
      reach: seen(LONG_EMAIL),
    },
    loading: { answers: { profile: silence }, reach: seen('Account ID') },
    'dark-chosen': { storage: { theme: 'dark' }, reach: seen('Contact support') },
    terms: { reach: openLegal('Terms of Service') },
    privacy: { reach: openLegal('Privacy Policy') },
    'page-views': { prepare: countPageViews, reach: seen("Don't allow") },
  },
);

const typePasswords = async (page: Page): Promise<void> => {
  await write(page, 'Old Password', 'Correct-horse-7');
  await write(page, 'New Password', 'Battery-staple-8');
};

const updatePassword = async (page: Page): Promise<void> => {
  await typePasswords(page);
  await press(page, 'Update');
};

const updatePasswordScreen = statesOf(
  'update-password',
  { path: '/app/settings/update-password' },
  {
    empty: { reach: seen('Old Password') },
    typed: {
      reach: async (page) => {
        await write(page, 'Old Password', 'Correct-horse-7');
        await write(page, 'New Password', 'another-horse');
      },
    },
    submitting: { answers: { updatePassword: silence }, reach: updatePassword },
    failed: {
      answers: { updatePassword: () => problem('incorrect_password') },
      reach: async (page) => {
        await updatePassword(page);
        await see(page, 'Incorrect credentials');
      },
    },
  },
);

async function askToDelete(page: Page): Promise<void> {
  await write(page, 'Password', 'Correct-horse-7');
  await press(page, 'Delete my account');
  await page.getByRole('dialog', { name: 'Are you sure' }).waitFor();
}

const deleteAnd = (text: string) => async (page: Page) => {
  await askToDelete(page);
  await press(page, 'Yes');
  await see(page, text);
};

const deleteAccountScreen = statesOf(
  'delete-account',
  { path: '/app/settings/delete-account' },
  {
    filled: { isWhole: true, reach: seen('You give up') },
    'nothing-held': {
      answers: { balance: () => balanceOf('0', '0') },
      reach: seen('holds nothing'),
    },
    confirm: { reach: askToDelete },
    submitting: { answers: { deleteAccount: silence }, reach: deleteAnd('Deleting...') },
    refused: {
      isWhole: true,
      answers: { deleteAccount: () => problem('payments_open') },
      reach: deleteAnd('Your account was not deleted'),
    },
    failed: {
      answers: { deleteAccount: () => problem('incorrect_password') },
      reach: deleteAnd('Incorrect password'),
    },
  },
);

export const settingsStates: readonly ScreenState[] = [
  ...settingsScreen,
  ...updatePasswordScreen,
  ...deleteAccountScreen,
];
