/** A guest adds a passkey, signs in with it, and removes it. */
import { expect } from '@playwright/test';
import { PASSWORD, createAccount } from './system/accounts.ts';
import { addresses } from './system/addresses.ts';
import { test } from './steps/story.ts';

test('[W-102] a guest adds a passkey and signs in with it, without typing an address', async ({
  visitor,
}) => {
  // An IP address cannot have passkeys.
  const wallet = addresses.wallet.replace('127.0.0.1', 'localhost');
  const { email } = await createAccount();
  const { page, context } = await visitor();
  const devTools = await context.newCDPSession(page);
  await devTools.send('WebAuthn.enable');
  const { authenticatorId } = await devTools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      // Otherwise autofill would choose a passkey by itself as soon as there is one.
      automaticPresenceSimulation: false,
    },
  });
  const touch = (enabled: boolean) =>
    devTools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled });

  await test.step('adds a passkey in the settings', async () => {
    await page.goto(`${wallet}/auth/sign-in`);
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
    await expect(page).toHaveURL(/\/app/);
    await page.goto(`${wallet}/app/settings/security`);
    await page.getByRole('link', { name: 'Manage passkeys' }).click();
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await touch(true);
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await expect(page.getByText('Not used yet')).toBeVisible();
    await touch(false);
  });

  await test.step('signs in with it alone', async () => {
    await page.evaluate(() => localStorage.clear());
    await page.goto(`${wallet}/auth/sign-in`);
    const signIn = page.getByRole('button', { name: 'Sign in with a passkey' });
    await expect(signIn).toBeEnabled();
    // A request without simulated touch would wait forever, so touch is enabled first. Autofill has made its request by now.
    await touch(true);
    await signIn.click();
    await expect(page).toHaveURL(/\/app/);
  });

  await test.step('sees when it was used, and removes it', async () => {
    await page.goto(`${wallet}/app/settings/security/passkeys`);
    await expect(page.getByText(/^Last used/)).toBeVisible();
    await page.getByRole('button', { name: /^Remove / }).click();
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await expect(page.getByText('None yet')).toBeVisible();
  });
});
