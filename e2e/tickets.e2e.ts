/** A guest's phone without a network: its tickets, the code that it signs itself, and a scanner that accepts it. */
import { expect, type Page } from '@playwright/test';
import { signInForm } from '@athos/testing/steps/wallet';
import { addresses } from './system/addresses.ts';
import { openCamera } from './steps/camera.ts';
import { buyButton, categoryAddress, fillCart } from './steps/marketplace.ts';
import { test } from './steps/story.ts';

const CODE = 'QR code to redeem your purchase';
const OFFLINE = /^You are offline\. This code works without a network until .+\.$/;
/** Longer than the 10 s after which the phone signs a new code. */
const NEXT_CODE_MS = 15_000;

const codeOf = (page: Page) => page.getByRole('img', { name: CODE });
/** The rendered code, which differs for every text. */
const drawing = (page: Page): Promise<string> => codeOf(page).innerHTML();

async function openScanner(page: Page): Promise<void> {
  const account = addresses.demoSignIns.find(({ role }) => role === 'scanner');
  await page.goto(addresses.scanner);
  await signInForm(page).email.fill(account?.email ?? '');
  await signInForm(page).password.fill(account?.password ?? '');
  await signInForm(page).submit.click();
  await expect(page.getByRole('heading', { name: 'Where are you?' })).toBeVisible();
}

test('[W-016] [W-017] [W-018] [W-019] [W-020] [W-024] [W-032] a phone without a network shows a code of its own, and a scanner redeems it', async ({
  member,
}) => {
  test.setTimeout(150_000);
  const at = categoryAddress('drinks');
  const { page, context } = await member({ ath: 200, at, isPhone: true });
  const camera = await openCamera();
  try {
    await test.step('online, the usual code stands, and the offline code on request', async () => {
      await fillCart(page, 'House Pour', 2);
      await buyButton(page).click();
      await page.getByRole('link', { name: 'Show QR code' }).click();
      await page.getByRole('button', { name: 'Offline code' }).click();
      await expect(page.getByText(/^This code works without a network until/)).toBeVisible();
      await page.getByRole('button', { name: 'Back to the usual code' }).click();
      await expect(page.getByText('If the scanner has no network')).toBeVisible();
    });

    await test.step('no script of the page can export the key', async () => {
      const exported = await page.evaluate(async () => {
        const opening = indexedDB.open('tickets');
        await new Promise((resolve) => opening.addEventListener('success', resolve));
        const asking = opening.result.transaction('kept').objectStore('kept').get('tickets');
        await new Promise((resolve) => asking.addEventListener('success', resolve));
        opening.result.close();
        const { privateKey } = (asking.result as { key: CryptoKeyPair }).key;
        return crypto.subtle.exportKey('pkcs8', privateKey).then(
          () => 'exported',
          (error: unknown) => (error as Error).name,
        );
      });
      expect(exported).toBe('InvalidAccessError');
    });

    const staff = await camera.browser.newPage({
      viewport: { width: 390, height: 844 },
      locale: 'en-US',
      timezoneId: 'Europe/Berlin',
      permissions: ['camera'],
    });
    await openScanner(staff);
    const requests: string[] = [];

    await test.step('offline, the phone signs a new code every 10 s without any request', async () => {
      await context.setOffline(true);
      await expect(page.getByText(OFFLINE)).toBeVisible();
      await expect(page.getByRole('alertdialog')).toHaveCount(0);
      context.on('request', (request) => requests.push(new URL(request.url()).pathname));
      const first = await drawing(page);
      await expect.poll(() => drawing(page), { timeout: NEXT_CODE_MS }).not.toBe(first);
      expect(requests.filter((path) => path.startsWith('/api/account'))).toEqual([]);
    });

    await test.step('another selection is another code, and only what is chosen is redeemed', async () => {
      const both = await drawing(page);
      await page.getByRole('button', { name: /^Decrease/ }).click();
      await expect.poll(() => drawing(page), { timeout: 2_000 }).not.toBe(both);
      await camera.pointAt(page, CODE);
      await staff.getByRole('list', { name: 'Your venues' }).getByRole('button').first().click();
      await expect(staff.getByRole('list', { name: 'Items in this code' })).toContainText(
        'House Pour Ready to redeem',
      );
      await staff.getByRole('button', { name: /^Redeem/ }).click();
      await expect(staff.getByRole('heading', { name: '1 item redeemed' })).toBeVisible();
    });

    await test.step('back online, one is redeemed and the usual code stands again', async () => {
      await context.setOffline(false);
      await expect(page.getByText(/^1 item redeemed/)).toBeVisible({ timeout: 20_000 });
    });
  } finally {
    await camera.close();
  }
});
