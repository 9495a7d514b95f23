/** The errors of a call. Screens distinguish them; this package throws no others. */
import type { ErrorCode } from '@athos/contract/errors';
import type { Problem } from '@athos/contract/problem';

/** The server responded with an error. The message is the status text (spec 8). */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** `undefined` if the response was not a problem document, such as a proxy's page. */
  readonly problem: Problem | undefined;

  constructor(status: number, statusText: string, problem: Problem | undefined) {
    // HTTP/2 and HTTP/3 carry no status text, so the problem's title replaces it.
    super(statusText || problem?.title || String(status));
    this.status = status;
    this.problem = problem;
  }

  get code(): ErrorCode | undefined {
    return this.problem?.code;
  }
}

/** No response arrived: offline, refused, reset or blocked. Whether the server acted is unknown. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError';
}

/** No response within the time limit. Whether the server acted is unknown. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError';

  constructor(options?: ErrorOptions) {
    super('Request timed out', options);
  }
}

/** The response is empty or not JSON. */
export class UnreadableAnswerError extends Error {
  override readonly name = 'UnreadableAnswerError';
  readonly isEmpty: boolean;

  constructor(text: string, options?: ErrorOptions) {
    super(text === '' ? 'No response' : 'The answer is not valid JSON', options);
    this.isEmpty = text === '';
  }
}

/** True if the same request may succeed later without any change. */
export const isTemporary = (error: unknown): boolean =>
  error instanceof NetworkError ||
  error instanceof TimeoutError ||
  (error instanceof ApiError && (error.status === 429 || error.status >= 500));
