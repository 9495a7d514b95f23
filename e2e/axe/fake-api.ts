/** The API as a page sees it, answered here: for states that the real one reaches rarely, or late, or by accident. */
import { basename, join } from 'node:path';
import { api, type CallName, type AnswerOf } from '@athos/contract/api';
import { ERRORS, type ErrorCode } from '@athos/contract/errors';
import { API_PREFIX } from '@athos/contract/call';
import type { BrowserContext, Route } from '@playwright/test';
import { categories, history, tiers, ME, TOKEN } from './sample-data.ts';

type Answer<Name extends CallName> =
  | AnswerOf<Name>
  /** Never answers. */
  | 'silence'
  /** The connection breaks. */
  | 'lost'
  | { readonly problem: ErrorCode };

export type Answers = {
  readonly [Name in CallName]?: Answer<Name> | (() => Promise<Answer<Name>>);
};

/** The demo's pictures, by their names there. */
const PICTURES_DIR = join(import.meta.dirname, '../../dev/demo/pictures');

const balances = { ATH: '1284560000', ATH2: '120000000', ATH3: '0' };
export const balanceOf = (ath: string): AnswerOf<'balance'> => ({
  balance: ath,
  balances: { ...balances, ATH: ath },
});

const DEFAULTS: Answers = {
  refreshJwt: { token: TOKEN, uuid: ME },
  login: { token: TOKEN, uuid: ME },
  verify: { token: TOKEN, uuid: ME },
  register: { success: true },
  logout: { success: true },
  forgotPassword: { success: true },
  resetPassword: { success: true },
  updatePassword: { success: true },
  deleteAccount: { success: true },
  balance: balanceOf(balances.ATH),
  transfer: { id: 7, balance: balances.ATH },
  sign: { signature: 'c2lnbmVkLWJ5LXRoZS1zZXJ2ZXItb2YtdGhpcy1zY2VuZQ' },
  events: 'silence',
  exchangeRate: { exchange_rate: 0.1683 },
  pendingPayments: { pending: [] },
  paymentIntent: { stripe_status: 0, error: null },
  allHistory: { history: [...history], next_cursor: null },
  tiers: { tiers: [...tiers] },
  categories: { categories: [...categories] },
};

const NAMES = Object.keys(api) as CallName[];
const patternOf = (path: string): RegExp =>
  new RegExp(`^${API_PREFIX}${path.replaceAll(/:\w+/g, '[^/]+')}$`);

/** Addresses without a parameter go before those with one. */
const TABLE = NAMES.map((name) => ({
  name,
  ...api[name],
  pattern: patternOf(api[name].path),
})).toSorted((one, other) => Number(one.path.includes(':')) - Number(other.path.includes(':')));

/** Answers every call of the pages in `context`, by `answers` before the defaults. */
export async function fakeApi(context: BrowserContext, answers: Answers): Promise<void> {
  await context.route('**/healthz', (route) => route.abort());
  await context.route('**/art/*.webp', (route) => {
    const slug = basename(new URL(route.request().url()).pathname, '.webp');
    return route.fulfill({ path: join(PICTURES_DIR, `${slug}-640.webp`) });
  });
  await context.route(`**${API_PREFIX}/**`, async (route) => {
    const request = route.request();
    const { pathname } = new URL(request.url());
    const found = TABLE.find(
      ({ method, pattern }) => method === request.method() && pattern.test(pathname),
    );
    if (found === undefined) return fulfil(route, { problem: 'not_found' });
    const given = answers[found.name] ?? DEFAULTS[found.name] ?? { problem: 'not_found' as const };
    await fulfil(route, typeof given === 'function' ? await given() : given);
  });
}

async function fulfil(route: Route, answer: Answer<CallName>): Promise<void> {
  if (answer === 'silence') return;
  if (answer === 'lost') return route.abort('connectionfailed');
  if (!('problem' in answer)) return route.fulfill({ json: answer });
  const { status, title } = ERRORS[answer.problem];
  const code = answer.problem;
  await route.fulfill({
    status,
    contentType: 'application/problem+json',
    body: JSON.stringify({
      type: 'about:blank',
      title,
      status,
      code,
      detail: title,
      request_id: 'state',
    }),
  });
}
