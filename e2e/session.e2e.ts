import { expect } from '@playwright/test';
import { createAccount, newEmail, PASSWORD } from './system/accounts.ts';
import { addresses } from './system/addresses.ts';
import { linkTo, waitForMail } from './system/mailbox.ts';
import { test } from './steps/story.ts';
import { expectBalance, signIn, signInForm } from '@athos/testing/steps/wallet';

test('[S2-007] [S2-008] [S2-010] [S4-001] [S4-006] the requested screen opens after sign-in and again after a reload, and all tabs sign out together', async ({
  visitor,
}) => {
  const { page, context } = await visitor();
  const account = await createAccount();

  await page.goto('/app/buy?from=ad');
  await expect(page).toHaveURL('/auth/get-started');
  expect(await page.evaluate(() => localStorage.getItem('intended-route'))).toBe(
    '/app/buy?from=ad',
  );
  await page.getByRole('link', { name: 'Get Started' }).click();
  await page.getByRole('link', { name: 'Sign In' }).click();
  await signIn(page, account);
  await expect(page.getByRole('button', { name: 'Signed In!' })).toBeVisible();
  await expect(page).toHaveURL('/app/buy?from=ad');
  await expect(page.getByRole('heading', { name: 'Buy ATH' })).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('intended-route'))).toBeNull();

  const refresh = page.waitForRequest(/\/api\/account\/refresh_jwt\?token=/);
  await page.reload();
  await refresh;
  await expect(page.getByRole('heading', { name: 'Buy ATH' })).toBeVisible();
  await expect(page).toHaveURL('/app/buy?from=ad');

  const second = await context.newPage();
  await second.goto('/app/settings');
  await second.getByRole('button', { name: 'Sign Out' }).click();
  await expect(second).toHaveURL('/auth/sign-in');
  await expect(page).toHaveURL('/auth/sign-in');
  expect(await page.evaluate(() => localStorage.getItem('jwt'))).toBe('invalidated');
  await page.goto('/app/wallet');
  await expect(page).toHaveURL('/auth/sign-in');
});

test('[S2-009] a reward link opened while signed out is redeemed after sign-up and verification', async ({
  visitor,
}) => {
  const { page } = await visitor();
  const email = newEmail();
  const link = `/app/redeem?code=${addresses.rewardCodes[0]}`;
  await page.goto(link);
  await expect(page).toHaveURL('/auth/get-started');
  const waiting = page.getByRole('heading', { name: 'A reward is waiting for you' });
  await expect(waiting).toBeVisible();
  await page.getByRole('link', { name: 'Get Started' }).click();
  await expect(waiting).toBeVisible();
  await page.getByRole('link', { name: 'Sign Up' }).click();
  await expect(waiting).toBeVisible();
  await signInForm(page).email.fill(email);
  await signInForm(page).password.fill(PASSWORD);
  await page.getByRole('button', { name: 'Create Account' }).click();
  await expect(page.getByText('It is credited once you follow the link')).toBeVisible();
  const mail = await waitForMail(email, /^Verify/);
  await page.goto(linkTo(mail, '/auth/verify-account'));
  await expect(page).toHaveURL(link);
  await expect(page.getByText('Your account has been credited with 25.00 Ath')).toBeVisible();
  await page.reload();
  await expect(page.getByText('Redeemed!')).toBeVisible();
  await page.getByRole('link', { name: 'See my wallet' }).click();
  await expectBalance(page, '25.00 ATH');
});

test('a verification link opened on another device asks for the password of its sign-up, and opens the account with it', async ({
  visitor,
}) => {
  const [phone, laptop] = [await visitor(), await visitor()];
  const email = newEmail();
  await phone.page.goto('/auth/sign-up');
  await signInForm(phone.page).email.fill(email);
  await signInForm(phone.page).password.fill(PASSWORD);
  await phone.page.getByRole('button', { name: 'Create Account' }).click();
  const link = linkTo(await waitForMail(email, /^Verify/), '/auth/verify-account');

  const { page } = laptop;
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'Enter your password' })).toBeVisible();
  await page.getByLabel('Password', { exact: true }).fill('Wrong-horse-9');
  await page.keyboard.press('Enter');
  await expect(page.getByText('This is not the password of this sign-up.')).toBeVisible();
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/app');
  await expectBalance(page, '0.00 ATH');

  await phone.page.goto(link);
  await expect(phone.page.getByText('This link did not work')).toBeVisible();
});

