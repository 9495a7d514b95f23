/** A guest chooses a confirmation limit, must confirm a spending above it, and moves tickets, each with a proof of identity. */
import { expect } from '@playwright/test';
import { createAccount, PASSWORD } from './system/accounts.ts';
import { test } from './steps/story.ts';

test('[W-112] [W-116] a guest confirms what passes the own limit, and a raised limit waits for a day', async ({
  member,
}) => {
  const { page } = await member({ ath: 1_000 });
  const friend = await createAccount();
  const sheet = page.getByRole('dialog', { name: 'Confirm that it is you' });
  const confirmWith = async (password: string): Promise<void> => {
    await sheet.getByLabel('Password', { exact: true }).fill(password);
    await sheet.getByRole('button', { name: 'Confirm' }).click();
  };

  await test.step('chooses to be asked above 20 USD', async () => {
    await page.goto('/app/settings/security');
    await page.getByText('$20.00', { exact: true }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Saved')).toBeVisible();
  });

  await test.step('a send above it takes the password', async () => {
    await page.goto('/app/send');
    await page.getByLabel('Amount to send').fill('500');
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByLabel('Recipient').fill(friend.uuid);
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await expect(sheet).toContainText(`You send 500.00 ATH to ${friend.uuid}.`);
    await confirmWith('Wrong-Horse-7');
    await expect(sheet.getByText('This password is not right.')).toBeVisible();
    await confirmWith(PASSWORD);
    await expect(page.getByRole('dialog', { name: 'Successfully sent' })).toBeVisible();
  });

  await test.step('a higher limit takes it too, and holds after a day', async () => {
    await page.goto('/app/settings/security');
    await page.getByText('Never ask', { exact: true }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await confirmWith(PASSWORD);
    await expect(page.getByText(/^From .*: Never ask\.$/)).toBeVisible();
    await expect(page.getByRole('radio', { name: '$20.00' })).toBeChecked();
  });
});
