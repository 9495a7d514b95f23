/** The one door to the API: every call of every program in the browser goes through `createClient` (house section 6). */
import type { AnswerOf, BodyOf, ParamsOf, QueryOf } from '@athos/contract/api';
import { routes, type Route, type RouteName } from '@athos/contract/routes';
import { ApiError, isOutcomeUnknown, isTurnedAway } from './errors.ts';
import { readEvents, type EventStreamOptions } from './event-stream.ts';
import { createHttp } from './http.ts';
import { createServerClock } from './server-clock.ts';
import { INVALIDATED_MARKER, usableToken, type TokenStore } from './token-store.ts';

type KeyedRouteName = {
  [Name in RouteName]: (typeof routes)[Name] extends { keyed: true } ? Name : never;
}[RouteName];

type Part<Key extends string, Value> = [Value] extends [undefined]
  ? object
  : { [Name in Key]: Value };

/** The parts of a request, as far as its route takes them. `key` is required where the call moves value. */
export type CallInput<Name extends RouteName> = Part<'body', BodyOf<Name>> &
  Partial<Part<'query', QueryOf<Name>>> &
  Part<'params', ParamsOf<Name>> &
  (Name extends KeyedRouteName ? { key: string } : object) & { signal?: AbortSignal };

type CallArguments<Name extends RouteName> =
  object extends CallInput<Name> ? [input?: CallInput<Name>] : [input: CallInput<Name>];

/** Names an event of this package with its facts. Never receives a token, a body or a query. */
export type ClientLog = (event: string, facts: Record<string, unknown>) => void;

export interface ClientOptions {
  /** Absolute address of the API with its prefix, such as `https://host/api`. */
  prefixUrl: string;
  tokenStore: TokenStore;
  /** Names this installation when somebody signs in, so that a first sign-in on a new device can be told to the owner. */
  deviceId?: () => string;
  /** A fetch failed without an answer. May come several times in a row. */
  onNetworkLost: () => void;
  /** A successful answer arrived. Comes with every one. */
  onNetworkBack: () => void;
  /** The server refused the token of a call other than the refresh; the token is removed already. */
  onUnauthorized: () => void;
  log: ClientLog;
}

export interface Client {
  /**
   * Makes the call `name` of the contract. Times out after 10 s an attempt; idempotent methods are tried up to three
   * times (spec 7); a call with a key is asked once more with the same key when its outcome is not known.
   * Throws ApiError, NetworkError, TimeoutError or UnreadableAnswerError; an aborted `signal` throws its reason.
   */
  call: <Name extends RouteName>(
    name: Name,
    ...input: CallArguments<Name>
  ) => Promise<AnswerOf<Name>>;
  /** Reads live events until `signal` aborts or the session ends. Reconnects by itself; never rejects. */
  openEvents: (options: EventStreamOptions) => Promise<void>;
  /** A call that moves value waits for its answer. */
  isMovingValue: () => boolean;
  /** Milliseconds since 1970 by the server's clock. */
  serverNowMs: () => number;
}

/** The calls that open a session. */
const SIGN_INS: ReadonlySet<RouteName> = new Set(['login', 'verify']);

/** Pause before asking again with the same key: a lost connection is rarely back at once. */
const ASK_AGAIN_PAUSE_MS = 1000;

interface AnyInput {
  body?: unknown;
  query?: Record<string, string | number | undefined>;
  params?: Record<string, unknown>;
  key?: string;
  signal?: AbortSignal;
}

/** The path with its `:parameters` filled in, each escaped. */
const pathOf = (path: string, params: Record<string, unknown> = {}): string =>
  path.replace(/:(\w+)/g, (_match, name: string) => encodeURIComponent(String(params[name])));

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Asks with the same key. Being turned away says nothing of what happened before: then `first` stays the failure. */
async function askAgain(ask: () => Promise<unknown>, first: unknown): Promise<unknown> {
  await pause(ASK_AGAIN_PAUSE_MS);
  try {
    return await ask();
  } catch (error) {
    throw isTurnedAway(error) ? first : error;
  }
}

function createMovingCount() {
  let count = 0;
  return {
    isAny: (): boolean => count > 0,
    async during<T>(call: Promise<T>): Promise<T> {
      count += 1;
      try {
        return await call;
      } finally {
        count -= 1;
      }
    },
  };
}

/** The one client of a program. Keeps no state but the server's clock and how many calls are moving value. */
export function createClient(options: ClientOptions): Client {
  const { tokenStore, log } = options;
  const clock = createServerClock();
  const http = createHttp({ ...options, clock });
  const moving = createMovingCount();

  /** Spec 4 and 8: a 401 removes the token; on a refresh the marker takes its place. */
  function dropToken(name: RouteName, sentToken: string | undefined): void {
    // A newer token, of a sign-in in another tab, outlives the answer to an older one.
    if (sentToken === undefined || tokenStore.read() !== sentToken) return;
    if (name === 'refreshJwt') {
      tokenStore.write(INVALIDATED_MARKER);
      return;
    }
    tokenStore.remove();
    options.onUnauthorized();
  }

  async function callOnce(name: RouteName, route: Route, input: AnyInput): Promise<unknown> {
    const token = usableToken(tokenStore);
    const headers: Record<string, string> = {};
    if (token !== undefined) headers['authorization'] = `Bearer ${token}`;
    if (input.key !== undefined) headers['idempotency-key'] = input.key;
    if (options.deviceId !== undefined && SIGN_INS.has(name)) {
      headers['x-device-id'] = options.deviceId();
    }
    try {
      return await http.json(pathOf(route.path, input.params), {
        method: route.method,
        headers,
        ...(input.body !== undefined && { json: input.body }),
        ...(input.query !== undefined && { searchParams: input.query }),
        ...(input.signal !== undefined && { signal: input.signal }),
      });
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) dropToken(name, token);
      throw error;
    }
  }

  async function callAny(name: RouteName, input: AnyInput): Promise<unknown> {
    const ask = () => callOnce(name, routes[name], input);
    try {
      return await ask();
    } catch (error) {
      if (input.signal?.aborted) throw error;
      log('call_failed', { name, ...factsOf(error) });
      if (input.key === undefined || !isOutcomeUnknown(error)) throw error;
      return askAgain(ask, error);
    }
  }

  return {
    // The contract ties each name to its answer; the server validates both sides of it by the same schemas.
    call: async (name, ...[input = {}]: [AnyInput?]) => {
      const answer =
        input.key === undefined ? callAny(name, input) : moving.during(callAny(name, input));
      return (await answer) as AnswerOf<typeof name>;
    },
    openEvents(stream) {
      let token: string | undefined;
      return readEvents(stream, {
        request: (signal) => {
          token = usableToken(tokenStore);
          return http.stream(routes.events.path, signal, token);
        },
        onRefused: () => dropToken('events', token),
        log,
      });
    },
    isMovingValue: moving.isAny,
    serverNowMs: clock.nowMs,
  };
}

const factsOf = (error: unknown): Record<string, unknown> =>
  error instanceof ApiError
    ? { status: error.status, code: error.code, requestId: error.problem?.request_id }
    : { error: error instanceof Error ? error.name : typeof error };
