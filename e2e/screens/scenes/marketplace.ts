import type { Page } from '@playwright/test';
import {
  CATEGORY,
  category,
  HUGE,
  line,
  OFFERS,
  SOLD_OUT,
  TIP,
  VINYL,
  type Offer,
} from '../../samples/marketplace.ts';
import { press, see, write } from '../acts.ts';
import type { Answers } from '../answers.ts';
import { scenesOf } from '../scene.ts';
import type { Stage } from '../stage.ts';

const CATEGORY_WIDTHS = [390, 768, 1440];

const openOffer = (stage: Stage, shown: Offer): Promise<Page> =>
  stage.member(`${CATEGORY}/offers/${shown.id}`, {
    answers: { category: category(), offers: { offers: [shown] } },
  });

async function openTip(stage: Stage, amount: string): Promise<Page> {
  const page = await openOffer(stage, TIP);
  await write(page, 'Tip', amount);
  await press(page, 'Tip now');
  return see(page, 'Tip Details');
}

async function openCart(
  stage: Stage,
  lines: readonly ReturnType<typeof line>[],
  answers: Answers = {},
): Promise<Page> {
  const who = await stage.account('filled');
  const { uuid } = who;
  return stage.member('/app/cart', {
    who,
    answers: { offers: { offers: OFFERS }, ...answers },
    localStorage: { [`cart:${uuid}`]: JSON.stringify({ items: lines }) },
  });
}

export const marketplaceScenes = [
  ...scenesOf('category', {
    demo: {
      widths: CATEGORY_WIDTHS,
      isWhole: true,
      show: async (stage) => {
        const page = await stage.member('/app');
        await page.getByRole('region', { name: 'Marketplace' }).getByRole('link').first().click();
        await page.getByRole('searchbox').waitFor();
        await page.getByRole('heading', { level: 3 }).first().waitFor();
        return page;
      },
    },
    mixed: {
      widths: CATEGORY_WIDTHS,
      isWhole: true,
      show: async (stage) =>
        see(await stage.member(CATEGORY, { answers: { category: category() } }), 'Cellar jazz'),
    },
    loading: async (stage) => {
      const page = await stage.member(CATEGORY, { answers: { category: 'never' } });
      await page.getByRole('status', { name: 'Loading offers' }).waitFor();
      return page;
    },
    empty: async (stage) =>
      see(
        await stage.member(CATEGORY, { answers: { category: category({ offers: [] }) } }),
        'Nothing available in Live music',
      ),
    'search without match': async (stage) => {
      const page = await stage.member(CATEGORY, { answers: { category: category() } });
      await page.getByRole('searchbox').fill('opera');
      return see(page, 'Your search returned no results');
    },
    failed: async (stage) =>
      see(
        await stage.member(CATEGORY, { answers: { category: { problem: 'internal_error' } } }),
        'could not be loaded',
      ),
    unknown: async (stage) =>
      see(
        await stage.member(CATEGORY, { answers: { category: { problem: 'not_found' } } }),
        'does not exist',
      ),
  }),
  ...scenesOf('offer', {
    'on sale': {
      isWhole: true,
      show: async (stage) => see(await openOffer(stage, VINYL), 'Add to cart'),
    },
    'sold out': async (stage) => see(await openOffer(stage, SOLD_OUT), 'Sold out.'),
    'too dear': async (stage) => see(await openOffer(stage, HUGE), 'does not cover'),
    tip: async (stage) => see(await openOffer(stage, TIP), 'Tip now'),
    'tip details': async (stage) => openTip(stage, '2.5'),
    'tip too high': async (stage) => openTip(stage, '99999999'),
  }),
  ...scenesOf('cart', {
    empty: async (stage) => see(await openCart(stage, []), 'Your cart is empty...'),
    filled: {
      widths: CATEGORY_WIDTHS,
      show: async (stage) => see(await openCart(stage, [line(VINYL, 2)]), 'Total'),
    },
    'changed meanwhile': {
      isWhole: true,
      show: async (stage) =>
        see(
          await openCart(stage, [line(VINYL, 2, 1000), line(SOLD_OUT, 1)]),
          'The price was 10.00 ATH',
        ),
    },
    'huge price': async (stage) => see(await openCart(stage, [line(HUGE, 99)]), 'does not cover'),
    removing: async (stage) => {
      const page = await openCart(stage, [line(VINYL, 2)]);
      await press(page, 'Remove Vinyl night');
      return see(page, 'Remove this item from the cart?');
    },
    purchasing: async (stage) => {
      const page = await openCart(stage, [line(VINYL, 1)], { purchase: 'never' });
      await press(page, 'Buy');
      return see(page, 'Purchasing');
    },
    'sold out at the till': async (stage) => {
      const page = await openCart(stage, [line(VINYL, 1)], { purchase: { problem: 'sold_out' } });
      await press(page, 'Buy');
      return see(page, 'Nothing was bought');
    },
  }),
];
