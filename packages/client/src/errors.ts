/** What a call can fail with. Screens tell these apart; nothing else leaves this package. */
import type { ErrorCode } from '@athos/contract/errors';
import type { Problem } from '@athos/contract/shared/problem';

/** The server answered with an error. The message is the status text (spec 8). */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** `undefined` when the answer was no problem document, such as a proxy's page. */
  readonly problem: Problem | undefined;

  constructor(status: number, statusText: string, problem: Problem | undefined) {
    // HTTP/2 and 3 carry no status text, so the problem's title stands in for it.
    super(statusText || problem?.title || String(status));
    this.status = status;
    this.problem = problem;
  }

  get code(): ErrorCode | undefined {
    return this.problem?.code;
  }
}

/** No answer arrived: offline, refused, reset, blocked. Whether the server acted is not known. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError';
}

/** No answer within the time allowed. Whether the server acted is not known. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError';

  constructor(options?: ErrorOptions) {
    super('Request timed out', options);
  }
}

/** The answer arrived and is empty or no JSON. */
export class UnreadableAnswerError extends Error {
  override readonly name = 'UnreadableAnswerError';
  readonly isEmpty: boolean;

  constructor(text: string, options?: ErrorOptions) {
    super(text === '' ? 'No response' : 'The answer is not valid JSON', options);
    this.isEmpty = text === '';
  }
}

/** True where the same request may succeed a little later without anybody changing anything. */
export const isTemporary = (error: unknown): boolean =>
  error instanceof NetworkError ||
  error instanceof TimeoutError ||
  (error instanceof ApiError && (error.status === 429 || error.status >= 500));
