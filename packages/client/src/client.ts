/** Every call that a browser program makes to the API goes through `createClient`. */
import type {
  AnswerOf,
  BodyOf,
  CallName,
  KeyedCallName,
  ParamsOf,
  QueryOf,
  StreamName,
} from '@athos/contract/api';
import { ApiError } from './errors.ts';
import { readEvents, type EventStreamOptions } from './event-stream.ts';
import { createHttp } from './http.ts';
import { createServerClock } from './server-clock.ts';

type Part<Key extends string, Value> = [Value] extends [undefined]
  ? object
  : { [Name in Key]: Value };

/** The parts of a request that its call takes. `key` is required where the call takes an Idempotency-Key. */
type CallInput<Name extends CallName> = Part<'body', BodyOf<Name>> &
  Partial<Part<'query', QueryOf<Name>>> &
  Part<'params', ParamsOf<Name>> &
  (Name extends KeyedCallName ? { key: string } : object) & { signal?: AbortSignal };

type CallArguments<Name extends CallName> =
  object extends CallInput<Name> ? [input?: CallInput<Name>] : [input: CallInput<Name>];

/** Logs an event of the client by name, with facts about it. Never receives a token, a body or a query. */
export type ClientLog = (event: string, facts: Record<string, unknown>) => void;

export interface ClientOptions {
  /** Absolute address of the API with its prefix, such as `https://host/api`. */
  prefixUrl: string;
  /** The bearer token to send; `undefined` without one. */
  token: () => string | undefined;
  /** Identifies this installation at sign-in, so that the account's owner can be told about a new device. */
  deviceId?: () => string;
  /** A request failed without an answer. May be called several times in a row. */
  onNetworkLost: () => void;
  /** Called for every successful answer. */
  onNetworkBack: () => void;
  /** The server refused the token of a call other than the refresh, whose caller handles its own refusal. */
  onUnauthorized: (token: string) => void;
  log: ClientLog;
}

/** A client of the calls `Names`: those of one audience. */
export interface Client<Names extends CallName> {
  /**
   * Makes the call `name` of the contract. An attempt times out after 10 s; idempotent methods are tried up to three
   * times (spec 7). A call with a key goes through `outcome.ts`, which repeats it where that is safe.
   * Throws ApiError, NetworkError, TimeoutError or UnreadableAnswerError; an aborted `signal` throws its reason.
   */
  call: <Name extends Names>(name: Name, ...input: CallArguments<Name>) => Promise<AnswerOf<Name>>;
  /** Reads live events until `signal` aborts or the session ends. Reconnects by itself; never rejects. */
  openEvents: (name: Names & StreamName, options: EventStreamOptions) => Promise<void>;
  /** Milliseconds since 1970 by the server's clock. */
  serverNowMs: () => number;
}

const SIGN_INS: ReadonlySet<CallName> = new Set(['login', 'verify']);

interface AnyInput {
  body?: unknown;
  query?: Record<string, string | number | undefined>;
  params?: Record<string, unknown>;
  key?: string;
  signal?: AbortSignal;
}

/** Method and path of a route such as `GET /tiers/:id`, with each parameter filled in and escaped. */
function addressOf(route: string, params: Record<string, unknown> = {}) {
  const [method = '', path = ''] = route.split(' ');
  const filled = path.replace(/:(\w+)/g, (_match, name: string) =>
    encodeURIComponent(String(params[name])),
  );
  return { method, path: filled };
}

/**
 * A program's one client of the calls that `routes` lists (`contract/gen`). Its only state is the server's clock.
 */
export function createClient<Names extends CallName>(
  routes: Readonly<Record<Names, string>>,
  options: ClientOptions,
): Client<Names> {
  const { log } = options;
  const clock = createServerClock();
  const http = createHttp({ ...options, clock });

  function noteRefusal(name: CallName, sentToken: string | undefined): void {
    if (sentToken !== undefined && name !== 'refreshJwt') options.onUnauthorized(sentToken);
  }

  async function callOnce(name: Names, input: AnyInput): Promise<unknown> {
    const token = options.token();
    const headers = {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(input.key !== undefined && { 'idempotency-key': input.key }),
      ...(options.deviceId !== undefined &&
        SIGN_INS.has(name) && { 'x-device-id': options.deviceId() }),
    };
    const { method, path } = addressOf(routes[name], input.params);
    try {
      return await http.json({ ...input, method, path, headers });
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) noteRefusal(name, token);
      throw error;
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
    // The server serialises each answer with the schema that types it here.
    call: async (name, ...[input = {}]: [AnyInput?]) =>
      (await callLogged(name, input)) as AnswerOf<typeof name>,
    openEvents(name, stream) {
      let token: string | undefined;
      return readEvents(stream, {
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
