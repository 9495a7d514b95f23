/** A guest who was signed out for inactivity, at a gate without a network. */
import { expectBalance } from '@athos/testing/steps/wallet';
import { expect, type Page } from '@playwright/test';
import { buyButton, categoryAddress, fillCart } from './steps/marketplace.ts';
import { test } from './steps/story.ts';

const codeOf = (page: Page) => page.getByRole('img', { name: 'QR code to redeem your purchase' });

test('[W-030] [W-031] after the sign-out for being away a phone without a network shows its tickets and nothing else', async ({
  member,
  visitor,
}) => {
  test.setTimeout(120_000);
  const { page, context } = await member({
    ath: 100,
    at: categoryAddress('drinks'),
    isPhone: true,
    hasClock: true,
    hasServiceWorker: true,
  });

  await test.step('online, something is bought, and the phone keeps its ticket', async () => {
    await fillCart(page, 'House Pour', 2);
    await buyButton(page).click();
    await page.getByRole('link', { name: 'Show QR code' }).click();
    await expect(page.getByRole('button', { name: 'Offline code' })).toBeVisible();
    await page.goto('/app');
    // Without the network, a screen that has not loaded its data would stay behind the splash.
    await expectBalance(page, '52.00 ATH');
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  });

  await test.step('away without a network, it is signed out and offers its tickets', async () => {
    await context.setOffline(true);
    await page.clock.fastForward(241_000);
    await expect(page.getByRole('alertdialog', { name: 'Still there?' })).toBeVisible();
    await page.clock.fastForward(61_000);
    // Shown above 'Trying to reconnect', which offers them too.
    const modal = page.getByRole('alertdialog', { name: 'Signed out' });
    await modal.getByRole('button', { name: 'Show my tickets' }).click();
    await expect(page).toHaveURL('/auth/tickets');
    await expect(codeOf(page)).toBeVisible();
    await expect(page.getByText('Code 1 of 1, 2 items')).toBeVisible();
  });

  await test.step('it signs a new code every 10 s without any request for the account', async () => {
    const requests: string[] = [];
    context.on('request', (request) => requests.push(new URL(request.url()).pathname));
    const first = await codeOf(page).innerHTML();
    await page.clock.fastForward(10_500);
    await expect.poll(() => codeOf(page).innerHTML()).not.toBe(first);
    expect(requests.filter((path) => path.startsWith('/api/account'))).toEqual([]);
  });

  await test.step('it starts there without a network, and shows no other data', async () => {
    await page.reload();
    await expect(codeOf(page)).toBeVisible();
    await expect(page.getByRole('alertdialog')).toHaveCount(0);
    const words = await page.getByRole('main').innerText();
    expect(words).not.toMatch(/House Pour|ATH\b|48\.00|52\.00|@/);
    await page.goto('/app/history');
    await expect(page).toHaveURL('/auth/sign-in');
    await page.getByRole('link', { name: 'Show my tickets' }).click();
    await expect(codeOf(page)).toBeVisible();
  });

  await test.step('a phone without tickets says so', async () => {
    const other = await visitor();
    await other.page.goto('/auth/tickets');
    await expect(
      other.page.getByText('This phone keeps no tickets.', { exact: false }),
    ).toBeVisible();
  });
});
