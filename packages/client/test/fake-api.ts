/**
 * The API as a program in the browser sees it, at the level of `fetch`: typed by the contract, with a record of what was
 * asked. A test replaces the answers that it is about.
 */
import { api, type CallName, type AnswerOf, type BodyOf } from '@athos/contract/api';
import { ERRORS, type ErrorCode } from '@athos/contract/errors';
import { API_PREFIX } from '@athos/contract/call';
import { vi } from 'vitest';

export interface FakeRequest<Name extends CallName> {
  readonly body: BodyOf<Name>;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: Headers;
}

type Answer<Name extends CallName> = AnswerOf<Name> | Response;
type Handler<Name extends CallName> = (
  request: FakeRequest<Name>,
) => Answer<Name> | Promise<Answer<Name>>;
export type Handlers = { [Name in CallName]?: Handler<Name> };

/** A JWT in shape only: the browser reads its claims and never checks its signature. */
export function fakeTokenOf(uuid: string, lifeSeconds = 86_400): string {
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

const patternOf = (path: string): RegExp =>
  new RegExp(`^${API_PREFIX}${path.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}$`);

/** In the order of the contract, fixed addresses before those with a parameter. */
const TABLE = (Object.keys(api) as CallName[])
  .toSorted((a, b) => Number(api[a].path.includes(':')) - Number(api[b].path.includes(':')))
  .map((name) => ({ name, method: api[name].method, pattern: patternOf(api[name].path) }));

export interface FakeApi {
  answer: <Name extends CallName>(name: Name, handler: Handler<Name>) => void;
  /** What was asked so far, oldest first. */
  calls: <Name extends CallName>(name: Name) => readonly FakeRequest<Name>[];
  /** By how much the server's clock is ahead of this machine's. */
  setClockOffset: (ms: number) => void;
  /** Whether anything, `/healthz` too, can be reached. */
  setOnline: (isOnline: boolean) => void;
  /** How often `/healthz` was asked. */
  healthCount: () => number;
}

/** Replaces `fetch` until `vi.unstubAllGlobals()`. What has no answer is not found. */
export function installFakeApi(defaults: Handlers): FakeApi {
  const handlers: Handlers = { ...defaults };
  const asked = new Map<CallName, FakeRequest<CallName>[]>();
  let clockOffsetMs = 0;
  let isOnline = true;
  let healthCount = 0;

  async function answer(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const route = TABLE.find(
      ({ method, pattern }) => method === request.method && pattern.test(url.pathname),
    );
    if (route === undefined) return problem('not_found');
    const text = await request.text();
    const read: FakeRequest<CallName> = {
      body: text === '' ? undefined : JSON.parse(text),
      params: { ...route.pattern.exec(url.pathname)?.groups },
      query: url.searchParams,
      headers: request.headers,
    };
    asked.set(route.name, [...(asked.get(route.name) ?? []), read]);
    const handler = handlers[route.name] as Handler<CallName> | undefined;
    if (handler === undefined) return problem('not_found');
    const given = await handler(read);
    const response = given instanceof Response ? given : Response.json(given);
    response.headers.set('date', new Date(Date.now() + clockOffsetMs).toUTCString());
    return response;
  }

  /** As `fetch` does, an abort ends the wait whatever the server does. */
  function fakeFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    const isHealth = input === '/healthz';
    if (isHealth) healthCount += 1;
    if (!isOnline) return networkFailure();
    if (isHealth) return Promise.resolve(new Response('ok'));
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
    setClockOffset: (ms) => void (clockOffsetMs = ms),
    setOnline: (next) => void (isOnline = next),
    healthCount: () => healthCount,
  };
}
