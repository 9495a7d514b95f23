import { countPageViews, press, see, write } from '../acts.ts';
import { scenesOf } from '../scene.ts';
import type { Stage } from '../stage.ts';

const UPDATE_PASSWORD = '/app/settings/update-password';

const legal = (name: string) => async (stage: Stage) => {
  const page = await stage.member('/app/settings');
  await page.getByRole('button', { name }).click();
  await page.getByRole('dialog', { name }).waitFor();
  return see(page, 'in force since');
};

export const settingsScenes = [
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
