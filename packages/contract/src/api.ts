/** Routes with their schemas: the server validates with them, OpenAPI is generated from them, the client takes its types from them. */
import type { z } from 'zod';
import { routes, type Route, type RouteName } from './routes.ts';
import * as account from './schemas/account.ts';
import * as catalog from './schemas/catalog.ts';
import { catalogIdParam, historyIdParam, uuidParam } from './schemas/common.ts';
import { liveEvent } from './schemas/events.ts';
import * as history from './schemas/history.ts';
import * as payment from './schemas/payment.ts';
import * as purchase from './schemas/purchase.ts';
import * as reward from './schemas/reward.ts';
import * as scanner from './schemas/scanner.ts';

interface Endpoint extends Route {
  readonly summary: string;
  readonly body?: z.ZodType;
  readonly query?: z.ZodType;
  readonly params?: z.ZodType;
  readonly answer: z.ZodType;
  /** Set where the answer is a stream of server-sent events, each of which has the schema of `answer`. */
  readonly stream?: true;
}

export const api = {
  register: {
    ...routes.register,
    summary: 'Create an account and mail a verification link',
    body: account.registerBody,
    answer: account.acceptedAnswer,
  },
  verify: {
    ...routes.verify,
    summary: 'Open the account that a mailed link belongs to',
    body: account.verifyBody,
    answer: account.sessionAnswer,
  },
  login: {
    ...routes.login,
    summary: 'Sign in',
    body: account.loginBody,
    answer: account.sessionAnswer,
  },
  refreshJwt: {
    ...routes.refreshJwt,
    summary: 'Exchange a valid token for a fresh one',
    query: account.refreshQuery,
    answer: account.sessionAnswer,
  },
  logout: { ...routes.logout, summary: 'End this session', answer: account.acceptedAnswer },
  forgotPassword: {
    ...routes.forgotPassword,
    summary: 'Mail a link that resets the password',
    body: account.forgotPasswordBody,
    answer: account.acceptedAnswer,
  },
  resetPassword: {
    ...routes.resetPassword,
    summary: 'Set a new password with a mailed code',
    body: account.resetPasswordBody,
    answer: account.acceptedAnswer,
  },
  updatePassword: {
    ...routes.updatePassword,
    summary: 'Change the password, and end every other session',
    body: account.updatePasswordBody,
    answer: account.acceptedAnswer,
  },
  deleteAccount: {
    ...routes.deleteAccount,
    summary: 'Delete the account for ever, forfeiting its balance',
    body: account.deleteAccountBody,
    answer: account.acceptedAnswer,
  },
  balance: {
    ...routes.balance,
    summary: 'The balance in each asset',
    answer: account.balanceAnswer,
  },
  transfer: {
    ...routes.transfer,
    summary: 'Send to another user',
    body: account.transferBody,
    answer: account.transferAnswer,
  },
  tip: {
    ...routes.tip,
    summary: 'Tip through an offer',
    body: purchase.tipBody,
    answer: purchase.tipAnswer,
  },
  sign: {
    ...routes.sign,
    summary: 'Sign the payload of a QR code',
    body: account.signBody,
    answer: account.signAnswer,
  },
  events: {
    ...routes.events,
    summary: 'Live updates as server-sent events',
    answer: liveEvent,
    stream: true,
  },
  exchangeRate: {
    ...routes.exchangeRate,
    summary: 'US dollars per ATH',
    answer: payment.exchangeRateAnswer,
  },
  createPaymentIntent: {
    ...routes.createPaymentIntent,
    summary: 'Begin a card purchase of ATH',
    body: payment.paymentIntentBody,
    answer: payment.paymentIntentAnswer,
  },
  pendingPayments: {
    ...routes.pendingPayments,
    summary: 'Card purchases that are not final',
    answer: payment.pendingPaymentsAnswer,
  },
  paymentIntent: {
    ...routes.paymentIntent,
    summary: 'State of a card purchase',
    params: uuidParam,
    answer: payment.paymentStatusAnswer,
  },
  allHistory: {
    ...routes.allHistory,
    summary: 'Movements, newest first',
    query: history.historyQuery,
    answer: history.historyAnswer,
  },
  historyItem: {
    ...routes.historyItem,
    summary: 'One movement',
    params: historyIdParam,
    answer: history.historyItem,
  },
  tiers: { ...routes.tiers, summary: 'All tiers', answer: catalog.tiersAnswer },
  tier: { ...routes.tier, summary: 'One tier', params: catalogIdParam, answer: catalog.tier },
  categories: {
    ...routes.categories,
    summary: 'Top-level categories with their children and offers',
    answer: catalog.categoriesAnswer,
  },
  category: {
    ...routes.category,
    summary: 'One category with its children and offers',
    params: catalogIdParam,
    answer: catalog.category,
  },
  offers: {
    ...routes.offers,
    summary: 'Some offers, as they are now',
    query: catalog.offersQuery,
    answer: catalog.offersAnswer,
  },
  purchase: {
    ...routes.purchase,
    summary: 'Buy a cart',
    body: purchase.purchaseBody,
    answer: purchase.purchaseAnswer,
  },
  myPurchases: {
    ...routes.myPurchases,
    summary: 'What was bought, newest first',
    answer: purchase.myPurchasesAnswer,
  },
  redeemReward: {
    ...routes.redeemReward,
    summary: 'Redeem a reward code',
    params: reward.rewardCodeParam,
    answer: reward.redeemAnswer,
  },
  scannerVenues: {
    ...routes.scannerVenues,
    summary: 'The venues that the caller is staff of',
    answer: scanner.venuesAnswer,
  },
  scannerScan: {
    ...routes.scannerScan,
    summary: 'Show what a code holds; changes nothing',
    body: scanner.scanBody,
    answer: scanner.scanAnswer,
  },
  scannerRedeem: {
    ...routes.scannerRedeem,
    summary: 'Redeem the items of a code',
    body: scanner.redeemBody,
    answer: scanner.redeemAnswer,
  },
  scannerScans: {
    ...routes.scannerScans,
    summary: 'The last scans of the caller and the counts of the day',
    query: scanner.scansQuery,
    answer: scanner.scansAnswer,
  },
  jwks: {
    ...routes.jwks,
    summary: 'Public keys of tokens and QR codes',
    answer: account.jwksAnswer,
  },
} as const satisfies Record<RouteName, Endpoint>;

type Api = typeof api;
type InputOf<Name extends RouteName, Part extends string> =
  Api[Name] extends Record<Part, infer Schema>
    ? Schema extends z.ZodType
      ? z.input<Schema>
      : undefined
    : undefined;

export type BodyOf<Name extends RouteName> = InputOf<Name, 'body'>;
export type QueryOf<Name extends RouteName> = InputOf<Name, 'query'>;
export type ParamsOf<Name extends RouteName> = InputOf<Name, 'params'>;
export type AnswerOf<Name extends RouteName> = z.output<Api[Name]['answer']>;
