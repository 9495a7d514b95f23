/** Browsing and buying, by role and label. */
import { expect, type Page } from '@playwright/test';

/** Ids in the demo catalogue, which are never reused. */
export const CATEGORIES = { drinks: 1, tips: 6, glasses: 12 } as const;

export const categoryAddress = (category: keyof typeof CATEGORIES): string =>
  `/app/marketplace/categories/${CATEGORIES[category]}`;

/** Opens an offer from its category, adds `count` of it to the cart and opens the cart. */
export async function fillCart(page: Page, title: string, count: number): Promise<void> {
  await page.getByRole('link', { name: title }).first().click();
  await expect(page.getByRole('heading', { name: title })).toBeVisible();
  await page.getByRole('textbox', { name: 'Quantity' }).fill(String(count));
  await page.getByRole('button', { name: 'Add to cart' }).click();
  await expect(page.getByText(`Added ${count} item(s) to cart!`)).toBeVisible();
  await page.getByRole('navigation').getByRole('link', { name: /Cart/ }).click();
  await expect(page.getByRole('heading', { name: 'Your Cart' })).toBeVisible();
}

export const buyButton = (page: Page) => page.getByRole('button', { name: 'Buy', exact: true });

export const cartLines = (page: Page) =>
  page.getByRole('list', { name: 'Items in your cart' }).getByRole('listitem');
