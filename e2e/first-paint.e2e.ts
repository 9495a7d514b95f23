import { expect } from '@playwright/test';
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
  // The rate is polled every 6 s; nothing else may be asked for again.
  const asked = resources.filter(({ path }) => path === '/api/categories');
  expect(asked).toHaveLength(1);
});

test('the page carries the splash, and shows it only where a token is stored', async ({
  visitor,
}) => {
  const { page } = await visitor();
  // Without the scripts of the app, the page stays as the server sent it.
  await page.route(/\/assets\/(?:index|first-page)-.+\.js$/, (route) => route.abort());
  await page.goto('/app');
  await expect(page.locator('#splash')).toBeHidden();
  await page.evaluate(() => localStorage.setItem('jwt', 'a.stored.token'));
  await page.reload();
  await expect(page.getByRole('status', { name: 'Athos is starting' })).toBeVisible();
});
