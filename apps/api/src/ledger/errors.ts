/**
 * Thrown when the ledger cannot say what happened. The transfer may or may not be in the journal; asking again with the same
 * key tells, and moves the value if it did not. Answered as 503 with `Retry-After`; never as a failure.
 */
export type LedgerUnavailableReason =
  /** Too many transfers wait already. This one was not sent to the database. */
  | 'overloaded'
  /** The database did not answer within the deadline, or the connection broke after the transfer was sent. */
  | 'outcome_unknown'
  /** No connection to the database. This one was not sent. */
  | 'not_connected'
  /** The process is shutting down. This one was not sent. */
  | 'closing';

export class LedgerUnavailableError extends Error {
  override readonly name = 'LedgerUnavailableError';
  readonly reason: LedgerUnavailableReason;

  constructor(reason: LedgerUnavailableReason, options?: ErrorOptions) {
    super(`ledger unavailable: ${reason}`, options);
    this.reason = reason;
  }
}
