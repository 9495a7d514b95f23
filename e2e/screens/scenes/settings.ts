import type { Page } from '@playwright/test';
import { countPageViews, press, see, write } from '../acts.ts';
import type { Answers } from '../answers.ts';
import { scenesOf } from '../scene.ts';
import type { Stage } from '../stage.ts';

const UPDATE_PASSWORD = '/app/settings/update-password';

const legal = (name: string) => async (stage: Stage) => {
  const page = await stage.member('/app/settings');
  await page.getByRole('button', { name }).click();
  await page.getByRole('dialog', { name }).waitFor();
  return see(page, 'in force since');
};

const DELETE_PATH = '/app/settings/delete-account';

async function asked(stage: Stage, answers: Answers = {}): Promise<Page> {
  const page = await stage.member(DELETE_PATH, { answers });
  await write(page, 'Password', 'Correct-horse-7');
  await press(page, 'Delete my account');
  await page.getByRole('dialog', { name: 'Are you sure' }).waitFor();
  return page;
}

async function confirmed(stage: Stage, answers: Answers, text: string): Promise<Page> {
  return see(await press(await asked(stage, answers), 'Yes'), text);
}

export const settingsScenes = [
  ...scenesOf('remove account', {
    filled: {
      isWhole: true,
      show: async (stage) => see(await stage.member(DELETE_PATH), 'You give up'),
    },
    confirm: (stage) => asked(stage),
    submitting: (stage) => confirmed(stage, { deleteAccount: 'never' }, 'Deleting...'),
    refused: {
      isWhole: true,
      show: (stage) =>
        confirmed(
          stage,
          { deleteAccount: { problem: 'payments_open' } },
          'Your account was not deleted',
        ),
    },
    failed: (stage) =>
      confirmed(stage, { deleteAccount: { problem: 'incorrect_password' } }, 'Incorrect password'),
    policy: async (stage) =>
      see(await stage.visitor('/user-data-deletion'), 'How to delete your account'),
  }),
  ...scenesOf('settings', {
    filled: async (stage) => see(await stage.member('/app/settings'), 'Sign Out'),
    'dark chosen': async (stage) =>
      see(
        await stage.member('/app/settings', { localStorage: { theme: 'dark' } }),
        'Contact support',
      ),
    terms: legal('Terms of Service'),
    privacy: legal('Privacy Policy'),
    'page views': async (stage) => {
      const prepare = countPageViews('**/app/settings');
      return see(await stage.member('/app/settings', { prepare }), "Don't allow");
    },
  }),
  ...scenesOf('update password', {
    empty: async (stage) => see(await stage.member(UPDATE_PASSWORD), 'Old Password'),
    typed: async (stage) => {
      const page = await stage.member(UPDATE_PASSWORD);
      await write(page, 'Old Password', 'Correct-Horse-7');
      return write(page, 'New Password', 'another-horse');
    },
    failed: async (stage) => {
      const page = await stage.member(UPDATE_PASSWORD, {
        answers: { updatePassword: { problem: 'incorrect_password' } },
      });
      await write(page, 'Old Password', 'Correct-Horse-7');
      await write(page, 'New Password', 'Another-horse-8');
      return see(await press(page, 'Update'), 'Incorrect credentials');
    },
  }),
];