test('a forgotten password is reset by the mailed link, which ends every other session', async ({
  visitor,
  member,
}) => {
  const elsewhere = await member();
  const { email } = elsewhere.account;
  const password = 'Another-horse-8';
  const { page } = await visitor();

  await test.step('a wrong password is refused and the form is idle again', async () => {
    await page.goto('/auth/sign-in');
    await signIn(page, { email, password: 'Wrong-horse-9' });
    await expect(page.getByText('Incorrect credentials')).toBeVisible();
    await expect(signInForm(page).submit).toBeEnabled();
  });

  await test.step('the link is mailed', async () => {
    await page.getByRole('link', { name: 'Forgot password' }).click();
    await expect(signInForm(page).email).toHaveValue(email);
    await page.getByRole('button', { name: 'Initiate Password Reset' }).click();
    await expect(page.getByRole('button', { name: 'Email sent!' })).toBeVisible();
  });

  const link = linkTo(await waitForMail(email, /^Reset/), '/auth/reset-password');
  await test.step('a weak password is refused, a strong one accepted', async () => {
    await page.goto(link);
    await page.getByRole('textbox', { name: 'New Password' }).fill('weakling');
    await page.getByRole('button', { name: 'Reset Password' }).click();
    await expect(page.getByText('Must meet password strength requirements')).toBeVisible();
    await page.getByRole('textbox', { name: 'New Password' }).fill(password);
    await page.getByRole('button', { name: 'Reset Password' }).click();
    await expect(page).toHaveURL('/auth/sign-in');
  });

  await test.step('the other browser is signed out, and the new password signs in', async () => {
    await expect(elsewhere.page).toHaveURL('/auth/sign-in');
    await signIn(page, { email, password });
    await expect(page).toHaveURL('/app');
  });

  await test.step('the link works only once', async () => {
    await page.evaluate(() => localStorage.clear());
    await page.goto(link);
    await page.getByRole('textbox', { name: 'New Password' }).fill('Third-horse-9');
    await page.getByRole('button', { name: 'Reset Password' }).click();
    await expect(page.getByText('There was an error resetting your password.')).toBeVisible();
  });
});

test('a weak password creates no account', async ({ visitor }) => {
  const { page } = await visitor();
  await page.goto('/auth/sign-up');
  await signInForm(page).email.fill(newEmail());
  await signInForm(page).password.fill('password1');
  await page.getByRole('button', { name: 'Create Account' }).click();
  await expect(page.getByText('Must meet password strength requirements')).toBeVisible();
  await expect(page.getByText('At least one special character')).toBeVisible();
  await signInForm(page).password.fill(PASSWORD);
  await expect(page.getByText('Strong', { exact: true })).toBeVisible();
});

test('[S2-199] [S2-200] a user who is away for 300 s is signed out', async ({ member }) => {
  const { page, account } = await member({ hasClock: true });
  await page.keyboard.press('Tab');
  await page.clock.fastForward(241_000);
  const warning = page.getByRole('alertdialog', { name: 'Still there?' });
  await warning.getByRole('button', { name: 'Stay signed in' }).click();
  await expect(warning).toHaveCount(0);
  await page.clock.fastForward(241_000);
  await expect(warning).toBeVisible();
  await page.clock.fastForward(60_000);
  await expect(
    page.getByText('You were away too long and have been automatically logged out.'),
  ).toBeVisible();
  await page.getByRole('button', { name: 'OK' }).click();
  await expect(page).toHaveURL('/auth/sign-in');
  const answer = await page.request.get('/api/account/balance', {
    headers: { authorization: `Bearer ${account.token}` },
  });
  expect(answer.status()).toBe(401);
});

test("[S2-198] 'Trying to reconnect' shows while the connection is lost and closes when it is back", async ({
  member,
}) => {
  const { page, context } = await member({ hasClock: true, ath: 3 });
  await expectBalance(page, '3.00 ATH');
  await context.setOffline(true);
  await page.clock.fastForward(15_000);
  const modal = page.getByRole('alertdialog', { name: 'Trying to reconnect' });
  await expect(modal).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(modal).toBeVisible();
  await context.setOffline(false);
  await page.clock.fastForward(3000);
  await expect(modal).toHaveCount(0);
  await expectBalance(page, '3.00 ATH');
});

test('[S4-004] [S3-002] [S3-003] a tampered token leads to sign-in and leaves the marker', async ({
  member,
}) => {
  const { page } = await member();
  // A page of the same origin without the app, whose own requests would find the tampered token first.
  await page.goto('/robots.txt');
  await page.evaluate(() => {
    const [head, , signature] = (localStorage.getItem('jwt') ?? '').split('.');
    const claims = btoa(JSON.stringify({ sub: crypto.randomUUID(), iat: 1, exp: 4_000_000_000 }));
    localStorage.setItem('jwt', [head, claims.replaceAll('=', ''), signature].join('.'));
  });
  await page.goto('/app/settings');
  await expect(page).toHaveURL('/auth/sign-in');
  expect(
    await page.evaluate(() => [
      localStorage.getItem('jwt'),
      localStorage.getItem('had-previous-session'),
    ]),
  ).toEqual(['invalidated', 'true']);
});
