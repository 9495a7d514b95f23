/** The API as the wallet sees it, with an answer for every call of an account in which nothing has happened. */
import {
  fakeTokenOf,
  installFakeApi,
  type FakeApi,
  type Handlers,
} from '@athos/client/test/fake-api';

export { networkFailure, problem, silence } from '@athos/client/test/fake-api';
export type FakeBackend = FakeApi;

export const FAKE_UUID = '0192aaaa-0000-7000-8000-000000000001';
export const fakeToken = (uuid = FAKE_UUID, lifeSeconds?: number): string =>
  fakeTokenOf(uuid, lifeSeconds);

const BALANCES = { ATH: '1234567890', ATH2: '5000000', ATH3: '0' };

const ANSWERS: Handlers = {
  refreshJwt: () => ({ token: fakeToken(), uuid: FAKE_UUID }),
  login: () => ({ token: fakeToken(), uuid: FAKE_UUID }),
  verify: () => ({ token: fakeToken(), uuid: FAKE_UUID }),
  register: () => ({ success: true }),
  logout: () => ({ success: true }),
  forgotPassword: () => ({ success: true }),
  resetPassword: () => ({ success: true }),
  updatePassword: () => ({ success: true }),
  deleteAccount: () => ({ success: true }),
  balance: () => ({ balance: BALANCES.ATH, balances: BALANCES }),
  exchangeRate: () => ({ exchange_rate: 0.1683 }),
  tiers: () => ({ tiers: [] }),
  categories: () => ({ categories: [] }),
  offers: () => ({ offers: [] }),
  myPurchases: () => ({ purchases: [] }),
  pendingPayments: () => ({ pending: [] }),
  allHistory: () => ({ history: [], next_cursor: null }),
  sign: () => ({ signature: 'signed-by-the-server' }),
  transfer: () => ({ id: 7, balance: BALANCES.ATH }),
  events: () => new Response(new ReadableStream({}), { status: 200 }),
};

/** Replaces `fetch` until `vi.unstubAllGlobals()`. */
export const installFakeBackend = (): FakeBackend => installFakeApi(ANSWERS);
