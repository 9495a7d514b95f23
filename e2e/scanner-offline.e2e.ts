/** A scanner without a network that was online before. */
import { expect, type Page } from '@playwright/test';
import { signInForm } from '@athos/testing/steps/wallet';
import { openCamera } from './steps/camera.ts';
import { buyButton, categoryAddress, fillCart } from './steps/marketplace.ts';
import { test } from './steps/story.ts';
import { addresses } from './system/addresses.ts';

const CODE = 'QR code to redeem your purchase';

async function openScanner(page: Page): Promise<void> {
  const account = addresses.demoSignIns.find(({ role }) => role === 'scanner');
  await page.goto(addresses.scanner);
  await signInForm(page).email.fill(account?.email ?? '');
  await signInForm(page).password.fill(account?.password ?? '');
  await signInForm(page).submit.click();
  await page.getByRole('list', { name: 'Your venues' }).getByRole('button').first().click();
}

test('[W-033] a scanner that was online starts without a network, reads codes, and continues when the network is back', async ({
  member,
}) => {
  test.setTimeout(150_000);
  const { page: guest } = await member({ ath: 100, at: categoryAddress('drinks') });
  await fillCart(guest, 'House Pour', 1);
  await buyButton(guest).click();
  await guest.getByRole('link', { name: 'Show QR code' }).click();
  await guest.getByRole('img', { name: CODE }).waitFor();
  const camera = await openCamera();
  try {
    await camera.pointAt(guest, CODE);
    const context = await camera.browser.newContext({
      viewport: { width: 390, height: 844 },
      locale: 'en-US',
      timezoneId: 'Europe/Berlin',
      serviceWorkers: 'allow',
    });
    const page = await context.newPage();
    const banner = page.getByText('Nothing can be redeemed until it is back.');

    await test.step('online, the app and its code reader are stored', async () => {
      await openScanner(page);
      await page.evaluate(() => navigator.serviceWorker.ready);
      await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
      const stored = await page.evaluate(async () => {
        const name = (await caches.keys()).find((key) => key.startsWith('scanner-shell-')) ?? '';
        return (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname);
      });
      expect(stored).toContain('/scanner');
      expect(stored.filter((path) => path.endsWith('.wasm'))).toHaveLength(1);
      expect(stored.filter((path) => !path.startsWith('/scanner'))).toEqual([]);
    });

    await test.step('without a network it starts where it was, and says so', async () => {
      await context.setOffline(true);
      await page.goto(new URL('/scanner', addresses.scanner).href);
      await expect(banner).toBeVisible();
    });

    await test.step('it reads the code, and tells that the server did not answer', async () => {
      await expect(page.getByRole('heading', { name: 'No answer from the server' })).toBeVisible();
    });

    await test.step('back online, it takes codes again without a reload', async () => {
      await context.setOffline(false);
      await expect(banner).toHaveCount(0);
    });
  } finally {
    await camera.close();
  }
});
