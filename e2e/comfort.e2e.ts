import { expect, type Page } from '@playwright/test';
import { createAccount, fund } from './system/accounts.ts';
import { test } from './steps/story.ts';
import { expectBalance } from '@athos/testing/steps/wallet';

/** Presses Tab until `name` has the focus, as a user without a pointer does. */
async function tabTo(page: Page, role: 'button' | 'link' | 'textbox', name: string | RegExp) {
  const target = page.getByRole(role, { name, exact: typeof name === 'string' });
  for (let count = 0; count < 25; count += 1) {
    await page.keyboard.press('Tab');
    if (await target.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error(`${name.toString()} is not reached by Tab`);
}

test('sign-in and a send work by keyboard alone', async ({ visitor, member }) => {
  const { page } = await visitor();
  const friend = await member();
  const sender = await createAccount();
  await fund(sender, 9);

  await page.goto('/auth/sign-in');
  await page.getByRole('main').waitFor();
  await tabTo(page, 'textbox', 'Email');
  await page.keyboard.type(sender.email);
  await tabTo(page, 'textbox', 'Password');
  await page.keyboard.type(sender.password);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/app');
  await expectBalance(page, '9.00 ATH');

  await tabTo(page, 'link', 'Send');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Amount to send' })).toBeFocused();
  await page.keyboard.type('1.5');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/app/send/recipient');
  await tabTo(page, 'textbox', 'Recipient');
  await page.keyboard.type(friend.account.uuid);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/app/send/summary');
  await tabTo(page, 'button', 'Send');
  await page.keyboard.press('Space');
  const success = page.getByRole('dialog', { name: 'Successfully sent' });
  await expect(success).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL('/app');
  await expectBalance(page, '7.50 ATH');
});

test('text at 200 % is not cut off, and no screen is wider than the window', async ({ member }) => {
  const { page } = await member({ ath: 12 });
  const screens = [
    '/app',
    '/app/wallet',
    '/app/buy',
    '/app/send',
    '/app/send/recipient',
    '/app/history',
    '/app/settings',
  ];
  for (const path of screens) {
    await page.goto(path);
    await page.getByRole('main').waitFor();
    await page.evaluate(() => (document.documentElement.style.fontSize = '200%'));
    const wider = await page.evaluate(() => {
      const root = document.documentElement;
      return root.scrollWidth - root.clientWidth;
    });
    expect(wider, `${path} is wider than the window by`).toBe(0);
  }
});

test('nothing moves with reduced motion', async ({ member }) => {
  const { page } = await member({ ath: 2 });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const moving = () =>
    page.evaluate(
      () =>
        document
          .getAnimations()
          .filter((animation) => Number(animation.effect?.getComputedTiming().duration ?? 0) > 1)
          .length,
    );
  for (const path of ['/app', '/app/send', '/app/buy', '/app/settings']) {
    await page.goto(path);
    await page.getByRole('main').waitFor();
    expect(await moving(), path).toBe(0);
  }
});

test('pages have a strict content security policy, and private ones are not indexed', async ({
  visitor,
}) => {
  const { page } = await visitor();
  const start = await page.goto('/auth/get-started');
  const policy = start?.headers()['content-security-policy'] ?? '';
  expect(policy).toContain("default-src 'self'");
  // 'wasm-unsafe-eval' is allowed for the scanner's decoder; inline scripts and styles are not.
  expect(policy).not.toMatch(/'unsafe-(inline|eval|hashes)'/);
  expect(start?.headers()['x-robots-tag']).toBeUndefined();
  const app = await page.goto('/app');
  expect(app?.headers()['x-robots-tag']).toBe('noindex');
});

/** The toasts that cover a heading, Back or another control of the header; `undefined` if none is shown. */
const coveringToasts = (page: Page): Promise<string[] | undefined> =>
  page.evaluate(() => {
    const placesOf = (selector: string) =>
      [...document.querySelectorAll(selector)].map((element) => ({
        name: element.textContent || element.getAttribute('aria-label') || element.tagName,
        place: element.getBoundingClientRect(),
      }));
    const kept = placesOf('main h1, main header :is(h2, a, button, input)');
    const toasts = placesOf('[aria-label="Notifications"] li');
    if (toasts.length === 0) return undefined;
    return toasts.flatMap((toast) =>
      kept
        .filter(
          ({ place }) =>
            place.top < toast.place.bottom &&
            place.bottom > toast.place.top &&
            place.left < toast.place.right &&
            place.right > toast.place.left,
        )
        .map(({ name }) => `${toast.name} covers ${name}`),
    );
  });

for (const [width, height] of [
  [320, 568],
  [390, 844],
  [1440, 900],
] as const) {
  test(`toasts cover neither a heading nor Back at ${width} px`, async ({ visitor, member }) => {
    const { page } = await member({ ath: 5 });
    await page.setViewportSize({ width, height });
    await page.goto('/app/send/summary');
    await expect(page.getByText('Please enter the amount!')).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Send', level: 1 })).toBeVisible();
    await expect.poll(() => coveringToasts(page)).toEqual([]);

    const stranger = await visitor();
    await stranger.page.setViewportSize({ width, height });
    await stranger.page.goto('/auth/sign-up');
    await stranger.page.getByLabel('Email').fill('weak@athos.example');
    await stranger.page.getByLabel('Password', { exact: true }).fill('weak');
    await stranger.page.getByRole('button', { name: 'Create Account' }).click();
    await expect(stranger.page.getByText('Must meet password strength requirements')).toBeVisible();
    await expect.poll(() => coveringToasts(stranger.page)).toEqual([]);
  });
}
