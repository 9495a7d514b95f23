import type { Page } from '@playwright/test';
import { balanceOf } from '../answers.ts';
import { problem, silence } from '../fake-api.ts';
import type { WireOffer } from '../samples/catalogue.ts';
import {
  cartLine,
  CATEGORY_PATH,
  HUGE,
  LONG,
  musicCategory,
  OFFERS,
  SOLD_OUT,
  TIP,
  VINYL,
} from '../samples/marketplace.ts';
import { FAKE_UUID } from '../session.ts';
import { press, see, seen, write } from '../steps/acts.ts';
import { statesOf, type ScreenState } from './screen-state.ts';

const WIDTHS = [390, 768, 1440];

const categoryScreen = statesOf(
  'category',
  { path: CATEGORY_PATH, answers: { category: () => musicCategory() } },
  {
    filled: { widths: WIDTHS, isWhole: true, reach: seen('Cellar jazz') },
    loading: {
      answers: { category: silence },
      reach: (page) => page.getByRole('status', { name: 'Loading offers' }).waitFor(),
    },
    empty: {
      answers: { category: () => musicCategory({ offers: [] }) },
      reach: seen('Nothing available in Live music'),
    },
    'search-without-match': {
      reach: async (page) => {
        await page.getByRole('searchbox').fill('opera');
        await see(page, 'Your search returned no results');
      },
    },
    failed: {
      answers: { category: () => problem('forbidden') },
      reach: seen('could not be loaded'),
    },
    unknown: {
      answers: { category: () => problem('not_found') },
      reach: seen('does not exist'),
    },
  },
);

const offered = (shown: WireOffer) => ({
  path: `${CATEGORY_PATH}/offers/${shown.id}`,
  answers: { offers: () => ({ offers: [shown] }) },
});

const enterTip = (amount: string) => async (page: Page) => {
  await write(page, 'Tip', amount);
  await press(page, 'Tip now');
  await page.getByRole('dialog', { name: 'Tip Details' }).waitFor();
};

const offerScreen = statesOf(
  'offer',
  { path: CATEGORY_PATH, answers: { category: () => musicCategory() } },
  {
    'on-sale': { ...offered(VINYL), isWhole: true, reach: seen('Add to cart') },
    'sold-out': { ...offered(SOLD_OUT), reach: seen('Sold out.') },
    'too-dear': { ...offered(HUGE), reach: seen('does not cover') },
    tip: { ...offered(TIP), reach: seen('Tip now') },
    'tip-details': { ...offered(TIP), reach: enterTip('2.5') },
    'tip-too-high': { ...offered(TIP), reach: enterTip('99999999') },
  },
);

const cartOf = (...items: readonly ReturnType<typeof cartLine>[]) => ({
  storage: { [`cart:${FAKE_UUID}`]: JSON.stringify({ items }) },
});

const buyAnd = (text: string) => async (page: Page) => {
  await press(page, 'Buy');
  await see(page, text);
};

const cartScreen = statesOf(
  'cart',
  { path: '/app/cart', answers: { offers: () => ({ offers: OFFERS }) } },
  {
    filled: { ...cartOf(cartLine(VINYL, 2)), widths: WIDTHS, reach: seen('Total') },
    empty: { ...cartOf(), reach: seen('Your cart is empty...') },
    'changed-meanwhile': {
      ...cartOf(cartLine(VINYL, 2, 1000), cartLine(SOLD_OUT, 1)),
      isWhole: true,
      reach: seen('The price was 10.00 ATH'),
    },
    'short-of-balance': {
      ...cartOf(cartLine(VINYL, 2)),
      answers: { balance: () => balanceOf('2500000') },
      reach: seen('Missing'),
    },
    bought: {
      ...cartOf(cartLine(VINYL, 2), cartLine(LONG, 1)),
      answers: {
        purchase: () => ({ purchase_id: 5, items: [], balance: '1209560000' }),
      },
      reach: buyAnd('3 items are yours'),
    },
    'huge-price': { ...cartOf(cartLine(HUGE, 99)), reach: seen('does not cover') },
    removing: {
      ...cartOf(cartLine(VINYL, 2)),
      reach: async (page) => {
        await press(page, 'Remove Vinyl night');
        await see(page, 'Remove this item from the cart?');
      },
    },
    purchasing: {
      ...cartOf(cartLine(VINYL, 1)),
      answers: { purchase: silence },
      reach: buyAnd('Purchasing'),
    },
    'sold-out-at-the-till': {
      ...cartOf(cartLine(VINYL, 1)),
      answers: { purchase: () => problem('sold_out') },
      reach: buyAnd('Nothing was bought'),
    },
  },
);

export const marketplaceStates: readonly ScreenState[] = [
  ...categoryScreen,
  ...offerScreen,
  ...cartScreen,
];
