/** The API as the scanner sees it, with a venue, a purchase and its redemption. */
import type { AnswerOf } from '@athos/contract/api';
import {
  fakeTokenOf,
  installFakeApi,
  type FakeApi,
  type Handlers,
} from '@athos/client/test/fake-api';

export { networkFailure, problem, silence } from '@athos/client/test/fake-api';
export type FakeBackend = FakeApi;

export const STAFF_UUID = '0192bbbb-0000-7000-8000-000000000002';
export const NOW = new Date('2026-11-21T20:00:00Z');
export const staffToken = (uuid = STAFF_UUID, lifeSeconds?: number): string =>
  fakeTokenOf(uuid, lifeSeconds);

export const BAR = { id: 1, name: 'Harbour Bar', address: '1 Quay' };
export const HALL = { id: 2, name: 'Great Hall', address: '2 Square' };

type PurchaseScan = Extract<AnswerOf<'scannerScan'>, { kind: 'purchase' }>;
export type FakeItem = PurchaseScan['items'][number];

export const item = (id: number, more: Partial<FakeItem> = {}): FakeItem => ({
  id,
  state: 'redeemable',
  title: `Cold Brew ${id}`,
  img: '',
  picture: null,
  redeemed_at: null,
  redeemed_venue: null,
  ...more,
});

export const HOLDER = { short_uuid: '0192aaaa', member_since: '2026-03-01T00:00:00.000Z' };

export const purchaseOf = (...items: FakeItem[]): PurchaseScan => ({
  kind: 'purchase',
  holder: HOLDER,
  redeem_until: new Date(Date.now() + 100_000).toISOString(),
  items,
});

/** Each item redeemed, as when nothing stands against it. */
export function redeemedOf(...ids: number[]): AnswerOf<'scannerRedeem'> {
  return {
    redeemed_count: ids.length,
    results: ids.map((id) => {
      const { title, img, picture } = item(id);
      const redeemed_at = new Date().toISOString();
      const more = { redeemed_at, redeemed_venue: BAR.name };
      return { item_id: id, outcome: 'redeemed' as const, title, img, picture, ...more };
    }),
  };
}

const ANSWERS: Handlers = {
  login: () => ({ token: staffToken(), uuid: STAFF_UUID }),
  logout: () => ({ success: true }),
  refreshJwt: () => ({ token: staffToken(), uuid: STAFF_UUID }),
  scannerVenues: () => ({ venues: [BAR] }),
  scannerScan: () => purchaseOf(item(1), item(2)),
  scannerRedeem: ({ body }) => redeemedOf(...(body.item_ids ?? [])),
  scannerScans: () => ({ scans: [], counts: { scans: 0, redeemed_items: 0, refused: 0 } }),
};

/** Replaces `fetch` until `vi.unstubAllGlobals()`. */
export const installFakeBackend = (): FakeBackend => installFakeApi(ANSWERS);
