/** A pay link: created, followed by a visitor, and ended. */
import { expect } from '@playwright/test';
import { signIn } from '@athos/testing/steps/wallet';
import { test } from './steps/story.ts';

const PROFILE = '/app/settings/profile';

test('[W-077] [W-082] [W-083] a pay link leads a visitor over the sign-in to its owner, until it is ended', async ({
  member,
  visitor,
}) => {
  test.setTimeout(90_000);
  const ada = await member({ at: PROFILE });
  const ben = await member({ ath: 20 });
  const guest = await visitor();
  const handle = `ada_${ada.account.uuid.slice(-8)}`;
  let link = '';

  await test.step('Ada chooses a name and a handle', async () => {
    const { page } = ada;
    await page.getByRole('textbox', { name: 'Display name' }).fill('Ada Lovelace');
    await page.getByText('Show my name to those who send to me').click();
    await page.getByRole('button', { name: 'Save' }).first().click();
    await expect(page.getByText('Saved')).toBeVisible();
    await page.getByRole('textbox', { name: 'Handle' }).fill(`@${handle}`);
    await page.getByRole('button', { name: 'Save' }).last().click();
    await expect(page.getByText('Can be changed from')).toBeVisible();
  });

  await test.step('and makes a link for 12.50 ATH', async () => {
    const { page } = ada;
    await page.getByRole('textbox', { name: 'Label' }).fill('Rent');
    await page.getByRole('textbox', { name: 'Amount (optional)' }).fill('12.5');
    await page.getByRole('textbox', { name: 'Note for who pays (optional)' }).fill('For May');
    await page.getByRole('button', { name: 'Make link' }).click();
    await page.getByRole('button', { name: 'Show code of Rent' }).click();
    link = (await page.getByText('/app/pay?code=').textContent()) ?? '';
  });

  await test.step('Ben follows it on a device where he is not signed in', async () => {
    const { page } = guest;
    await page.goto(link);
    await page.waitForURL('**/auth**');
    await page.goto('/auth/sign-in');
    await signIn(page, ben.account);
    await expect(page.getByRole('heading', { name: 'Recipient' })).toBeVisible();
    await expect(page.getByRole('textbox', { name: 'Recipient' })).toHaveValue(ada.account.uuid);
    await page.getByRole('button', { name: 'Next' }).click();
    await expect(page.getByText('Ada Lovelace (chosen by this person)')).toBeVisible();
    await expect(page.getByText('For May')).toBeVisible();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await expect(page.getByRole('dialog', { name: 'Successfully sent' })).toBeVisible();
  });

  await test.step('Ada ends it, and it leads nowhere', async () => {
    await ada.page.getByRole('button', { name: 'End Rent' }).click();
    await expect(ada.page.getByText('The link was ended')).toBeVisible();
    await guest.page.goto(link);
    await expect(guest.page.getByText('This link does not work, or was ended.')).toBeVisible();
  });

  await test.step('Ada is still found by her handle', async () => {
    const { page } = guest;
    await page.goto('/app/send/recipient');
    await page.getByRole('textbox', { name: 'Recipient' }).fill(`@${handle}`);
    await page.getByRole('button', { name: 'Next' }).click();
    await expect(page.getByText(ada.account.uuid)).toBeVisible();
  });
});
