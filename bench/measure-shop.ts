/** Measures the shop: catalogue, purchase, scan and redemption. */
import type { LoadRequest, LoadUser } from './load-plan.ts';
import { Loads, type NamedLoad } from './loads.ts';
import type { BenchUser } from './population.ts';
import { BARE_SIGNED_IN_PATH, SIGNING_SEED, startApi } from './programs.ts';
import type { MeasuredRatio } from './report.ts';
import { say, shuffled, type Round, type Samples } from './samples.ts';
import type { BenchScale } from './scale.ts';
import { fillShop, type Shop } from './shop.sql.ts';
import type { Workbench } from './workbench.ts';

/** More than the API caches, so reading them in turn always misses the cache. */
const CATEGORIES = 1_000;
const OFFERS_PER_CATEGORY = 20;
const OFFERS_PER_PURCHASE = 3;
const STAFF = 20;
const SCANS_PER_SECOND = 100;
const REDEEMED_PURCHASES = 10_000;
const ITEMS_PER_CODE = 3;
/** Measures longer than usual: at this rate 5 s are 500 requests, whose p99 would depend on the five slowest. */
const PACED_FACTOR = 3;

interface ShopBench {
  readonly bench: Workbench;
  readonly samples: Samples;
  readonly scale: BenchScale;
  readonly users: readonly BenchUser[];
  readonly senders: readonly LoadUser[];
}

export interface PreparedShop extends ShopBench {
  readonly shop: Shop;
  /** ETag of the first category's page. */
  readonly etag: string;
}

const pageOf = (categoryId: number): string => `/api/categories/${categoryId}`;

/** Fills the database `shop`. The last users with a session become staff. */
export async function prepareShop(given: ShopBench): Promise<PreparedShop> {
  const { bench, scale, users, senders } = given;
  say('shop');
  await bench.copy('prepared', 'shop');
  const visitMs = scale.warmUpMs + PACED_FACTOR * scale.measureMs;
  const shop = await fillShop(bench.databaseUrl('shop'), {
    categoryCount: CATEGORIES,
    offersPerCategory: OFFERS_PER_CATEGORY,
    staffUserIds: users.slice(senders.length - STAFF, senders.length).map(({ userId }) => userId),
    holderUserIds: users.slice(0, senders.length - STAFF).map(({ userId }) => userId),
    // Twice what the rate needs, because requests continue until the load has stopped.
    purchaseCount: Math.ceil((2 * SCANS_PER_SECOND * visitMs) / 1000),
    redeemedPurchaseCount: REDEEMED_PURCHASES,
    itemsPerPurchase: ITEMS_PER_CODE,
  });
  const api = await startApi('measured', bench.databaseUrl('shop'));
  try {
    const answer = await fetch(api.url + pageOf(1));
    return { ...given, shop, etag: answer.headers.get('etag') ?? '' };
  } finally {
    await api.stop();
  }
}

export function shopRound(prepared: PreparedShop): Round {
  const { bench, samples, scale, shop, etag, senders } = prepared;
  const buyers = senders.slice(0, -STAFF);
  const get = (paths: readonly string[], ifNoneMatch?: string): LoadRequest => ({
    kind: 'get',
    paths,
    callers: buyers,
    ...(ifNoneMatch === undefined ? {} : { ifNoneMatch }),
  });
  const catalogue: readonly NamedLoad[] = [
    ['catalogue bare reads', { request: get(['/healthz']) }],
    ['catalogue pages', { request: get([pageOf(1)]) }],
    ['catalogue pages not modified', { request: get([pageOf(1)], etag), expectedStatus: 304 }],
    ['catalogue pages from the database', { request: get(shop.categoryIds.map(pageOf)) }],
  ];
  const purchaseOf = (offerIds: readonly number[]): LoadRequest => ({
    kind: 'purchase',
    buyers,
    offerIds: offerIds.slice(0, OFFERS_PER_PURCHASE),
  });
  const sellers: readonly NamedLoad[] = [
    ['purchases at the shop', { request: purchaseOf(shop.offerIds) }],
    ['purchases at a merchant', { request: purchaseOf(shop.merchantOfferIds) }],
  ];
  const redeem: LoadRequest = {
    kind: 'redeem',
    staff: senders.slice(-STAFF),
    visits: shop.visits,
    signingSeed: SIGNING_SEED,
  };
  const pace = { perSecond: SCANS_PER_SECOND, measureMs: PACED_FACTOR * scale.measureMs };
  const paced: readonly NamedLoad[] = [
    [
      'signed-in bare reads at the same pace',
      { request: get([`/api${BARE_SIGNED_IN_PATH}`]), ...pace },
    ],
    ['scans and redemptions', { request: redeem, ...pace }],
  ];
  const loads = new Loads(bench, samples, scale);
  const place = { database: 'shop', program: 'measured' } as const;
  return {
    besideTpcB: [
      () => loads.onCopy(place, [['purchases', { request: purchaseOf(shop.offerIds) }]]),
    ],
    others: [
      [() => loads.onCopy(place, shuffled(catalogue))],
      [() => loads.onCopy(place, shuffled(paced))],
      [() => loads.onCopy(place, shuffled(sellers))],
    ],
  };
}

export const shopRatios = ({ samples }: ShopBench): MeasuredRatio[] => [
  {
    name: 'catalogue page /s, from cache (304) ÷ bare route',
    must: 0.6,
    aim: 0.6,
    sense: 'atLeast',
    rounds: samples.ratios('catalogue pages not modified per s', 'catalogue bare reads per s'),
  },
  {
    name: 'catalogue page /s, whole ÷ bare route',
    must: 0.3,
    aim: 0.6,
    sense: 'atLeast',
    rounds: samples.ratios('catalogue pages per s', 'catalogue bare reads per s'),
  },
  {
    name: 'POST purchase of 3 offers /s ÷ pgbench TPC-B tps',
    must: 0.3,
    aim: 1,
    sense: 'atLeast',
    rounds: samples.ratios('purchases per s', 'TPC-B tps'),
  },
  {
    name: 'POST purchase at a merchant /s ÷ at the shop',
    must: 0.8,
    aim: 0.95,
    sense: 'atLeast',
    rounds: samples.ratios('purchases at a merchant per s', 'purchases at the shop per s'),
  },
  {
    name: `p99 of scan + redeem at ${SCANS_PER_SECOND}/s ÷ signed-in bare route`,
    must: 10,
    aim: 10,
    sense: 'atMost',
    rounds: samples.ratios(
      'scans and redemptions p99 ms',
      'signed-in bare reads at the same pace p99 ms',
    ),
  },
];
