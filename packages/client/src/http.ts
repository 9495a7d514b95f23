/** The one ky instance: times, retries and what every answer tells about the network and the server's clock. */
import type { Problem } from '@athos/contract/shared/problem';
import ky, { isHTTPError, isTimeoutError, type Options } from 'ky';
import { ApiError, NetworkError, TimeoutError, UnreadableAnswerError } from './errors.ts';
import type { ServerClock } from './server-clock.ts';

/** Spec 7 and 9: an attempt has 10 s. */
const TIMEOUT_MS = 10_000;
const RETRY_COUNT_MAX = 2;
/** Spec 7. A failed connection is retried too; a timeout is not, as it has cost the user 10 s already. */
const RETRIED_STATUSES = [408, 413, 429, 500, 502, 503, 504];
/** ky's own default is infinite: a server may ask to be asked again in an hour. */
const RETRY_AFTER_MAX_MS = 2000;

interface HttpOptions {
  prefixUrl: string;
  onNetworkLost: () => void;
  onNetworkBack: () => void;
  clock: ServerClock;
}

export interface Http {
  /** The parsed answer. Throws the errors of `errors.ts`, or the reason of an aborted signal. */
  json: (path: string, options: Options) => Promise<unknown>;
  /** An open answer of server-sent events, without time limit and retries. */
  stream: (path: string, signal: AbortSignal, token: string | undefined) => Promise<Response>;
}

function shouldRetry({ error }: { error: Error }): boolean | undefined {
  if (error instanceof NetworkError) return true;
  // ky leaves out a 413 without Retry-After, which spec 7 lists.
  if (isHTTPError(error) && error.response.status === 413) {
    return error.response.headers.has('retry-after') ? undefined : true;
  }
  return undefined;
}

const isProblem = (data: unknown): data is Problem =>
  typeof data === 'object' && data !== null && 'code' in data && typeof data.code === 'string';

export function createHttp(options: HttpOptions): Http {
  const { clock, onNetworkBack, onNetworkLost } = options;

  async function observedFetch(input: string | URL | Request, init?: RequestInit) {
    // Always by way of the server: an answer out of the browser's cache would say that a lost network is back.
    const request = new Request(input, { ...init, cache: 'no-cache' });
    const sentAtMs = Date.now();
    let response: Response;
    try {
      response = await fetch(request);
    } catch (error) {
      // Aborted by the caller, or by ky when the time was up: neither says anything about the network.
      if (request.signal.aborted) throw error;
      onNetworkLost();
      throw new NetworkError('No answer from the server', { cause: error });
    }
    // What a cache on the way may keep may carry the time of back then.
    if (!/max-age/.test(response.headers.get('cache-control') ?? '')) {
      clock.observe(response.headers.get('date'), sentAtMs, Date.now());
    }
    if (response.ok) onNetworkBack();
    return response;
  }

  const instance = ky.create({
    prefix: options.prefixUrl,
    fetch: observedFetch,
    timeout: TIMEOUT_MS,
    retry: {
      limit: RETRY_COUNT_MAX,
      statusCodes: RETRIED_STATUSES,
      maxRetryAfter: RETRY_AFTER_MAX_MS,
      shouldRetry,
    },
  });

  function translate(error: unknown): unknown {
    if (isHTTPError(error)) {
      const { status, statusText } = error.response;
      return new ApiError(status, statusText, isProblem(error.data) ? error.data : undefined);
    }
    if (isTimeoutError(error)) return new TimeoutError({ cause: error });
    if (!(error instanceof TypeError)) return error;
    // The connection broke while the body was read.
    onNetworkLost();
    return new NetworkError('The answer broke off', { cause: error });
  }

  return {
    async json(path, callOptions) {
      let text: string;
      try {
        text = await instance(path, callOptions).text();
      } catch (error) {
        if (callOptions.signal?.aborted) throw callOptions.signal.reason;
        throw translate(error);
      }
      try {
        return JSON.parse(text) as unknown;
      } catch (error) {
        throw new UnreadableAnswerError(text, { cause: error });
      }
    },
    async stream(path, signal, token) {
      const headers = {
        accept: 'text/event-stream',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      };
      try {
        return await instance(path, { headers, signal, timeout: false, retry: 0 });
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        throw translate(error);
      }
    },
  };
}
