import { expect } from '@playwright/test';
import { readBalance } from './system/accounts.ts';
import { control, intentOf } from './system/provider.ts';
import { CARDS } from '@athos/testing/steps/cards';
import { test } from './steps/story.ts';
import { challenge, expectBalance, openCardForm, pay, typeCard } from '@athos/testing/steps/wallet';

test('[D-115] [S2-140] another card pays on the same form after a decline', async ({ member }) => {
  const { page, account } = await member();
  await openCardForm(page, '80');
  await pay(page, CARDS.declined);
  await expect(page.getByRole('dialog').getByText(/declined.* Please try again\.$/)).toBeVisible();
  expect(await readBalance(account)).toBe('0');
  await pay(page, CARDS.succeeds);
  await expect(page.getByText('Payment confirmed.')).toBeVisible();
  const success = page.getByRole('dialog', { name: 'Successfully purchased' });
  await success.getByRole('button', { name: 'Done' }).click();
  await expectBalance(page, '80.00 ATH');
});

test('3-D Secure is answered above the open card form', async ({ member }) => {
  const { page } = await member();
  await openCardForm(page, '90');
  const cardForm = page.getByRole('dialog', { name: 'Card payment' });

  await test.step('failing it keeps the form and charges nothing', async () => {
    await pay(page, CARDS.asksForAuthentication);
    await challenge(page).getByRole('button', { name: 'Fail authentication' }).click();
    await expect(
      cardForm.getByText(
        /authenticate your payment method\. Please choose a different payment method and try again\.$/,
      ),
    ).toBeVisible();
  });

  await test.step('Esc and a click outside leave the card form open', async () => {
    await page.getByRole('button', { name: 'Pay', exact: true }).click();
    await expect(challenge(page).getByRole('heading')).toBeVisible();
    await page.mouse.click(4, 4);
    await expect(challenge(page).getByRole('heading')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByTitle('3D Secure authentication frame')).toHaveCount(0);
    await expect(
      cardForm.getByText(
        /authenticate your payment method\. Please choose a different payment method and try again\.$/,
      ),
    ).toBeVisible();
  });

  await test.step('passing it by keyboard credits the payment', async () => {
    await typeCard(page, CARDS.asksForAuthentication);
    await page.getByRole('button', { name: 'Pay', exact: true }).click();
    await challenge(page).getByRole('button', { name: 'Complete authentication' }).press('Enter');
    const success = page.getByRole('dialog', { name: 'Successfully purchased' });
    await success.getByRole('button', { name: 'Done' }).click();
    await expectBalance(page, '90.00 ATH');
  });
});

test('a begun purchase says when it ends, and is canceled from the banner', async ({ member }) => {
  const { page, account } = await member();
  await openCardForm(page, '70');
  const cardForm = page.getByRole('dialog', { name: 'Card payment' });
  await expect(cardForm.getByText(/^This form ends in 1[45]:\d\d$/)).toBeVisible();
  await cardForm.getByRole('button', { name: 'Close' }).click();
  const banner = page.getByRole('status').filter({ hasText: 'An open purchase' });
  await expect(banner.getByRole('timer')).toHaveText(/^Ends in 1[45]:\d\d$/);

  await page.goto('/app');
  await expect(banner.getByRole('timer')).toBeVisible();
  await banner.getByRole('button', { name: 'Cancel purchase' }).click();
  await expect(page.getByText('The purchase was canceled. Nothing was charged.')).toBeVisible();
  await expect(banner).toHaveCount(0);

  await test.step('the same amount is a new purchase', async () => {
    await openCardForm(page, '70');
    await pay(page);
    const success = page.getByRole('dialog', { name: 'Successfully purchased' });
    await success.getByRole('button', { name: 'Done' }).click();
    await expectBalance(page, '70.00 ATH');
    expect(await readBalance(account)).toBe('70000000');
  });
});

test.describe('while the card provider is down', () => {
  test('[S4-048] the card form says that nothing was charged, and works once the provider is back', async ({
    member,
  }) => {
    const { page } = await member({ at: '/app/buy' });
    // Only this page is denied the provider's script: stopping the provider would break stories that run at the same
    // time.
    await page.route('**/endive/stripe.js', (route) => route.abort());
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('button', { name: 'Purchase' }).click();
    const dialog = page.getByRole('dialog', { name: 'Card payment' });
    await expect(
      dialog.getByText('The card form did not load. Nothing was charged.'),
    ).toBeVisible();
    await page.unroute('**/endive/stripe.js');
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await pay(page);
    await expect(page.getByRole('dialog', { name: 'Successfully purchased' })).toBeVisible();
  });

  test('a payment whose confirmation is lost is found and credited once', async ({ member }) => {
    const { page, account } = await member();
    await openCardForm(page, '75');
    // The confirmation is committed and only its response is lost. The fault matches only this payment.
    await control('faults', {
      match: `POST */${await intentOf(account)}/confirm`,
      action: 'drop',
      phase: 'after',
    });
    await pay(page);
    const success = page.getByRole('dialog', { name: 'Successfully purchased' });
    await expect(success.or(page.getByText(/Please try again\.$/))).toBeVisible();
    await expect.poll(() => readBalance(account)).toBe('75000000');
  });
});
