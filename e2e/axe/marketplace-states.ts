import type { Page } from '@playwright/test';
import {
  CATEGORY,
  category,
  line,
  OFFERS,
  SOLD_OUT,
  TIP,
  VINYL,
  type Offer,
} from '../samples/marketplace.ts';
import type { Answers } from './fake-api.ts';
import { ME } from './sample-data.ts';
import type { State } from './state.ts';

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const see = (page: Page, text: string) => page.getByText(text).first().waitFor();

const categoryState = (
  name: State['name'],
  answer: Answers['category'],
  reach: (page: Page) => Promise<unknown>,
): State => ({ name, path: CATEGORY, answers: { ...(answer && { category: answer }) }, reach });

const offerState = (
  name: State['name'],
  shown: Offer,
  reach: (page: Page) => Promise<unknown>,
): State => ({
  name,
  path: `${CATEGORY}/offers/${shown.id}`,
  answers: { category: category(), offers: { offers: [shown] } },
  reach,
});

const cartState = (
  name: State['name'],
  lines: readonly ReturnType<typeof line>[],
  reach: (page: Page) => Promise<unknown>,
  answers: Answers = {},
): State => ({
  name,
  path: '/app/cart',
  answers: { offers: { offers: OFFERS }, ...answers },
  storage: { [`cart:${ME}`]: JSON.stringify({ items: lines }) },
  reach,
});

export const marketplaceStates: readonly State[] = [
  categoryState('marketplace/category', category(), (page) => see(page, 'Cellar jazz')),
  categoryState('marketplace/category-empty', category({ offers: [] }), (page) =>
    see(page, 'Nothing available in Live music'),
  ),
  categoryState('marketplace/category-no-match', category(), async (page) => {
    await page.getByRole('searchbox').fill('opera');
    await see(page, 'Your search returned no results');
  }),
  categoryState('marketplace/category-loading', 'silence', (page) =>
    page.getByRole('status', { name: 'Loading offers' }).waitFor(),
  ),
  categoryState('marketplace/category-failed', { problem: 'forbidden' }, (page) =>
    see(page, 'could not be loaded'),
  ),
  offerState('marketplace/offer', VINYL, (page) => see(page, 'Add to cart')),
  offerState('marketplace/offer-sold-out', SOLD_OUT, (page) => see(page, 'Sold out.')),
  offerState('marketplace/tip', TIP, (page) => see(page, 'Tip now')),
  offerState('marketplace/tip-details', TIP, async (page) => {
    await page.getByRole('textbox', { name: 'Tip', exact: true }).fill('2.5');
    await press(page, 'Tip now');
    await page.getByRole('dialog', { name: 'Tip Details' }).waitFor();
  }),
];

export const cartStates: readonly State[] = [
  cartState('cart/empty', [], (page) => see(page, 'Your cart is empty...')),
  cartState('cart/filled', [line(VINYL, 2)], (page) => see(page, 'Total')),
  cartState('cart/changed-meanwhile', [line(VINYL, 2, 1000), line(SOLD_OUT, 1)], (page) =>
    see(page, 'The price was 10.00 ATH'),
  ),
  cartState('cart/removing', [line(VINYL, 2)], async (page) => {
    await press(page, 'Remove Vinyl night');
    await see(page, 'Remove this item from the cart?');
  }),
  cartState(
    'cart/purchasing',
    [line(VINYL, 1)],
    async (page) => {
      await press(page, 'Buy');
      await see(page, 'Purchasing');
    },
    { purchase: 'silence' },
  ),
  cartState(
    'cart/refused',
    [line(VINYL, 1)],
    async (page) => {
      await press(page, 'Buy');
      await see(page, 'Nothing was bought');
    },
    { purchase: { problem: 'sold_out' } },
  ),
];
