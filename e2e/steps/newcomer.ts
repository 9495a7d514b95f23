import { expect, type Page } from '@playwright/test';
import { signInForm } from '@athos/testing/steps/wallet';
import { PASSWORD } from '../system/accounts.ts';
import { linkTo, waitForMail } from '../system/mailbox.ts';

/** Creates an account in the wallet and follows the mailed link. */
export async function signUp(page: Page, email: string): Promise<void> {
  await page.goto('/auth/sign-up');
  await signInForm(page).email.fill(email);
  await signInForm(page).password.fill(PASSWORD);
  await page.getByRole('button', { name: 'Create Account' }).click();
  await expect(page.getByRole('heading', { name: 'Your account has been created!' })).toBeVisible();
  await page.goto(linkTo(await waitForMail(email, /^Verify/), '/auth/verify-account'));
  await expect(page).toHaveURL('/app');
}
