/**
 * The API as a browser program sees it, typed by the contract. Handlers respond to requests; a test replaces the handlers that matter to
 * it. All requests are recorded. `fake-fetch.ts` installs it in place of `fetch`, `fake-network.ts` in front of a real browser's pages.
 */
import type { AnswerOf, BodyOf, CallName as AppCallName } from '@athos/contract/api';
import { API_PREFIX } from '@athos/contract/call';
import type {
  ConsoleAnswerOf,
  ConsoleBodyOf,
  ConsoleCallName,
} from '@athos/contract/console/calls';
import { ERRORS, type ErrorCode } from '@athos/contract/errors';
import { consoleRoutes } from '@athos/contract/gen/console-routes';
import { scannerRoutes } from '@athos/contract/gen/scanner-routes';
import { walletRoutes } from '@athos/contract/gen/wallet-routes';

type CallName = AppCallName | ConsoleCallName;
/** Mapped by name, because a conditional type over this many calls loses the literals of a handler's return value. */
type Bodies = { [Name in AppCallName]: BodyOf<Name> } & {
  [Name in ConsoleCallName]: ConsoleBodyOf<Name>;
};
type Answers = { [Name in AppCallName]: AnswerOf<Name> } & {
  [Name in ConsoleCallName]: ConsoleAnswerOf<Name>;
};

interface FakeRequest<Name extends CallName> {
  readonly body: Bodies[Name];
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: Headers;
}

type Answer<Name extends CallName> = Answers[Name] | Response;
type Handler<Name extends CallName> = (
  request: FakeRequest<Name>,
) => Answer<Name> | Promise<Answer<Name>>;
export type Handlers = { readonly [Name in CallName]?: Handler<Name> };

/** A refusal by the API with this code. */
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
  return Response.json(body, { status, headers: { 'content-type': 'application/problem+json' } });
}

/** A handler that fails like a lost connection, as `fetch` reports it. */
export const networkFailure = (): Promise<never> =>
  Promise.reject(new TypeError('Failed to fetch'));
/** A handler that never responds. */
export const silence = (): Promise<never> => new Promise(() => undefined);

interface Route {
  readonly name: CallName;
  readonly method: string | undefined;
  readonly pattern: RegExp;
}

function routeOf([name, address]: [string, string]): Route {
  const [method, path = ''] = address.split(' ');
  const pattern = path.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)');
  return { name: name as CallName, method, pattern: new RegExp(`^${API_PREFIX}${pattern}$`) };
}

/** Addresses without a parameter come before those with one. */
const ROUTES = Object.entries({ ...walletRoutes, ...scannerRoutes, ...consoleRoutes })
  .toSorted(([, one], [, other]) => Number(one.includes(':')) - Number(other.includes(':')))
  .map(routeOf);

export interface FakeApi {
  /** Replaces the handler of a call. */
  answer: <Name extends CallName>(name: Name, handler: NoInfer<Handler<Name>>) => void;
  /** Returns the requests of a call so far, oldest first. */
  calls: <Name extends CallName>(name: Name) => readonly FakeRequest<Name>[];
  /** Sets the server's clock ahead of this machine's. */
  setClockOffset: (ms: number) => void;
  /** Responds to a request, with `not_found` if it has no handler. */
  respond: (request: Request) => Promise<Response>;
}

/** Whether the body is an uploaded file, which no handler reads. */
const isFile = ({ headers }: Request): boolean =>
  /^(image\/|text\/csv)/.test(headers.get('content-type') ?? '');

export function createFakeApi(defaults: Handlers): FakeApi {
  const handlers: Handlers = { ...defaults };
  const asked = new Map<CallName, FakeRequest<CallName>[]>();
  let clockOffsetMs = 0;
  return {
    answer: (name, handler) => void Object.assign(handlers, { [name]: handler }),
    calls: (name) => (asked.get(name) ?? []) as unknown as readonly FakeRequest<typeof name>[],
    setClockOffset: (ms) => void (clockOffsetMs = ms),
    async respond(request) {
      const url = new URL(request.url);
      const route = ROUTES.find(
        ({ method, pattern }) => method === request.method && pattern.test(url.pathname),
      );
      if (route === undefined) return problem('not_found');
      const text = await request.text();
      const read: FakeRequest<CallName> = {
        body: text === '' || isFile(request) ? undefined : JSON.parse(text),
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
    },
  };
}
