/** What staff's scanner is told: venues, codes and outcomes, also those that a demo shows rarely. */
import type { AnswerOf } from '@athos/contract/api';

type PurchaseScan = Extract<AnswerOf<'scannerScan'>, { kind: 'purchase' }>;
type Item = PurchaseScan['items'][number];
type Result = AnswerOf<'scannerRedeem'>['results'][number];

const STAFF = '0192f3a1-4a10-7c22-9b31-3c5d7e9f1a23';
/** As long as anything here is looked at. */
const LIFE_SECONDS = 86_400;

const part = (claims: object): string => Buffer.from(JSON.stringify(claims)).toString('base64url');
/** A token in shape only: a browser reads its claims and cannot check its signature. */
function staffToken(): string {
  const iat = Math.floor(Date.now() / 1000);
  return `${part({ alg: 'EdDSA' })}.${part({ sub: STAFF, iat, exp: iat + LIFE_SECONDS })}.c2ln`;
}

export const SESSION: AnswerOf<'refreshJwt'> = { token: staffToken(), uuid: STAFF };
/** What a signed-in device keeps. */
export const STAFF_STORAGE = { 'scanner-jwt': SESSION.token };

export const BAR = { id: 1, name: 'Harbour Bar', address: '1 Quay, Old Harbour' };
export const VENUES: AnswerOf<'scannerVenues'> = {
  venues: [
    BAR,
    {
      id: 2,
      name: 'The Great Hall of the Old Spice Exchange',
      address: '240 Square of the Constitution, third gate',
    },
    { id: 3, name: 'Pit Lane', address: '9 Ring Road' },
  ],
};

/** Not among the demo's, so that no picture comes from elsewhere. */
const item = (id: number, title: string, more: Partial<Item> = {}): Item => ({
  id,
  state: 'redeemable',
  title,
  img: '',
  picture: null,
  redeemed_at: null,
  redeemed_venue: null,
  ...more,
});

const before = { redeemed_at: '2026-11-19T21:14:00.000Z', redeemed_venue: 'Pit Lane' };
const holder = { short_uuid: '0192f3a1', member_since: '2026-03-01T00:00:00.000Z' };
const LONG_TITLE = 'A supercar morning with a *professional* driver, breakfast and a picture of it';

const codeOf = (items: Item[]): PurchaseScan => ({
  kind: 'purchase',
  holder,
  // From when it is answered, not from when the states were listed.
  get redeem_until() {
    return new Date(Date.now() + 95_000).toISOString();
  },
  items,
});

/** Some to redeem, and one for each reason why not. */
export const mixedCode = (): PurchaseScan =>
  codeOf([
    item(1, '**Amber Fizz**, case of 12'),
    item(2, LONG_TITLE),
    item(3, 'Rooftop Session', { state: 'already_redeemed', ...before }),
    item(4, 'Half price at the bar', { state: 'wrong_venue' }),
    item(5, 'Late show', { state: 'inactive' }),
    item(6, '', { state: 'not_found' }),
  ]);
/** As many as a code holds. */
export const fortyCode = (): PurchaseScan =>
  codeOf(Array.from({ length: 40 }, (_, index) => item(index + 1, 'Rooftop Session')));
export const usedCode = (): PurchaseScan =>
  codeOf([1, 2].map((id) => item(id, 'Rooftop Session', { state: 'already_redeemed', ...before })));

const result = (item_id: number, title: string, more: Partial<Result> = {}): Result => ({
  item_id,
  outcome: 'redeemed',
  title,
  img: '',
  picture: null,
  redeemed_at: '2026-11-21T20:31:00.000Z',
  redeemed_venue: BAR.name,
  ...more,
});
const DONE = result(1, '**Amber Fizz**, case of 12');
const MISSED = result(2, LONG_TITLE, { outcome: 'already_redeemed', ...before });

export const allRedeemed: AnswerOf<'scannerRedeem'> = {
  redeemed_count: 2,
  results: [DONE, result(2, LONG_TITLE)],
};
export const partlyRedeemed: AnswerOf<'scannerRedeem'> = {
  redeemed_count: 1,
  results: [DONE, MISSED],
};
export const noneRedeemed: AnswerOf<'scannerRedeem'> = {
  redeemed_count: 0,
  results: [{ ...DONE, outcome: 'inactive', redeemed_at: null, redeemed_venue: null }, MISSED],
};

const tier = { id: 3, title: 'Gold', amount: '5000000000', color: '#d9a520', note: '' };
export const tierScan: AnswerOf<'scannerScan'> = { kind: 'tier', holder, tier };
export const noTierScan: AnswerOf<'scannerScan'> = { kind: 'tier', holder, tier: null };

export const TODAY: AnswerOf<'scannerScans'> = {
  scans: [],
  counts: { scans: 1284, redeemed_items: 3071, refused: 42 },
};

/** The device's own list of what was scanned last. */
export const recentScans = (): Record<string, string> => ({
  [`scanner-recent:${STAFF}`]: JSON.stringify(
    [
      { outcome: 'redeemed', redeemedCount: 2, titles: ['Amber Fizz, case of 12', LONG_TITLE] },
      { outcome: 'refused', code: 'code_expired', titles: [] },
      { outcome: 'looked', titles: ['Rooftop Session'] },
      { outcome: 'tier', titles: ['Gold'] },
      { outcome: 'unknown', titles: ['Rooftop Session'] },
    ].map((scan, index) => ({
      id: String(index),
      atMs: Date.now() - index * 400_000,
      venueName: BAR.name,
      redeemedCount: 0,
      ...scan,
    })),
  ),
});
