/** Money stories for browsers in which the other stories cannot lose an answer on purpose. */
import { expect } from '@playwright/test';
import { readBalance } from '../system/accounts.ts';
import { addresses } from '../system/addresses.ts';
import { categoryAddress } from '../steps/marketplace.ts';
import { test } from '../steps/story.ts';
import { expectBalance } from '@athos/testing/steps/wallet';

test('a tip is debited once and appears in the history', async ({ member }) => {
  const { page, account } = await member({ ath: 10, at: categoryAddress('tips') });
  await page.getByRole('link', { name: 'The Kitchen' }).click();
  await page.getByRole('textbox', { name: 'Tip' }).fill('2.5');
  await page.getByRole('button', { name: 'Tip now' }).click();
  const details = page.getByRole('dialog', { name: 'Tip Details' });
  await details.getByRole('textbox', { name: 'From' }).fill('Cleo');
  await details.getByRole('textbox', { name: 'Note' }).fill('The broth!');
  await details.getByRole('button', { name: 'Send Tip' }).click();
  await expect(page.getByText('Tip successfully sent!')).toBeVisible();
  expect(await readBalance(account)).toBe('7500000');
  await page.goto('/app/history');
  const rows = page.getByRole('list', { name: 'History' }).getByRole('link');
  await expect(rows.first()).toHaveAccessibleName(/ Tip · .+ -2\.50 ATH$/);
});

test('a reward code is redeemed by its link, and credited once', async ({ member }) => {
  const [code] = addresses.rewardCodes;
  const { page, account } = await member();
  await page.goto(`/app/redeem?code=${code}`);
  await expect(page.getByText('Redeemed!')).toBeVisible();
  await expect(
    page.getByText('Your account has been credited with 25.00 Ath', { exact: true }),
  ).toBeVisible();
  await page.reload();
  await page.getByRole('link', { name: 'See my wallet' }).click();
  await expect(page).toHaveURL('/app');
  await expectBalance(page, '25.00 ATH');
  expect(await readBalance(account)).toBe('25000000');
});
