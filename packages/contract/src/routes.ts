/**
 * The address of every call: the only place where a path of the API is spelled. Without zod, so that the browser may
 * import it at run time; `api.ts` adds the schemas. Paths are below `/api` (spec 7); `:id` marks a parameter.
 */

type Method = 'GET' | 'POST' | 'PUT';
/** `user`: a valid session is required. `scanner`: one of staff. `anyone`: none is, and none is read. */
type Auth = 'anyone' | 'user' | 'scanner';

export interface Route {
  readonly method: Method;
  readonly path: `/${string}`;
  readonly auth: Auth;
  /** Takes an Idempotency-Key header: the call moves value, or a repeat would be refused (decisions "API"). */
  readonly keyed?: true;
}

export const API_PREFIX = '/api';

export const routes = {
  register: { method: 'POST', path: '/account/register', auth: 'anyone' },
  verify: { method: 'POST', path: '/account/verify', auth: 'anyone' },
  login: { method: 'POST', path: '/account/login', auth: 'anyone' },
  refreshJwt: { method: 'GET', path: '/account/refresh_jwt', auth: 'anyone' },
  logout: { method: 'POST', path: '/account/logout', auth: 'user' },
  forgotPassword: { method: 'POST', path: '/account/forgot_password', auth: 'anyone' },
  resetPassword: { method: 'POST', path: '/account/reset_password', auth: 'anyone' },
  updatePassword: {
    method: 'PUT',
    path: '/account/update_password',
    auth: 'user',
    keyed: true,
  },
  deleteAccount: { method: 'POST', path: '/account/delete', auth: 'user', keyed: true },
  balance: { method: 'GET', path: '/account/balance', auth: 'user' },
  transfer: { method: 'POST', path: '/account/transfer', auth: 'user', keyed: true },
  tip: { method: 'POST', path: '/account/tip', auth: 'user', keyed: true },
  sign: { method: 'POST', path: '/account/sign', auth: 'user' },
  events: { method: 'GET', path: '/account/events', auth: 'user' },
  exchangeRate: { method: 'GET', path: '/exchange_rate', auth: 'anyone' },
  createPaymentIntent: { method: 'POST', path: '/payment_intent', auth: 'user', keyed: true },
  pendingPayments: { method: 'GET', path: '/payment_intent', auth: 'user' },
  paymentIntent: { method: 'GET', path: '/payment_intent/:id', auth: 'user' },
  allHistory: { method: 'GET', path: '/all_history', auth: 'user' },
  historyItem: { method: 'GET', path: '/all_history/:id', auth: 'user' },
  tiers: { method: 'GET', path: '/tiers', auth: 'anyone' },
  tier: { method: 'GET', path: '/tiers/:id', auth: 'anyone' },
  categories: { method: 'GET', path: '/categories', auth: 'anyone' },
  category: { method: 'GET', path: '/categories/:id', auth: 'anyone' },
  offers: { method: 'GET', path: '/offers', auth: 'anyone' },
  purchase: { method: 'POST', path: '/purchase', auth: 'user', keyed: true },
  myPurchases: { method: 'GET', path: '/my_purchases', auth: 'user' },
  redeemReward: { method: 'POST', path: '/reward/:id/redeem', auth: 'user', keyed: true },
  scannerVenues: { method: 'GET', path: '/scanner/venues', auth: 'scanner' },
  scannerScan: { method: 'POST', path: '/scanner/scan', auth: 'scanner' },
  scannerRedeem: { method: 'POST', path: '/scanner/redeem', auth: 'scanner', keyed: true },
  scannerScans: { method: 'GET', path: '/scanner/scans', auth: 'scanner' },
  jwks: { method: 'GET', path: '/.well-known/jwks.json', auth: 'anyone' },
} as const satisfies Record<string, Route>;

export type RouteName = keyof typeof routes;
