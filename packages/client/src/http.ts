/**
 * Calls over fetch: time limit, retries (spec 7), and what each response says about the network and the server's clock.
 * Written by hand because ky, which does the same, adds 7 kB of gzip (decision 0014).
 */
import type { Problem } from '@athos/contract/problem';
import { fetchOnce } from './early-answers.ts';
import { ApiError, NetworkError, TimeoutError, UnreadableAnswerError } from './errors.ts';
import { pause } from './pause.ts';
import type { ServerClock } from './server-clock.ts';

/** Spec 7 and 9. Applies to each attempt, including the response body. */
const TIMEOUT_MS = 10_000;
/** Spec 7: two retries. */
const RETRY_PAUSES_MS = [300, 600];
const IDEMPOTENT_METHODS = ['GET', 'PUT'];
/** Spec 7. A failed connection is retried too. A timeout is not, because it has already cost the user 10 s. */
const RETRIED_STATUSES = [408, 413, 429, 500, 502, 503, 504];
/** A server may send a Retry-After of an hour. */
const RETRY_AFTER_MAX_MS = 2000;

interface HttpOptions {
  prefixUrl: string;
  onNetworkLost: () => void;
  onNetworkBack: () => void;
  clock: ServerClock;
}

export interface HttpCall {
  readonly method: string;
  /** Path below the prefix. */
  readonly path: string;
  readonly headers: Record<string, string>;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly query?: Record<string, string | number | undefined>;
  readonly signal?: AbortSignal;
}

export interface Http {
  /** Resolves to the parsed response. Throws the errors of `errors.ts`, or the reason of an aborted signal. */
  json: (call: HttpCall) => Promise<unknown>;
  /** Opens a stream, of server-sent events or of a file, without a time limit or retries. */
  stream: (path: string, signal: AbortSignal, token: string | undefined) => Promise<Response>;
}

interface Answer {
  readonly response: Response;
  readonly text: string;
}

/** Appends the query to the path and omits undefined values. */
export function withQuery(path: string, query: HttpCall['query'] = {}): string {
  const given = Object.entries(query).filter((entry) => entry[1] !== undefined);
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? path : `${path}?${text}`;
}

/** Returns a signal that aborts with `signal` or after the time limit. */
function limited(signal: AbortSignal | undefined) {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new TimeoutError()), TIMEOUT_MS);
  const follow = (): void => controller.abort(signal?.reason);
  signal?.addEventListener('abort', follow);
  return {
    signal: controller.signal,
    end(): void {
      clearTimeout(timer);
      signal?.removeEventListener('abort', follow);
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isProblem = (data: unknown): data is Problem =>
  typeof data === 'object' && data !== null && 'code' in data && typeof data.code === 'string';

function errorOf({ status, statusText }: Response, text: string): ApiError {
  const data = parsed(text);
  return new ApiError(status, statusText, isProblem(data) ? data : undefined);
}

/** The pause that `Retry-After` asks for, given in seconds or as a date; `undefined` if it is missing or invalid. */
function askedPauseMs({ headers }: Response): number | undefined {
  const text = headers.get('retry-after') ?? '';
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.min(RETRY_AFTER_MAX_MS, ms);
}

/** Returns the last response of up to three attempts. */
async function askUntilAnswered(
  call: HttpCall,
  ask: (call: HttpCall) => Promise<Answer>,
): Promise<Answer> {
  const pausesMs = IDEMPOTENT_METHODS.includes(call.method) ? RETRY_PAUSES_MS : [];
  for (const pauseMs of pausesMs) {
    let askedMs: number | undefined;
    try {
      const answer = await ask(call);
      if (!RETRIED_STATUSES.includes(answer.response.status)) return answer;
      askedMs = askedPauseMs(answer.response);
    } catch (error) {
      if (!(error instanceof NetworkError)) throw error;
    }
    await pause(askedMs ?? pauseMs, call.signal);
  }
  return ask(call);
}

export function createHttp(options: HttpOptions): Http {
  const { prefixUrl, clock, onNetworkBack, onNetworkLost } = options;

  /** Awaits the network. Throws NetworkError, or the reason of the aborted `signal`. */
  async function overNetwork<T>(signal: AbortSignal, act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      // Aborted by the caller or by the time limit. Neither says anything about the network.
      if (signal.aborted) throw signal.reason;
      onNetworkLost();
      throw new NetworkError('No answer from the server', { cause: error });
    }
  }

  async function send(path: string, init: RequestInit): Promise<Response> {
    // A response from the browser's cache would wrongly signal that the network is back, so the server is always asked.
    const request = new Request(prefixUrl + path, { ...init, cache: 'no-cache' });
    const { response, sentAtMs, receivedAtMs } = await fetchOnce(request);
    // A cache in between keeps the `Date` of its stored response.
    if (!/max-age/.test(response.headers.get('cache-control') ?? '')) {
      clock.observe(response.headers.get('date'), sentAtMs, receivedAtMs);
    }
    if (response.ok) onNetworkBack();
    return response;
  }

  async function ask(call: HttpCall): Promise<Answer> {
    call.signal?.throwIfAborted();
    const { method, headers, body } = call;
    const limit = limited(call.signal);
    const init: RequestInit = { method, headers, signal: limit.signal };
    if (body !== undefined) {
      init.headers = { ...headers, 'content-type': 'application/json' };
      init.body = JSON.stringify(body);
    }
    try {
      return await overNetwork(limit.signal, async () => {
        const response = await send(withQuery(call.path, call.query), init);
        return { response, text: await response.text() };
      });
    } finally {
      limit.end();
    }
  }

  return {
    async json(call) {
      const { response, text } = await askUntilAnswered(call, ask);
      if (!response.ok) throw errorOf(response, text);
      try {
        return JSON.parse(text) as unknown;
      } catch (error) {
        throw new UnreadableAnswerError(text, { cause: error });
      }
    },
    async stream(path, signal, token) {
      const headers = {
        accept: 'text/event-stream, */*',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      };
      const response = await overNetwork(signal, () => send(path, { headers, signal }));
      if (response.ok) return response;
      throw errorOf(response, await overNetwork(signal, () => response.text()));
    },
  };
}
