import { expect } from '@playwright/test';
import { buyButton, categoryAddress, fillCart } from './steps/marketplace.ts';
import { test } from './steps/story.ts';
import { expectBalance } from '@athos/testing/steps/wallet';

test('[D-111] [S2-198] once installed, the app starts without a network, shows the last known data with its time, and sends nothing', async ({
  member,
}) => {
  const { page, context } = await member({
    ath: 100,
    at: categoryAddress('drinks'),
    hasServiceWorker: true,
  });

  await test.step('it can be installed', async () => {
    const { icons, start_url } = (await (
      await page.request.get('/manifest.webmanifest')
    ).json()) as { icons: { src: string; sizes: string; purpose: string }[]; start_url: string };
    expect(start_url).toBe('/app');
    const sizes = icons.map(({ sizes: size, purpose }) => `${purpose} ${size}`);
    expect(sizes).toEqual(
      expect.arrayContaining([
        'any 192x192',
        'any 512x512',
        'maskable 192x192',
        'maskable 512x512',
      ]),
    );
    for (const { src } of icons) expect((await page.request.get(src)).status(), src).toBe(200);
  });

  await test.step('online, something is bought, and copies are kept', async () => {
    await fillCart(page, 'House Pour', 1);
    await buyButton(page).click();
    await expect(page.getByText('Purchase was successful!')).toBeVisible();
    await page.goto('/app');
    await expectBalance(page, '76.00 ATH');
    // The next load goes through the active worker, whether or not it has claimed this page.
    await page.evaluate(() => navigator.serviceWorker.ready);
    const whatIsKept = () =>
      page.evaluate(() => {
        const copyOf = (name: string): string =>
          Object.entries(localStorage).find(([key]) => key.endsWith(`:${name}`))?.[1] ?? '';
        return {
          balance: copyOf('balance').includes('"76000000"'),
          purchases: copyOf('purchases').includes('House Pour'),
          history: copyOf('history').includes('House Pour'),
        };
      });
    await expect.poll(whatIsKept).toEqual({ balance: true, purchases: true, history: true });
  });

  const modal = page.getByRole('alertdialog', { name: 'Trying to reconnect' });
  const asOf = page.getByText(/^As of [A-Z][a-z]{2} \d{1,2}, \d{4}, /);

  await test.step('offline, it starts and shows the last balance with its time', async () => {
    await context.setOffline(true);
    await page.reload();
    await expect(modal).toBeVisible();
    await page.getByRole('button', { name: 'See what was last known' }).click();
    await expectBalance(page, '76.00 ATH');
    await expect(asOf).toBeVisible();
    await expect(page.getByText('Trying to reconnect')).toBeVisible();
    await expect(modal).toHaveCount(0);
  });

  await test.step('purchases and history can be read', async () => {
    await page.getByRole('navigation').getByRole('link', { name: 'Purchases' }).click();
    await expect(page.getByRole('button', { name: /^House Pour/ })).toBeVisible();
    await expect(asOf).toBeVisible();
    await expect(page.getByRole('button', { name: 'Redeem purchase as a group' })).toBeDisabled();
    await page.getByRole('navigation').getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('link', { name: 'History' }).click();
    await expect(page.getByRole('list', { name: 'History' })).toContainText('-24.00');
  });

  await test.step('nothing can be sent, and the screen says why', async () => {
    await page.getByRole('navigation').getByRole('link', { name: 'Home' }).click();
    await page.getByRole('link', { name: 'Send' }).click();
    await expect(page.getByRole('button', { name: 'Next' })).toBeDisabled();
    await expect(
      page.getByText('You are offline. This works again as soon as the connection is back.'),
    ).toBeVisible();
  });

  await test.step('back online, it continues on the same screen', async () => {
    await context.setOffline(false);
    await expect(page.getByText('Trying to reconnect')).toHaveCount(0);
    await expect(page).toHaveURL('/app/send');
    await page.getByRole('textbox', { name: 'Amount to send' }).fill('1');
    await expect(page.getByRole('button', { name: 'Next' })).toBeEnabled();
  });
});
