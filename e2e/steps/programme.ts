/** Steps by which people of the brand and of the provider set up the programme in the console, by role and label. */
import { expect, type Locator, type Page } from '@playwright/test';
import { readFile } from 'node:fs/promises';
import { confirm } from './colleagues.ts';

const dialogOf = (page: Page, name: string | RegExp): Locator => page.getByRole('dialog', { name });

/** Opens the menu of the current object, and chooses one of its actions. */
async function choose(scope: Page | Locator, action: string): Promise<void> {
  await scope.getByRole('button', { name: 'Actions' }).first().click();
  const page = 'page' in scope ? scope.page() : scope;
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}

/**
 * `2026-11-22T18:30:05`, the format of a date and time field in UTC. For a whole minute, Chromium drops the seconds from the field's value,
 * and Playwright then calls the value it filled in malformed, so they are left out here.
 */
const momentText = (atMs: number): string =>
  new Date(atMs).toISOString().slice(0, 19).replace(/:00$/, '');

export async function addCategory(page: Page, title: string): Promise<void> {
  await page.goto('/console/categories');
  await page.getByRole('button', { name: 'New category' }).click();
  await page.getByLabel('Title').fill(title);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('link', { name: title })).toBeVisible();
}

interface Offer {
  readonly title: string;
  readonly category: string;
  readonly price: string;
  /** The name of its picture file. */
  readonly picture: string;
}

/** Drafts an offer with an uploaded picture, and publishes it. */
export async function addOffer(page: Page, offer: Offer): Promise<void> {
  await page.goto('/console/offers/new');
  await page.getByLabel('Title').fill(offer.title);
  await page.getByLabel('Category').selectOption({ label: offer.category });
  await page.getByLabel('Price', { exact: true }).fill(offer.price);
  await page.getByRole('button', { name: 'Choose a picture' }).click();
  const pictures = dialogOf(page, 'Choose a picture');
  await pictures.getByLabel('Upload pictures').setInputFiles(offer.picture);
  await expect(page.getByRole('button', { name: 'Change the picture' })).toBeVisible();
  await page.getByRole('button', { name: 'Save draft' }).click();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await confirm(dialogOf(page, 'Publish'), 'Publish');
  await expect(page.getByRole('article').getByText('Live', { exact: true })).toBeVisible();
}

/** Counts the stock left to sell. */
export async function countStock(page: Page, left: number): Promise<void> {
  await page.getByRole('button', { name: 'Count', exact: true }).click();
  const dialog = dialogOf(page, 'Count');
  await dialog.getByLabel('Counted as left').fill(String(left));
  await confirm(dialog, 'Count');
}

/** Returns the path of the venue. */
export async function addVenue(page: Page, name: string, address: string): Promise<string> {
  await page.goto('/console/venues');
  await page.getByRole('button', { name: 'Add a venue' }).click();
  const dialog = dialogOf(page, 'Add a venue');
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByLabel('Address').fill(address);
  await confirm(dialog, 'Add a venue');
  await expect(page.getByRole('heading', { level: 2, name })).toBeVisible();
  return new URL(page.url()).pathname;
}

/** Lets the customer with this address scan at the open venue. */
export async function bindStaff(page: Page, email: string): Promise<void> {
  await page.getByRole('button', { name: 'Add staff' }).click();
  const dialog = dialogOf(page, /^Add staff at/);
  await dialog.getByLabel('Email address or customer ID').fill(email);
  await confirm(dialog, 'Add staff');
  await expect(page.getByRole('region', { name: 'Staff' }).getByRole('listitem')).toHaveCount(1);
}

/** Creates the code that enrols a device at the open venue. */
export async function enrolScanner(page: Page, name: string): Promise<string> {
  await choose(page.getByRole('article'), 'Enrol a scanner');
  const dialog = dialogOf(page, /^Enrol a scanner at/);
  await dialog.getByLabel('Name of the device').fill(name);
  await confirm(dialog, 'Make a code');
  const made = dialogOf(page, name);
  const code = await made.locator('code').textContent();
  await made.getByRole('button', { name: 'Close', exact: true }).last().click();
  return code ?? '';
}

/** The server requires a minute. Its clock may be ahead, and filling in the form takes time. */
const RATE_AHEAD_MS = 70_000;

/** Requests a rate at the earliest possible time. */
export async function scheduleRate(page: Page, usdPerAth: string): Promise<void> {
  await page.goto('/console/rate');
  await page.getByRole('button', { name: 'Schedule a rate' }).click();
  const dialog = dialogOf(page, 'Schedule a rate');
  await dialog.getByLabel('US dollars for 1 ATH').fill(usdPerAth);
  await dialog.getByLabel('In force from').fill(momentText(Date.now() + RATE_AHEAD_MS));
  await confirm(dialog, `Publish ${usdPerAth}`);
}

interface Campaign {
  readonly title: string;
  readonly ath: string;
  readonly budget: string;
}

/** Drafts a campaign that runs for a year, and requests its budget. */
export async function addCampaign(page: Page, { title, ath, budget }: Campaign): Promise<void> {
  await page.goto('/console/campaigns');
  await page.getByRole('button', { name: 'New campaign' }).click();
  await page.getByLabel('Title').fill(title);
  await page.getByLabel('Each claim gives, in ATH').fill(ath);
  await page.getByLabel('Begins (programme time)').fill(momentText(Date.now() - 60_000));
  await page.getByLabel('Ends (programme time)').fill(momentText(Date.now() + 365 * 86_400_000));
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  await choose(page, 'Add budget');
  const dialog = dialogOf(page, 'Add budget');
  await dialog.getByLabel('Budget to add, in ATH').fill(budget);
  await confirm(dialog, /^Request/);
}

export async function startCampaign(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await expect(page.getByText('Running', { exact: true })).toBeVisible();
}

/** Creates a batch of codes in the open campaign. */
export async function makeCodes(page: Page, label: string, count: number): Promise<void> {
  await page.getByRole('button', { name: 'Make codes' }).click();
  const dialog = dialogOf(page, 'Make a batch of codes');
  await dialog.getByLabel('Label').fill(label);
  await dialog.getByLabel(/^Number of codes/).fill(String(count));
  await confirm(dialog, /^Make \d+ codes?$/);
  await expect(batchOf(page, label).getByText('Ready', { exact: true })).toBeVisible({
    timeout: 30_000,
  });
}

const batchOf = (page: Page, label: string): Locator =>
  page
    .getByRole('region', { name: 'Batches of codes' })
    .getByRole('listitem')
    .filter({ hasText: label });

/** Requests the printable sheets of a batch, and downloads them. */
export async function printSheets(page: Page, label: string, form: string): Promise<Buffer> {
  const batch = batchOf(page, label);
  await choose(batch, `Draw sheets: ${form}`);
  await expect(batch.getByRole('progressbar', { name: form })).toHaveCount(0, { timeout: 30_000 });
  const downloading = page.waitForEvent('download');
  await choose(batch, `Download ${form}`);
  return readFile(await (await downloading).path());
}
