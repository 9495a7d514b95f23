/** A customer of the demo's past checks a receipt up to the published head of a day that has ended. */
import { expect } from '@playwright/test';
import { signInForm } from '@athos/testing/steps/wallet';
import { test } from '../steps/story.ts';
import { PASSWORD } from '../system/accounts.ts';
import { linkTo, waitForMail } from '../system/mailbox.ts';
import { callConsole } from '../system/staff.ts';

test('[W-132] [W-133] a movement of an ended day is right up to the published head of its day', async ({
  visitor,
  staff,
}) => {
  const support = await staff('support', '/customers');
  const { items } = await callConsole(support.context, 'customers');
  const email = items.find((customer) => customer.email !== null)?.email ?? '';
  const { page } = await visitor();

  await test.step('somebody who joined weeks ago gets a new password and signs in', async () => {
    await page.goto('/auth/sign-in');
    await signInForm(page).email.fill(email);
    await page.getByRole('link', { name: 'Forgot password' }).click();
    await page.getByRole('button', { name: 'Initiate Password Reset' }).click();
    const mail = await waitForMail(email, /^Reset/);
    await page.goto(linkTo(mail, '/auth/reset-password'));
    await page.getByRole('textbox', { name: 'New Password' }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Reset Password' }).click();
    await expect(page).toHaveURL('/auth/sign-in');
    const form = signInForm(page);
    await form.email.fill(email);
    await form.password.fill(PASSWORD);
    await form.submit.click();
    await expect(page).toHaveURL('/app');
  });

  await test.step('the receipt of the last movement leads to the head of its day', async () => {
    await page.goto('/app/history');
    await page.getByRole('list', { name: 'History' }).getByRole('link').first().click();
    await page.getByRole('link', { name: 'Receipt' }).click();
    await expect(page.getByText('Receipt number')).toBeVisible({ timeout: 60_000 });
    await page.getByRole('button', { name: 'Check it' }).click();
    await expect(
      page.getByText('This receipt is right, up to the published head of its day.'),
    ).toBeVisible();
    const steps = page.getByRole('list', { name: 'Steps of the check' }).getByRole('listitem');
    await expect(steps).toHaveCount(8);
    await expect(steps.filter({ hasText: 'Right' })).toHaveCount(8);
  });
});
