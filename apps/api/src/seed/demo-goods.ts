import { brand } from '@athos/brand/brand';
import { OFFER_KINDS } from '@athos/contract/wallet/catalogue';
import type { OfferDrafts } from './offer-draft.ts';

const { Product, Event, Discount, Tip } = OFFER_KINDS;

/** Drinks, clothes, food, savings and tips. */
export const demoGoods: OfferDrafts = {
  1: [
    [
      'tasting-box',
      'The Tasting Box',
      Product,
      72,
      'Six bottles, one of each. **Collect it at any venue** within 30 days.',
      { displayType: 'wide' },
    ],
    [
      'house-pour',
      'House Pour',
      Product,
      24,
      `Whatever ${brand.name} the bar has open tonight, in a proper glass.`,
    ],
    [
      'winter-batch',
      'Winter Batch No. 9',
      Product,
      38,
      'Bottled once a year, when the cellar is cold enough. Five are left, and nobody will say where the others went.',
      { stockLeft: 5 },
    ],
    [
      'bottle-a-month',
      'A Bottle a Month',
      Product,
      190,
      'Twelve bottles, one on the first of each month.\n\n- You do not choose\n- You will not mind',
      { userCountMax: 1 },
    ],
  ],
  4: [
    [
      'two-for-one',
      'Two for One',
      Discount,
      12,
      'One drink paid, two poured. Sunday to Wednesday.',
      { displayType: 'wide' },
    ],
    ['half-price-hall', 'Hall Tickets at Half', Discount, 30, 'For any concert with seats left.'],
    ['ten-off-gear', 'Ten Percent off Gear', Discount, 18, 'Show the code at the counter.'],
    [
      'second-ticket',
      'The Second Ticket',
      Discount,
      45,
      'Somebody comes along. At most three times a member: we know how friendships work.',
      { userCountMax: 3 },
    ],
    [
      'refill-card',
      'Refill, Once',
      Discount,
      9,
      'The same glass again. Harbour Bar only, because they thought of it.',
      { venue: 0 },
    ],
  ],
  5: [
    [
      'steel-flask',
      'Steel Flask',
      Product,
      140,
      'Half a litre. Keeps cold for a day.',
      { displayType: 'wide' },
    ],
    ['tumbler-pair', 'Pair of Tumblers', Product, 110, 'Hand-blown, so no two are alike.'],
    [
      'heavy-tee',
      'Heavy Tee',
      Product,
      160,
      'Organic cotton, 240 g. Sizes S to XXL at the counter.',
    ],
    [
      'big-umbrella',
      'The Big Umbrella',
      Product,
      125,
      'Two people and a guitar stay dry. Three left in the rack.',
      { stockLeft: 3 },
    ],
    ['market-bag', 'Market Bag', Product, 48, 'Carries six bottles, or one opinion about cotton.'],
  ],
  6: [
    ['bar-crew', 'The Bar', Tip, 0, 'Goes to whoever is on tonight, shared evenly.'],
    ['stage-crew', 'The Stage', Tip, 0, 'Sound, light and everybody who carries things.'],
    ['pit-crew', 'The Pit', Tip, 0, 'For clean hands at the end of a long day.'],
    [
      'kitchen-crew',
      'The Kitchen',
      Tip,
      0,
      'Ben cooks. It goes to Ben, who says he shares it.',
      { displayType: 'wide', beneficiary: 1 },
    ],
    [
      'door-crew',
      'The Door',
      Tip,
      0,
      'Remembers every face and forgets every story.',
      { beneficiary: 1 },
    ],
  ],
  7: [
    ['cold-brew-classic', 'Classic', Product, 21, 'Dark chocolate and a little smoke.'],
    ['cold-brew-orange', 'With Orange', Product, 23, 'The peel, not the juice.'],
    ['cold-brew-nitro', 'On Nitrogen', Product, 26, 'Falls upwards. Worth watching for a minute.'],
  ],
  8: [
    ['sparkling-bitter', 'Bitter Lemon', Product, 18, 'Dry. For people who finish the slice.'],
    ['sparkling-rose', 'Rose and Pepper', Product, 19, 'Smells of a garden, bites like a spice.'],
    ['sparkling-tonic', 'Night Tonic', Product, 17, 'Glows a little under the right lamp.'],
    [
      'sparkling-quince',
      'Quince, First Press',
      Product,
      28,
      'One tree. It did what it could, and it is gone until next autumn.',
      { stockLeft: 0 },
    ],
  ],
  11: [
    [
      'kitchen-counter',
      'Six Seats at the Counter',
      Event,
      150,
      'Seven small plates, and the person who cooks them talks to you.\n\n1. Say what you do not eat\n2. Come hungry',
      { displayType: 'banner', stockLeft: 4 },
    ],
    ['sunday-broth', 'Sunday Broth', Product, 16, 'It has been on since Friday. From noon.'],
    [
      'picnic-hamper',
      'Hamper for Two',
      Product,
      85,
      'Bread, cheese, two bottles and a corkscrew that you give back.',
    ],
    [
      'two-plates',
      'The Second Plate at Half',
      Discount,
      14,
      'Monday to Thursday. The cheaper one, as always.',
    ],
  ],
  12: [
    ['decanter', 'Cut Decanter', Product, 230, 'Heavy enough to stay where you put it.'],
    [
      'highball-four',
      'Four Highballs',
      Product,
      165,
      'Tall, thin, and yes, the dishwasher is fine.',
    ],
    [
      'imperfect-set',
      'The Imperfect Set',
      Product,
      45,
      'Three glasses that never met before. One has a line in it. *Two sets are left.*',
      { stockLeft: 2 },
    ],
  ],
};
