/** Events that can happen to a cart before it is bought: a lost response, a faster buyer, a reload, another tab. */
import { expect, type Page } from '@playwright/test';
import { createAccount, readBalance, type Account } from './system/accounts.ts';
import {
  buyButton,
  CATEGORIES,
  cartLines,
  categoryAddress,
  fillCart,
} from './steps/marketplace.ts';
import { test } from './steps/story.ts';

const BOUGHT = 'Purchase was successful!';

/** Lets the first `lostCount` purchases reach the server but drops their responses. Returns the requests. */
async function loseAnswers(page: Page, lostCount: number): Promise<(string | null)[][]> {
  const asked: (string | null)[][] = [];
  await page.route('**/api/purchase', async (route) => {
    const request = route.request();
    asked.push([request.headers()['idempotency-key'] ?? null, request.postData()]);
    if (asked.length > lostCount) return route.continue();
    await route.fetch();
    await route.abort('connectionreset');
  });
  return asked;
}

test('a purchase whose answers are lost is retried unchanged, across a reload and a new price, and happens once', async ({
  member,
}) => {
  const { page, account } = await member({ ath: 100, at: categoryAddress('drinks') });
  await fillCart(page, 'House Pour', 2);
  const asked = await loseAnswers(page, 2);
  await buyButton(page).click();
  const unknown = page.getByText(
    'We could not confirm the purchase. Try again: it is never bought twice.',
  );
  await expect(unknown).toBeVisible();
  expect(await readBalance(account)).toBe('52000000');

  await page.route('**/api/offers?*', async (route) => {
    const response = await route.fetch();
    const { offers } = (await response.json()) as { offers: { amount_cents: number }[] };
    for (const offer of offers) offer.amount_cents = 2_600;
    await route.fulfill({ response, json: { offers } });
  });
  await page.reload();
  await expect(unknown).toBeVisible();
  await expect(cartLines(page)).toContainText('@ 26.00 ATH each');
  await expect(page.getByRole('button', { name: /^Remove/ })).toBeDisabled();
  await buyButton(page).click();
  await expect(page.getByText(BOUGHT)).toBeVisible();
  await expect(page.getByText('Your cart is empty...')).toBeVisible();
  expect(asked).toHaveLength(3);
  expect(new Set(asked.map((one) => JSON.stringify(one))).size).toBe(1);
  expect(await readBalance(account)).toBe('52000000');
});

test('when two people buy the last two items at once, one gets them and the other keeps cart and money', async ({
  member,
}) => {
  const people = [
    await member({ ath: 100, at: categoryAddress('glasses') }),
    await member({ ath: 100, at: categoryAddress('glasses') }),
  ];
  for (const { page } of people) await fillCart(page, 'The Imperfect Set', 2);
  // Dispatch an event instead of clicking: Playwright retries a click during a change of screens and then finds no
  // button. A key press needs the front window, and only one of the two windows can be in front.
  await Promise.all(people.map(({ page }) => buyButton(page).dispatchEvent('click')));
  const outcomes = await Promise.all(
    people.map(async ({ page, account }) => {
      const bought = page.getByText(BOUGHT);
      const soldOut = page.getByText('Something in your cart is sold out. Nothing was bought.');
      await expect(bought.or(soldOut)).toBeVisible();
      const hasBought = await bought.isVisible();
      await expect(cartLines(page)).toHaveCount(hasBought ? 0 : 1);
      if (!hasBought) await expect(page.getByText('Sold out. Remove it to go on.')).toBeVisible();
      return { hasBought, balance: await readBalance(account) };
    }),
  );
  expect(
    outcomes.toSorted((left, right) => Number(left.hasBought) - Number(right.hasBought)),
  ).toEqual([
    { hasBought: false, balance: '100000000' },
    { hasBought: true, balance: '10000000' },
  ]);
});

test('a cart survives a reload and is shared by tabs, for the account that filled it', async ({
  member,
}) => {
  const { page, context, account } = await member({ ath: 100, at: categoryAddress('drinks') });
  const quantity = page.getByRole('textbox', { name: 'Quantity' });
  await fillCart(page, 'House Pour', 1);
  await page.reload();
  await expect(quantity).toHaveValue('1');

  const tab = await context.newPage();
  await tab.goto('/app/cart');
  await tab.getByRole('button', { name: /^Increase/ }).click();
  await expect(quantity).toHaveValue('2');
  await tab.close();

  const openAs = async ({ token }: Account): Promise<void> => {
    await page.evaluate((jwt) => localStorage.setItem('jwt', jwt), token);
    await page.reload();
  };
  await openAs(await createAccount());
  await expect(page.getByText('Your cart is empty...')).toBeVisible();
  await openAs(account);
  await expect(quantity).toHaveValue('2');
});

test("[S2-104] a click anywhere on a line opens its offer, except on the line's own controls", async ({
  member,
}) => {
  const { page } = await member({ ath: 100, at: categoryAddress('drinks') });
  await fillCart(page, 'House Pour', 2);
  const line = cartLines(page).first();
  const box = await line.boundingBox();
  if (box === null) throw new Error('The line is not on the screen');
  const places = {
    picture: { x: 50, y: 50 },
    'top right corner': { x: box.width - 4, y: 4 },
    'beside the controls': { x: box.width - 20, y: box.height - 30 },
    'bottom edge': { x: box.width / 2, y: box.height - 4 },
  };
  for (const [name, position] of Object.entries(places)) {
    await test.step(name, async () => {
      await line.click({ position });
      await expect(page).toHaveURL(new RegExp(`/categories/${CATEGORIES.drinks}/offers/\\d+$`));
      await expect(page.getByRole('heading', { name: 'House Pour' })).toBeVisible();
      await page.goBack();
      await expect(page).toHaveURL('/app/cart');
    });
  }
  await line.getByRole('button', { name: /^Increase/ }).click();
  await expect(line.getByRole('textbox', { name: 'Quantity' })).toHaveValue('3');
  await line.getByRole('button', { name: /^Remove/ }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expect(page).toHaveURL('/app/cart');
});
