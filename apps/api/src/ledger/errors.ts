import type { GiveUpReason } from '../platform/database/batcher.ts';

/**
 * Thrown when the outcome is unknown: the transfer may or may not be in the journal. A retry with the same key tells which, and moves the
 * value if it has not moved yet. The API responds with 503 and `Retry-After`, never with a failure.
 */
export class LedgerUnavailableError extends Error {
  override readonly name = 'LedgerUnavailableError';
  readonly reason: GiveUpReason;

  constructor(reason: GiveUpReason, options?: ErrorOptions) {
    super(`ledger unavailable: ${reason}`, options);
    this.reason = reason;
  }
}
