import type { AnswerOf } from '@athos/contract/api';
import type { Page } from '@playwright/test';
import { press, see, write } from '../acts.ts';
import type { Answers } from '../answers.ts';
import { scenesOf } from '../scene.ts';
import type { Stage } from '../stage.ts';

type Category = AnswerOf<'category'>;
type Offer = AnswerOf<'offers'>['offers'][number];

const CATEGORY_WIDTHS = [390, 768, 1440];
const CATEGORY = '/app/marketplace/categories/7';

const offer = (id: number, title: string, fields: Partial<Offer> = {}): Offer => ({
  id,
  category_id: 7,
  title,
  note: '',
  img: '',
  amount_cents: 1250 * id,
  kind: 1,
  display_type: 'standard',
  active: true,
  picture: null,
  stock_left: null,
  sale_starts_at: null,
  sale_ends_at: null,
  user_count_max: null,
  tier_id_min: null,
  ...fields,
});

const NOTE = `Two nights of **records**, one of *live* sound.

## What you get

- one welcome drink
- a seat at the long table
- the [map of the hall](https://hall.example)

> Doors close at ten.`;

const VINYL = offer(1, '**Vinyl** night', { note: NOTE, user_count_max: 4 });
const SOLD_OUT = offer(3, 'Cellar jazz', { stock_left: 0 });
const TIP = offer(5, 'Tip the stage crew', { kind: 3 });
const HUGE = offer(6, 'The whole harbour, for one night', { amount_cents: 1_234_567_800 });

const OFFERS = [
  offer(2, 'Forest floor weekend', { display_type: 'banner', stock_left: 3 }),
  VINYL,
  SOLD_OUT,
  offer(4, 'Harbour weekend pass for two, with breakfast and a boat home', { display_type: 'wide' }),
  offer(7, 'Sunrise drive', { display_type: 'wide', sale_starts_at: '2099-01-01T00:00:00.000Z' }),
  TIP,
  HUGE,
];

const category = (fields: Partial<Category> = {}): Category => ({
  id: 7,
  parent_id: null,
  title: 'Live music',
  description: '',
  banner_url: '',
  position: 1,
  display_type: 'grid',
  picture: null,
  categories: [],
  offers: OFFERS,
  ...fields,
});

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

/** A line as the wallet keeps it. */
const line = (kept: Offer, count: number, priceWhenAdded = kept.amount_cents) => ({
  offer: {
    id: kept.id,
    categoryId: kept.category_id,
    title: kept.title,
    image: { sources: [], src: kept.img },
    price: kept.amount_cents,
    sale: {
      isActive: kept.active,
      stockLeft: kept.stock_left,
      saleStartsAtMs: null,
      saleEndsAtMs: null,
    },
    userCountMax: kept.user_count_max,
    tierIdMin: kept.tier_id_min,
  },
  count,
  priceWhenAdded,
});

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
