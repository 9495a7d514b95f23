import { ERRORS, type ErrorCode } from '@athos/contract/errors';

interface AppErrorOptions {
  /** Advice for the user. It must not reveal whether an e-mail address has an account. */
  readonly detail?: string;
  readonly cause?: unknown;
  /** Sent as the Retry-After header. */
  readonly retryAfterSeconds?: number;
  /** Additional members of the problem document, such as the current `exchange_rate`. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** A refusal that becomes the response. Thrown inside a transaction, it rolls the transaction back. */
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

/** Checks a condition that our own code guarantees. If it is false, the request fails with 500 and an alarm. */
export function invariant(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(`broken invariant: ${message}`);
}
