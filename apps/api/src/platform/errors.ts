import { ERRORS, type ErrorCode } from '@athos/contract/errors';

interface AppErrorOptions {
  /** Advice for the user. Must not reveal whether an e-mail address has an account. */
  readonly detail?: string;
  readonly cause?: unknown;
  /** Sent as Retry-After. */
  readonly retryAfterSeconds?: number;
  /** Further members of the problem, such as the fresh `exchange_rate`. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** A refusal that is answered to the caller. Thrown inside a transaction, it rolls the transaction back. */
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

/** Checks what our own code guarantees. If it is false, the request ends in a 500 and an alarm. */
export function invariant(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(`broken invariant: ${message}`);
}
