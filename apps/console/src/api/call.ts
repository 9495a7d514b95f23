/**
 * Makes one call of the console's API: its address, its headers, and the conversion of wire names. It does not use the query
 * layer, which the sign-in does not load. The session is a cookie that no script can read, so there is no token here.
 */
import { isNetworkLost } from '@athos/app-core/network';
import { log } from '@athos/app-core/log';
import { addressOf } from '@athos/client/client';
import { ApiError } from '@athos/client/errors';
import { createHttp } from '@athos/client/http';
import { createServerClock } from '@athos/client/server-clock';
import { API_PREFIX } from '@athos/contract/call';
import type {
  ConsoleAnswerOf,
  ConsoleBodyOf,
  ConsoleCallName,
  ConsoleParamsOf,
  ConsoleQueryOf,
} from '@athos/contract/console/calls';
import {
  BACKGROUND_HEADER,
  CONSOLE_HEADER,
  PERSON_HEADER,
} from '@athos/contract/console/console-call';
import { consoleRoutes } from '@athos/contract/gen/console-routes';
import { isSomebodyPresent, noteCall } from '../state/presence.ts';
import { isOtherSignedIn, noteSessionEnd, session } from '../state/session.ts';
import { fromWire, toWire, type Camel } from './naming.ts';

const serverClock = createServerClock();
const http = createHttp({
  prefixUrl: location.origin + API_PREFIX,
  clock: serverClock,
  onNetworkLost: () => isNetworkLost.set(true),
  onNetworkBack: () => isNetworkLost.set(false),
});

/** By the server's clock, in milliseconds since 1970. */
export const serverNowMs = (): number => serverClock.nowMs();

type Part<Key extends string, Wire> = [Wire] extends [undefined]
  ? object
  : { readonly [Name in Key]: Camel<Wire> };

/** The input of a call, in the app's names. */
export type AdminInput<Name extends ConsoleCallName> = Part<'body', ConsoleBodyOf<Name>> &
  Part<'params', ConsoleParamsOf<Name>> &
  Partial<Part<'query', ConsoleQueryOf<Name>>>;
export type AdminAnswer<Name extends ConsoleCallName> = Camel<ConsoleAnswerOf<Name>>;

export interface AnyInput {
  readonly body?: unknown;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
}

export interface Attempt {
  readonly signal?: AbortSignal;
  readonly key?: string;
  readonly version?: number;
  /** Nobody asked for this call. By default, if nobody is present. */
  readonly isBackground?: boolean;
}

/** The headers of every call of this page. */
export function pageHeaders(): Readonly<Record<string, string>> {
  const current = session.get();
  return {
    // Pages of other origins cannot send this header without a preflight.
    [CONSOLE_HEADER]: '1',
    // The cookie may meanwhile be another person's.
    ...('staff' in current && { [PERSON_HEADER]: current.staff.id }),
  };
}

/** Notes what a refusal says about the session. */
export function noteRefusal(status: number, code: string | undefined): void {
  if (status === 401) noteSessionEnd();
  if (code === 'person_changed') isOtherSignedIn.set(true);
}

export async function send(
  name: ConsoleCallName,
  input: AnyInput,
  attempt: Attempt,
): Promise<unknown> {
  const { signal, key, version, isBackground = !isSomebodyPresent() } = attempt;
  const { method, path } = addressOf(
    consoleRoutes[name],
    toWire(input.params ?? {}) as Record<string, unknown>,
  );
  const headers = {
    ...pageHeaders(),
    ...(isBackground && { [BACKGROUND_HEADER]: '1' }),
    ...(key !== undefined && { 'idempotency-key': key }),
    ...(version !== undefined && { 'if-match': `"${version}"` }),
  };
  const sentAtMs = serverNowMs();
  try {
    const answer = await http.json({
      method,
      path,
      headers,
      query: toWire(input.query ?? {}) as Record<string, string | undefined>,
      ...(input.body !== undefined && { body: toWire(input.body) }),
      ...(signal !== undefined && { signal }),
    });
    if (!isBackground) noteCall(sentAtMs);
    return fromWire(answer);
  } catch (error) {
    if (error instanceof ApiError) noteRefusal(error.status, error.code);
    if (signal?.aborted !== true) log('call_failed', { name, error: String(error) });
    throw error;
  }
}

/** Makes a call once and returns its response. For reads, and for signed-out visitors, who have no key. */
export const ask = async <Name extends ConsoleCallName>(
  name: Name,
  input: AdminInput<Name>,
  attempt: Attempt = {},
): Promise<AdminAnswer<Name>> =>
  (await send(name, input as AnyInput, attempt)) as AdminAnswer<Name>;

/** Opens the stream of live events. The cookie identifies the person. */
export const openEventStream = (signal: AbortSignal): Promise<Response> =>
  http.stream(addressOf(consoleRoutes.consoleEvents).path, signal, undefined);
