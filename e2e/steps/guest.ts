/** A guest who buys drinks and shows their code on a phone. */
import { expect } from '@playwright/test';
import { buyButton, categoryAddress, fillCart } from './marketplace.ts';
import type { Member } from './story.ts';

/** The label of the code on the guest's phone. */
export const CODE = 'QR code to redeem your purchase';

/** A phone whose service worker stores the app, so that it starts without a network. */
export const GUEST = {
  ath: 100,
  at: categoryAddress('drinks'),
  isPhone: true,
  hasServiceWorker: true,
} as const;

/** Buys drinks and shows their code, which the phone can sign itself. */
export async function buyDrinks({ page }: Member, count: number): Promise<void> {
  await fillCart(page, 'House Pour', count);
  await buyButton(page).click();
  await page.getByRole('link', { name: 'Show QR code' }).click();
  await expect(page.getByRole('button', { name: 'Offline code' })).toBeVisible();
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
}

/** Starts the app without a network, on the code signed by the phone itself. */
export async function startWithoutNetwork({ page }: Member): Promise<void> {
  await page.reload();
  await page.getByRole('button', { name: 'See what was last known' }).click();
  await expect(page.getByText(/^You are offline\. This code works/)).toBeVisible();
}
