/** Browser programs make every call to the API through `createClient`. */
import type {
  AnswerOf,
  BodyOf,
  CallName,
  DeviceCallName,
  KeyedCallName,
  ParamsOf,
  QueryOf,
  StreamName,
} from '@athos/contract/api';
import type { Problem } from '@athos/contract/problem';
import { ApiError } from './errors.ts';
import type { EventStreamOptions } from './event-stream.ts';
import { createHttp, withQuery } from './http.ts';
import { makeKeysBy } from './idempotency-key.ts';
import { createServerClock } from './server-clock.ts';

type Part<Key extends string, Value> = [Value] extends [undefined]
  ? object
  : { [Name in Key]: Value };

/** The parts of a request that its call accepts. `key` is required if the call takes an Idempotency-Key. */
type CallInput<Name extends CallName> = Part<'body', BodyOf<Name>> &
  Partial<Part<'query', QueryOf<Name>>> &
  Part<'params', ParamsOf<Name>> &
  (Name extends KeyedCallName ? { key: string } : object) & { signal?: AbortSignal };

type CallArguments<Name extends CallName> =
  object extends CallInput<Name> ? [input?: CallInput<Name>] : [input: CallInput<Name>];

/** Logs a named event of the client with its facts. Never receives a token, a body or a query. */
export type ClientLog = (event: string, facts: Record<string, unknown>) => void;

export interface ClientOptions {
  /** Absolute address of the API with its prefix, such as `https://host/api`. */
  prefixUrl: string;
  /** The bearer token to send; `undefined` without one. */
  token: () => string | undefined;
  /** The secret id of this installation, for the calls that read it. */
  deviceId: () => string;
  /** The name of the app's build, sent with the device id. */
  appVersion?: string | undefined;
  /** Called when a request fails without a response, possibly several times in a row. */
  onNetworkLost: () => void;
  /** Called for every successful response. */
  onNetworkBack: () => void;
  /** Called when the server refuses the token, except in a refresh, whose caller handles the refusal. */
  onUnauthorized: (token: string) => void;
  /** Called when the server refuses to move value before the user accepts the terms in force. */
  onTermsMissing?: (() => void) | undefined;
  /**
   * Called when the server requires a proof that the user is acting. Resolves to the confirmation with which the request is sent again, or
   * to `undefined` if the user gives none.
   */
  confirm?: ((problem: Problem) => Promise<string | undefined>) | undefined;
  log: ClientLog;
}

/** A client for the calls `Names`, those of one audience. */
export interface Client<Names extends CallName> {
  /**
   * Makes the contract's call `name`. Each attempt times out after 10 s; idempotent methods are tried up to three times
   * (spec 7). `outcome.ts` repeats calls with a key if that is safe.
   * Throws ApiError, NetworkError, TimeoutError or UnreadableAnswerError; an aborted `signal` throws its reason.
   */
  call: <Name extends Names>(name: Name, ...input: CallArguments<Name>) => Promise<AnswerOf<Name>>;
  /** Fetches the file that a call returns, within 30 s and without retries. Throws as `call` does. */
  file: <Name extends Names>(
    name: Name,
    input: Part<'params', ParamsOf<Name>> & Partial<Part<'query', QueryOf<Name>>>,
  ) => Promise<Blob>;
  /** Reads live events until `signal` aborts or the session ends. Reconnects automatically; never rejects. */
  openEvents: (name: Names & StreamName, options: EventStreamOptions) => Promise<void>;
  /** Milliseconds since 1970 by the server's clock. */
  serverNowMs: () => number;
}

const FILE_TIMEOUT_MS = 30_000;

/** No other call sends the device id, because it lets its holder pass for this device. */
const DEVICE_CALLS: Readonly<Record<DeviceCallName, true>> = {
  register: true,
  login: true,
  verify: true,
  forgotPassword: true,
  updatePassword: true,
  deleteAccount: true,
  beginAuthenticator: true,
  endAuthenticator: true,
  renewRecoveryCodes: true,
  beginPasskey: true,
  endPasskey: true,
  signInByPasskey: true,
  secondFactor: true,
  confirm: true,
  redeemReward: true,
  scannerVenues: true,
  scannerEnrol: true,
  offlinePack: true,
  offlineSync: true,
};

