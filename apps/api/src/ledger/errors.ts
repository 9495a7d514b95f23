import type { GiveUpReason } from '../platform/database/batcher.ts';

/**
 * Thrown when the ledger cannot say what happened. The transfer may or may not be in the journal; a retry with the same key
 * tells, and moves the value if that has not happened. Answered as 503 with `Retry-After`, never as a failure.
 */
export class LedgerUnavailableError extends Error {
  override readonly name = 'LedgerUnavailableError';
  readonly reason: GiveUpReason;

  constructor(reason: GiveUpReason, options?: ErrorOptions) {
    super(`ledger unavailable: ${reason}`, options);
    this.reason = reason;
  }
}
