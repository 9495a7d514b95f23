/** The API's default responses: to a holder with no activity yet, and to staff of a single venue. */
import type { AnswerOf } from '@athos/contract/api';
import type { Handlers } from './fake-api.ts';
import { BAR, purchaseScan, redemptionOf, scannedItem } from './samples/scanner.ts';
import { FAKE_UUID, fakeToken, STAFF_UUID } from './session.ts';

const BALANCES = { ATH: '1234567890', ATH2: '5000000', ATH3: '0' };

/** A balance response: micro-units of ATH, and of each of the other assets. */
export const balanceOf = (ath: string, other?: string): AnswerOf<'balance'> => ({
  balance: ath,
  balances: {
    ATH: ath,
    ATH2: other ?? BALANCES.ATH2,
    ATH3: other ?? BALANCES.ATH3,
  },
});

export const walletAnswers: Handlers = {
  refreshJwt: () => ({ token: fakeToken(), uuid: FAKE_UUID }),
  login: () => ({ token: fakeToken(), uuid: FAKE_UUID }),
  verify: () => ({ token: fakeToken(), uuid: FAKE_UUID }),
  register: () => ({ success: true }),
  logout: () => ({ success: true }),
  forgotPassword: () => ({ success: true }),
  resetPassword: () => ({ success: true }),
  updatePassword: () => ({ success: true }),
  deleteAccount: () => ({ success: true }),
  profile: () => ({ uuid: FAKE_UUID, email: 'ada@example.com' }),
  balance: () => balanceOf(BALANCES.ATH),
  exchangeRate: () => ({ exchange_rate: 0.1683 }),
  programme: () => ({ stopped: [] }),
  tiers: () => ({ tiers: [] }),
  categories: () => ({ categories: [] }),
  offers: () => ({ offers: [] }),
  myPurchases: () => ({ purchases: [] }),
  pendingPayments: () => ({ pending: [] }),
  allHistory: () => ({ history: [], next_cursor: null }),
  sign: () => ({ signature: 'signed-by-the-server' }),
  recipient: ({ body }) => ({ exists: true, uuid: body.text }),
  transfer: () => ({ id: 7, balance: BALANCES.ATH }),
  events: () => new Response(new ReadableStream({}), { status: 200 }),
};

export const scannerAnswers: Handlers = {
  login: () => ({ token: fakeToken(STAFF_UUID), uuid: STAFF_UUID }),
  logout: () => ({ success: true }),
  refreshJwt: () => ({ token: fakeToken(STAFF_UUID), uuid: STAFF_UUID }),
  scannerVenues: () => ({ venues: [BAR] }),
  scannerScan: () => purchaseScan(scannedItem(1), scannedItem(2)),
  scannerRedeem: ({ body }) => redemptionOf(...(body.item_ids ?? [])),
  scannerScans: () => ({ scans: [], counts: { scans: 0, redeemed_items: 0, refused: 0 } }),
};