interface AnyInput {
  body?: unknown;
  query?: Record<string, string | number | undefined>;
  params?: Record<string, unknown>;
  key?: string;
  signal?: AbortSignal;
}

/** Returns method and path of a route such as `GET /tiers/:id`, with its parameters escaped and filled in. */
export function addressOf(route: string, params: Record<string, unknown> = {}) {
  const [method = '', path = ''] = route.split(' ');
  const filled = path.replace(/:(\w+)/g, (_match, name: string) =>
    encodeURIComponent(String(params[name])),
  );
  return { method, path: filled };
}

const deviceHeaders = ({ deviceId, appVersion }: ClientOptions): Record<string, string> => ({
  'x-device-id': deviceId(),
  ...(appVersion !== undefined && { 'x-app-version': appVersion }),
});

const confirmationFor = async (
  error: unknown,
  { confirm }: ClientOptions,
): Promise<string | undefined> =>
  error instanceof ApiError && error.code === 'confirmation_required' && error.problem
    ? confirm?.(error.problem)
    : undefined;

/**
 * Creates a program's only client, for the calls listed in `routes` (`contract/gen`). Its only state is the server's
 * clock.
 */
export function createClient<Names extends CallName>(
  routes: Readonly<Record<Names, string>>,
  options: ClientOptions,
): Client<Names> {
  const { log } = options;
  const clock = createServerClock();
  makeKeysBy(clock.nowMs);
  const http = createHttp({ ...options, clock });

  function noteRefusal(name: CallName, sentToken: string | undefined): void {
    if (sentToken !== undefined && name !== 'refreshJwt') options.onUnauthorized(sentToken);
  }

  async function callOnce(name: Names, input: AnyInput, confirmation?: string): Promise<unknown> {
    const token = options.token();
    const headers = {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(input.key !== undefined && { 'idempotency-key': input.key }),
      ...(confirmation !== undefined && { 'x-confirmation': confirmation }),
      ...(Object.hasOwn(DEVICE_CALLS, name) && deviceHeaders(options)),
    };
    const { method, path } = addressOf(routes[name], input.params);
    try {
      return await http.json({ ...input, method, path, headers });
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) noteRefusal(name, token);
      if (error instanceof ApiError && error.code === 'terms_not_accepted')
        options.onTermsMissing?.();
      const given = confirmation === undefined && (await confirmationFor(error, options));
      // Another user may have signed in meanwhile.
      if (!given || options.token() !== token) throw error;
      return callOnce(name, input, given);
    }
  }

  async function callLogged(name: Names, input: AnyInput): Promise<unknown> {
    try {
      return await callOnce(name, input);
    } catch (error) {
      if (!input.signal?.aborted) log('call_failed', { name, ...factsOf(error) });
      throw error;
    }
  }

  return {
    // The server serialises each response with the schema that types it here.
    call: async (name, ...[input = {}]: [AnyInput?]) =>
      (await callLogged(name, input)) as AnswerOf<typeof name>,
    async file(name, { params, query }: AnyInput) {
      const token = options.token();
      const { path } = addressOf(routes[name], params);
      try {
        const limit = AbortSignal.timeout(FILE_TIMEOUT_MS);
        return await (await http.stream(withQuery(path, query), limit, token)).blob();
      } catch (error) {
        if (error instanceof ApiError && error.status === 401) noteRefusal(name, token);
        log('call_failed', { name, ...factsOf(error) });
        throw error;
      }
    },
    async openEvents(name, stream) {
      let token: string | undefined;
      // Fetched on demand: no first screen waits for live events, and the scanner has none. If it cannot be fetched, polling replaces them.
      const code = await import('./event-stream.ts').catch(() => undefined);
      await code?.readEvents(stream, {
        request: (signal) => {
          token = options.token();
          return http.stream(addressOf(routes[name]).path, signal, token);
        },
        onRefused: () => noteRefusal(name, token),
        log,
      });
    },
    serverNowMs: clock.nowMs,
  };
}

const factsOf = (error: unknown): Record<string, unknown> =>
  error instanceof ApiError
    ? { status: error.status, code: error.code, requestId: error.problem?.request_id }
    : { error: error instanceof Error ? error.name : typeof error };
