/**
 * The API as the scanner sees it, at the level of `fetch`: typed by the contract, with a venue, a purchase and its
 * redemption, and a record of what was asked. A test replaces the answers that it is about.
 */
import type { AnswerOf, BodyOf } from '@athos/contract/api';
import { ERRORS, type ErrorCode } from '@athos/contract/errors';
import { API_PREFIX, routes } from '@athos/contract/routes';
import { vi } from 'vitest';

type Name =
  | 'login'
  | 'logout'
  | 'refreshJwt'
  | 'scannerVenues'
  | 'scannerScan'
  | 'scannerRedeem'
  | 'scannerScans';

const NAMES: readonly Name[] = [
  'login',
  'logout',
  'refreshJwt',
  'scannerVenues',
  'scannerScan',
  'scannerRedeem',
  'scannerScans',
];

interface FakeRequest<Asked extends Name> {
  readonly body: BodyOf<Asked>;
  readonly query: URLSearchParams;
  readonly headers: Headers;
}
type Handler<Asked extends Name> = (
  request: FakeRequest<Asked>,
) => AnswerOf<Asked> | Response | Promise<AnswerOf<Asked> | Response>;
type Handlers = { [Asked in Name]: Handler<Asked> };

export const STAFF_UUID = '0192bbbb-0000-7000-8000-000000000002';
export const NOW = new Date('2026-11-21T20:00:00Z');

/** A JWT in shape only: the browser reads its claims and never checks its signature. */
export function staffToken(uuid = STAFF_UUID, lifeSeconds = 86_400): string {
  const iat = Math.floor(Date.now() / 1000);
  const claims = { sub: uuid, iat, exp: iat + lifeSeconds };
  return `e30.${btoa(JSON.stringify(claims)).replaceAll('=', '')}.c2ln`;
}

/** An error answer of the API. */
export function problem(code: ErrorCode, more: Record<string, unknown> = {}): Response {
  const { status, title } = ERRORS[code];
  const body = {
    type: 'about:blank',
    title,
    status,
    code,
    detail: title,
    request_id: 'r',
    ...more,
  };
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/problem+json' },
  });
}

/** No answer: what browsers make of a lost connection. */
export const networkFailure = (): Promise<never> =>
  Promise.reject(new TypeError('Failed to fetch'));
/** An answer that never comes. */
export const silence = (): Promise<never> => new Promise(() => undefined);

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

const DEFAULTS: Handlers = {
  login: () => ({ token: staffToken(), uuid: STAFF_UUID }),
  logout: () => ({ success: true }),
  refreshJwt: () => ({ token: staffToken(), uuid: STAFF_UUID }),
  scannerVenues: () => ({ venues: [BAR] }),
  scannerScan: () => purchaseOf(item(1), item(2)),
  scannerRedeem: ({ body }) => redeemedOf(...(body.item_ids ?? [])),
  scannerScans: () => ({ scans: [], counts: { scans: 0, redeemed_items: 0, refused: 0 } }),
};

export interface FakeBackend {
  answer: <Asked extends Name>(name: Asked, handler: Handler<Asked>) => void;
  /** What was asked so far, oldest first. */
  calls: <Asked extends Name>(name: Asked) => readonly FakeRequest<Asked>[];
  /** Whether anything, `/healthz` too, can be reached. */
  setOnline: (isOnline: boolean) => void;
}

/** Replaces `fetch` until `vi.unstubAllGlobals()`. */
export function installFakeBackend(): FakeBackend {
  const handlers: Handlers = { ...DEFAULTS };
  const asked = new Map<Name, FakeRequest<Name>[]>();
  let isOnline = true;

  async function answer(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const name = NAMES.find(
      (known) =>
        routes[known].method === request.method &&
        url.pathname === `${API_PREFIX}${routes[known].path}`,
    );
    if (name === undefined) return problem('not_found');
    const text = await request.text();
    const body = (text === '' ? undefined : JSON.parse(text)) as BodyOf<Name>;
    const read = { body, query: url.searchParams, headers: request.headers };
    asked.set(name, [...(asked.get(name) ?? []), read]);
    const given = await (handlers[name] as Handler<Name>)(read);
    const response = given instanceof Response ? given : Response.json(given);
    response.headers.set('date', new Date().toUTCString());
    return response;
  }

  /** As `fetch` does, an abort ends the wait whatever the server does. */
  function fakeFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    if (!isOnline) return networkFailure();
    if (input === '/healthz') return Promise.resolve(new Response('ok'));
    const request = new Request(input, init);
    return new Promise((resolve, reject) => {
      const abort = (): void => reject(request.signal.reason as Error);
      if (request.signal.aborted) return abort();
      request.signal.addEventListener('abort', abort, { once: true });
      answer(request).then(resolve, reject);
    });
  }

  vi.stubGlobal('fetch', vi.fn(fakeFetch));
  return {
    answer: (name, handler) => void Object.assign(handlers, { [name]: handler }),
    calls: (name) => (asked.get(name) ?? []) as unknown as readonly FakeRequest<typeof name>[],
    setOnline: (next) => void (isOnline = next),
  };
}
