import { see } from '../acts.ts';
import { scenesOf } from '../scene.ts';
import type { Stage } from '../stage.ts';

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
  }),
];
