import { ERRORS, type ErrorCode } from '@athos/contract/errors';

interface AppErrorOptions {
  /** What to do about it, for people. Must not say whether an e-mail address has an account. */
  readonly detail?: string;
  readonly cause?: unknown;
  /** Seconds until asking again makes sense: becomes Retry-After. */
  readonly retryAfterSeconds?: number;
  /** Further members of the problem, such as the fresh `exchange_rate`. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** A refusal that the caller is told of. Throwing it inside a transaction rolls that back. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly options: AppErrorOptions;

  constructor(code: ErrorCode, options: AppErrorOptions = {}) {
    super(`${code}${options.detail === undefined ? '' : `: ${options.detail}`}`, {
      cause: options.cause,
    });
    this.name = 'AppError';
    this.code = code;
    this.status = ERRORS[code].status;
    this.options = options;
  }
}

/** Ends in a 500 and an alarm: something is false that our own code guarantees. */
export function invariant(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(`broken invariant: ${message}`);
}
