/** The console on the whole system: signing in and working by keyboard, and its absence from the other apps. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, type Page } from '@playwright/test';
import { addresses } from './system/addresses.ts';
import { readCode, staffOf } from './system/staff.ts';

const ROOT = join(import.meta.dirname, '..');

/** Presses Tab until the element has the focus, as often as a patient person would. */
async function tabTo(page: Page, isThere: () => Promise<boolean>): Promise<void> {
  for (let press = 0; press < 30; press += 1) {
    if (await isThere()) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('The focus does not get there');
}

const isFocused = (page: Page, label: string) => (): Promise<boolean> =>
  page
    .getByLabel(label, { exact: true })
    .first()
    .evaluate((element) => element === document.activeElement);

test('[O-163] [O-006] an auditor signs in with password and code, and reads the audit by keyboard alone', async ({
  browser,
}) => {
  const auditor = staffOf('auditor');
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.goto(`${addresses.console}/audit`);
  await page.getByRole('heading', { name: 'Sign in to the console' }).waitFor();

  await tabTo(page, isFocused(page, 'Email'));
  await page.keyboard.type(auditor.email);
  await tabTo(page, isFocused(page, 'Password'));
  await page.keyboard.type(auditor.password);
  await tabTo(page, isFocused(page, 'Code'));
  await page.keyboard.type(await readCode(auditor));
  await page.keyboard.press('Enter');

  // The address stays the same, and the sign-in is the newest entry.
  await page.getByRole('heading', { level: 1, name: 'Audit' }).waitFor();
  const list = page.getByRole('table', { name: 'Audit' });
  await list.getByRole('link').first().waitFor();
  await page.keyboard.press('j');
  await expect(list.getByRole('link').first()).toBeFocused();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Place in the chain' }).waitFor();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/\/console\/audit$/);

  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search' }).waitFor();
  await page.keyboard.type('role');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Roles' }).waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('u');
  await page.getByRole('heading', { level: 1, name: 'Audit' }).waitFor();
  await context.close();
});

/** The scripts of a built app, which the system under test serves. */
const scriptsOf = (app: string): readonly string[] => {
  const folder = join(ROOT, `apps/${app}/dist/assets`);
  return readdirSync(folder)
    .filter((name) => name.endsWith('.js'))
    .map((name) => readFileSync(join(folder, name), 'utf8'));
};

/** Every script with the console's calls, header or messages contains one of these. */
const MARKS = ['/admin/', 'x-console', 'customers.read', 'Sign in to the console'];

test('[O-044] neither the wallet nor the scanner ships code of the console', () => {
  const own = scriptsOf('console').join('\n');
  for (const mark of MARKS) expect(own).toContain(mark);
  for (const app of ['wallet', 'scanner']) {
    const scripts = scriptsOf(app);
    expect(scripts.length).toBeGreaterThan(3);
    for (const mark of MARKS) expect(scripts.join('\n')).not.toContain(mark);
  }
});
