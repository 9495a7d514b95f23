import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { expect, type Page } from '@playwright/test';
import { signIn } from '@athos/testing/steps/wallet';
import { test } from './steps/story.ts';
import { createAccount } from './system/accounts.ts';

const EARLY = [
  '/api/account/refresh_jwt',
  '/api/categories',
  '/api/exchange_rate',
  '/api/tiers',
] as const;

test('a signed-in start asks for its code and data while the page is still being parsed', async ({
  visitor,
}) => {
  const { page } = await visitor();
  await page.goto('/auth/sign-in');
  await signIn(page, await createAccount());
  await expect(page.getByRole('heading', { name: 'Marketplace' })).toBeVisible();

  await page.reload();
  await expect(page.getByRole('heading', { name: 'Marketplace' })).toBeVisible();
  const [parsedMs, resources] = await page.evaluate(() => {
    const [navigation] = performance.getEntriesByType('navigation');
    // Module scripts run after this.
    const { domInteractive } = navigation as PerformanceNavigationTiming;
    const fetched = performance.getEntriesByType('resource');
    return [
      domInteractive,
      fetched.map(({ name, startTime }) => ({ path: new URL(name).pathname, startTime })),
    ] as const;
  });
  const early = resources.filter(({ startTime }) => startTime < parsedMs).map(({ path }) => path);
  expect(early).toEqual(expect.arrayContaining([...EARLY]));
  expect(early.some((path) => /^\/assets\/app-[\w-]+\.js$/.test(path))).toBe(true);
  // The rate is polled every 6 s; no other request may be repeated.
  const asked = resources.filter(({ path }) => path === '/api/categories');
  expect(asked).toHaveLength(1);
});

/** The gzip-compressed bytes of JavaScript that the page requests while it is being parsed. Later scripts wait for the first screen. */
async function scriptBytes(page: Page): Promise<number> {
  const paths = await page.evaluate(() => {
    const [navigation] = performance.getEntriesByType('navigation');
    const { domInteractive } = navigation as PerformanceNavigationTiming;
    return performance
      .getEntriesByType('resource')
      .filter(({ name, startTime }) => name.endsWith('.js') && startTime < domInteractive)
      .map(({ name }) => new URL(name).pathname);
  });
  expect(paths.length).toBeGreaterThan(0);
  const bodies = await Promise.all(
    [...new Set(paths)].map(async (path) => (await page.request.get(path)).body()),
  );
  return bodies.reduce((sum, body) => sum + gzipSync(body).length, 0);
}

test('[W-002] [W-003] the first page sends at most 97,000 bytes of JavaScript, and home 136,000', async ({
  visitor,
}) => {
  const { page } = await visitor();
  await page.goto('/auth/get-started');
  await expect(page.getByRole('link', { name: 'Get Started' })).toBeVisible();
  expect(await scriptBytes(page)).toBeLessThanOrEqual(97_000);
  await page.goto('/auth/sign-in');
  await signIn(page, await createAccount());
  await expect(page.getByRole('heading', { name: 'Marketplace' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Marketplace' })).toBeVisible();
  const homeBytes = await scriptBytes(page);
  expect(homeBytes).toBeGreaterThan(97_000);
  expect(homeBytes).toBeLessThanOrEqual(136_000);
});

/** Loads a page as a phone on a slow network first sees it: nothing but the page itself has arrived. */
async function openBare(page: Page, path: string): Promise<void> {
  await page.route('**/assets/**', (route) => route.abort());
  await page.goto(path);
}

const colourOf = (page: Page): Promise<string> =>
  page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);

test('the page paints a visitor’s welcome before any other file is here', async ({ visitor }) => {
  const { page } = await visitor();
  await openBare(page, '/');
  const heading = page.getByRole('heading', { name: 'Welcome to Athos Rewards' });
  await expect(heading).toBeVisible();
  await expect(heading).toHaveCSS('font-size', '30px');
  await expect(page.getByRole('link', { name: 'Get Started' })).toBeVisible();
  expect(await colourOf(page)).toBe('rgb(250, 247, 242)');
  await page.evaluate(() => localStorage.setItem('theme', 'dark'));
  await page.reload();
  expect(await colourOf(page)).toBe('rgb(18, 13, 24)');
});

const noteShifts = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    new PerformanceObserver((list) => {
      document.documentElement.dataset['shifts'] = String(list.getEntries().length);
    }).observe({ type: 'layout-shift', buffered: true });
  });

test('the page paints the shape of a form, which the form replaces without a shift', async ({
  visitor,
}) => {
  const { page } = await visitor();
  await openBare(page, '/auth/sign-in');
  await expect(page.locator('#shell-form')).toBeVisible();
  await page.unroute('**/assets/**');
  await noteShifts(page);
  await page.reload();
  await expect(page.getByRole('button', { name: 'Sign In' })).toBeVisible();
  await expect(page.locator('#shell')).toHaveCount(0);
  await expect(page.locator('html')).not.toHaveAttribute('data-shifts');
});

test('the page paints the splash, only where a token is stored', async ({ visitor }) => {
  const { page } = await visitor();
  await openBare(page, '/app');
  await expect(page.locator('#splash')).toBeHidden();
  await page.evaluate(() => localStorage.setItem('jwt', 'a.stored.token'));
  await page.reload();
  await expect(page.getByRole('status', { name: 'Athos is starting' })).toBeVisible();
  await expect(page.locator('#shell-welcome')).toBeHidden();
});

test('the start of an empty wallet waits for the code of its first steps, so nothing shifts', async ({
  visitor,
}) => {
  const { page } = await visitor();
  await page.goto('/auth/sign-in');
  await signIn(page, await createAccount());
  const steps = page.getByRole('region', { name: 'Fill your wallet' });
  await expect(steps).toBeVisible();

  // Longer than the splash's minimum time.
  await page.route('**/assets/first-steps-*.js', async (route) => {
    await setTimeout(2500);
    await route.continue();
  });
  await noteShifts(page);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Marketplace' })).toBeVisible();
  expect(await steps.isVisible()).toBe(true);
  await expect(page.locator('html')).not.toHaveAttribute('data-shifts');
});
