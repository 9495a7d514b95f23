/** A scanner at a gate: its own browser with a camera, enrolled by a code from the console. */
import { expect, type BrowserContext, type Locator, type Page } from '@playwright/test';
import { signInForm } from '@athos/testing/steps/wallet';
import { addresses } from '../system/addresses.ts';
import type { Camera } from './camera.ts';
import { enrolScanner } from './programme.ts';

export interface Gate {
  readonly page: Page;
  readonly context: BrowserContext;
}

/** Signs the demo's staff in at their first venue. */
async function openScanner(page: Page): Promise<string> {
  const account = addresses.demoSignIns.find(({ role }) => role === 'scanner');
  await page.goto(addresses.scanner);
  await signInForm(page).email.fill(account?.email ?? '');
  await signInForm(page).password.fill(account?.password ?? '');
  await signInForm(page).submit.click();
  const venue = page.getByRole('list', { name: 'Your venues' }).getByRole('button').first();
  // The text has the venue's name, and its address below.
  const [name = ''] = (await venue.innerText()).split('\n');
  await venue.click();
  return name;
}

/** Enrols a new scanner with a key. It is left on today's list, with the data it needs to go offline. */
export async function openGate(camera: Camera, lead: Page, name: string): Promise<Gate> {
  const context = await camera.browser.newContext({
    viewport: { width: 390, height: 844 },
    locale: 'en-US',
    timezoneId: 'Europe/Berlin',
    serviceWorkers: 'allow',
    permissions: ['camera'],
  });
  const page = await context.newPage();
  const venue = await openScanner(page);
  await lead.goto('/console/venues');
  await lead.getByRole('link', { name: venue }).first().click();
  const code = await enrolScanner(lead, name);
  await page.getByRole('link', { name: /^Today/ }).click();
  await page.getByRole('button', { name: 'Name this device' }).click();
  await page.getByRole('textbox', { name: 'Code' }).fill(code);
  const listed = page.waitForResponse((response) => response.url().includes('/offline/pack'));
  await page.getByRole('button', { name: 'Name it' }).click();
  await expect(page.getByText('It can redeem offline codes without a network.')).toBeVisible();
  expect((await listed).status()).toBe(200);
  await page.getByRole('button', { name: 'Close', exact: true }).last().click();
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  return { page, context };
}

/** Opens the camera, which reads the code in front of it. */
export const openItsCamera = ({ page }: Gate): Promise<void> =>
  page.getByRole('link', { name: 'Back to the camera' }).last().click();

/** Redeems the scanned code without a network. */
export async function redeemOffline({ page }: Gate): Promise<void> {
  await expect(page.getByText('Checked on this device.', { exact: false })).toBeVisible();
  await page.getByRole('button', { name: /^Redeem/ }).click();
  await expect(page.getByRole('heading', { name: 'No network. Redeem offline?' })).toBeVisible();
  await page.getByRole('button', { name: 'Redeem offline' }).click();
  await expect(page.getByRole('heading', { name: 'Redeemed offline' })).toBeVisible();
}

export async function openItsDay({ page }: Gate): Promise<void> {
  await page.getByRole('button', { name: 'Next scan' }).click();
  await page.getByRole('link', { name: /^Today/ }).click();
}

export const dayOf = ({ page }: Gate): Locator =>
  page.getByRole('list', { name: 'Scans of today' });
