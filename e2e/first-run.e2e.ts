/** From an empty wallet to the first code on the screen: a reward, the missing ATH by card, a purchase. */
import { expect } from '@playwright/test';
import { addresses } from './system/addresses.ts';
import { buyButton, categoryAddress, fillCart } from './steps/marketplace.ts';
import { test } from './steps/story.ts';
import { expectBalance, pay } from '@athos/testing/steps/wallet';

test('an empty wallet leads to the first purchase and to a reward code, which is typed', async ({
  member,
}) => {
  const { page } = await member();
  const steps = page.getByRole('region', { name: 'Fill your wallet' });
  await expect(steps.getByRole('link', { name: /^Buy your first ATH/ })).toBeVisible();
  await steps.getByRole('link', { name: /^Enter a reward code/ }).click();

  const field = page.getByRole('textbox', { name: 'Reward code' });
  await expect(page.getByRole('button', { name: 'Redeem' })).toBeDisabled();
  await field.fill('0000-0000-0000-0001');
  await field.press('Enter');
  await expect(page.getByText('This is not a reward code.')).toBeVisible();
  await expect(field).toBeFocused();
  await field.fill(addresses.rewardCodes[0]?.toLowerCase() ?? '');
  await field.press('Enter');
  await expect(page.getByText('Your account has been credited with 25.00 Ath')).toBeVisible();
  await page.getByRole('link', { name: 'See my wallet' }).click();
  await expectBalance(page, '25.00 ATH');
  await expect(steps).toHaveCount(0);
});

test('settings lead to the reward code, whose scanner explains a refused camera', async ({
  member,
}) => {
  const { page } = await member({ at: '/app/settings' });
  await page.getByRole('link', { name: 'Enter a reward code' }).click();
  await page.getByRole('button', { name: 'Scan a reward code' }).click();
  const scanner = page.getByRole('dialog', { name: 'Scan a reward code' });
  await page.evaluate(() => {
    navigator.mediaDevices.getUserMedia = () =>
      Promise.reject(new DOMException('', 'NotAllowedError'));
  });
  await scanner.getByRole('button', { name: 'Request Camera Permissions' }).click();
  await expect(scanner.getByText('The camera permission is missing')).toBeVisible();
  await expect(scanner.getByText(/^Allow the camera for this site/)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Scan a reward code' })).toBeFocused();
});

test('what is too dear leads to buying what is missing, and back to the cart and its QR code', async ({
  member,
}) => {
  const { page } = await member({ ath: 30, at: categoryAddress('drinks') });
  await fillCart(page, 'House Pour', 1);
  await page.getByRole('button', { name: /^Increase/ }).click();
  await expect(buyButton(page)).toBeDisabled();
  await expect(page.getByText('18.00 ATH', { exact: true })).toBeVisible();
  // The smallest purchase that is possible.
  await page.getByRole('link', { name: /^Buy \d+\.\d\d ATH$/ }).click();

  const amount = page.getByRole('textbox', { name: 'Amount to buy' });
  await expect(amount).not.toHaveValue('');
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByRole('button', { name: 'Purchase' }).click();
  await pay(page);
  const paid = page.getByRole('dialog', { name: 'Successfully purchased' });
  await paid.getByRole('link', { name: 'Back to your cart' }).click();

  await buyButton(page).click();
  const bought = page.getByRole('dialog', { name: '2 items are yours' });
  await expect(bought.getByText('2 × House Pour')).toBeVisible();
  await bought.getByRole('link', { name: 'Show QR code' }).click();
  await expect(page.getByRole('img', { name: 'QR code to redeem your purchase' })).toBeVisible();
  await expect(page.getByText('Items being redeemed (x2)')).toBeVisible();
});
