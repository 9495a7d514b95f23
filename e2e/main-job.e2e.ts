import { expect } from '@playwright/test';
import { newEmail, PASSWORD } from './system/accounts.ts';
import { linkTo, waitForMail } from './system/mailbox.ts';
import { test } from './steps/story.ts';
import { enterSend, expectBalance, pay, signInForm } from '@athos/testing/steps/wallet';

test('[S1-001] [S1-009] [S1-011] [S1-020] [D-110] a newcomer signs up, buys ATH by card and sends some to another user', async ({
  visitor,
  member,
}) => {
  const { page, watch } = await visitor();
  const friend = await member();
  const email = newEmail();

  await test.step('creates an account and follows the mailed link', async () => {
    await page.goto('/');
    await expect(page.getByRole('heading', { name: 'Welcome to Athos Rewards' })).toBeVisible();
    await page.getByRole('link', { name: 'Get Started' }).click();
    await page.getByRole('link', { name: 'Sign Up' }).click();
    await signInForm(page).email.fill(email);
    await signInForm(page).password.fill(PASSWORD);
    await page.getByRole('button', { name: 'Create Account' }).click();
    await expect(
      page.getByRole('heading', { name: 'Your account has been created!' }),
    ).toBeVisible();
    await expect(page.getByText(`A verification link was sent to ${email}.`)).toBeVisible();
    await page.goto(linkTo(await waitForMail(email, /^Verify/), '/auth/verify-account'));
    await expect(page).toHaveURL('/app');
    await expectBalance(page, '0.00 ATH');
  });

  await test.step('buys 100 ATH; the provider is asked for nothing before the card form opens', async () => {
    await page.getByRole('link', { name: 'Buy $Ath' }).click();
    await page.getByRole('textbox', { name: 'Amount to buy' }).fill('100');
    await page.getByRole('button', { name: 'Preview' }).click();
    await expect(page.getByRole('dialog', { name: 'Order preview' })).toBeVisible();
    expect(watch.providerRequests).toEqual([]);
    await page.getByRole('button', { name: 'Purchase' }).click();
    await pay(page);
    await expect(page.getByRole('button', { name: 'Processing...' })).toBeDisabled();
    const success = page.getByRole('dialog', { name: 'Successfully purchased' });
    await expect(success).toHaveText(/100\.00 ATH\s*Successfully purchased/);
    await success.getByRole('button', { name: 'Done' }).click();
    await expect(page).toHaveURL('/app');
    await expectBalance(page, '100.00 ATH');
  });

  await test.step('sends 12.50 ATH by uuid; the receiver sees it within 2 s', async () => {
    await expectBalance(friend.page, '0.00 ATH');
    await enterSend(page, '12.5', friend.account.uuid);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const success = page.getByRole('dialog', { name: 'Successfully sent' });
    await expect(success).toContainText('12.50 ATH');
    await expect(success).toContainText(friend.account.uuid);
    await expectBalance(friend.page, '12.50 ATH', 2000);
    await expect(
      friend.page.getByText(/^\+12\.50 ATH from [0-9a-f]{8}…[0-9a-f]{4}$/),
    ).toBeVisible();
    await success.getByRole('button', { name: 'Done' }).click();
    await expectBalance(page, '87.50 ATH');
  });

  await test.step('each history shows its side of the movements', async () => {
    await page.goto('/app/history');
    const rows = page.getByRole('list', { name: 'History' }).getByRole('link');
    await expect(rows).toHaveCount(2);
    await expect(rows.nth(0)).toHaveAccessibleName(
      /^[0-9a-f]{8}…[0-9a-f]{4} Send · .+ -12\.50 ATH$/,
    );
    await expect(rows.nth(1)).toHaveAccessibleName(/^ATH by card Payment · .+ \+100\.00 ATH$/);
    await rows.nth(0).click();
    await expect(page.getByText('COMPLETED')).toBeVisible();
    await expect(page.getByText(friend.account.uuid)).toBeVisible();

    await friend.page.getByRole('link', { name: 'Settings' }).click();
    await friend.page.getByRole('link', { name: 'History' }).click();
    const received = friend.page.getByRole('list', { name: 'History' }).getByRole('link');
    await expect(received).toHaveCount(1);
    await expect(received).toHaveAccessibleName(
      /^[0-9a-f]{8}…[0-9a-f]{4} Receive · .+ \+12\.50 ATH$/,
    );
    await received.click();
    await expect(friend.page.getByText('COMPLETED')).toBeVisible();
  });

  await test.step('a receipt is mailed', async () => {
    const receipt = await waitForMail(email, /^Your receipt/);
    expect(receipt.text).toContain('100.00 ATH');
  });
});
