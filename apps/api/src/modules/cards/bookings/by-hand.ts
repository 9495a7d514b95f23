/** What staff can do with unmatched money. */
import { TransferKind, type Ledger, type SystemAccount } from '../../../ledger/index.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { AppError, invariant } from '../../../platform/errors.ts';
import {
  lockTransaction,
  readTransactionRow,
  updateBookingExplained,
  updateTransactionExplained,
} from './bookings.sql.ts';
import { bookTransaction, matchTransaction } from './match.ts';

interface ByHandDeps {
  readonly ledger: Ledger;
}

/** Joins a transaction with a booking of the same amount. Throws `not_found` or `state_changed`. */
export async function matchByHand(
  { ledger }: ByHandDeps,
  tx: Tx,
  { transactionId, bookingId, at }: { transactionId: string; bookingId: string; at: Date },
): Promise<void> {
  const row = await lockTransaction(tx, transactionId);
  if (row === undefined) throw new AppError('not_found');
  const matched = await matchTransaction(tx, readTransactionRow(row), { at, bookingId });
  if (matched === undefined) {
    throw new AppError('state_changed', { detail: 'Both must be free and of the same amount.' });
  }
  if (matched.transfers.length === 0) return;
  const outcome = await ledger.transferInTx(tx, matched.transfers);
  invariant(outcome.outcome !== 'refused', 'a fee can always be booked');
}

/** Books a transaction that has no booking of ours against `account`. Throws `not_found` or `state_changed`. */
export async function bookByHand(
  { ledger }: ByHandDeps,
  tx: Tx,
  { transactionId, account, at }: { transactionId: string; account: SystemAccount; at: Date },
): Promise<void> {
  const row = await lockTransaction(tx, transactionId);
  if (row === undefined) throw new AppError('not_found');
  const booked = await bookTransaction(tx, readTransactionRow(row), {
    at,
    what: 'manual',
    orderId: null,
    kind: TransferKind.Booking,
    account,
    feeAccount: 'provider_fees',
  });
  if (booked === undefined) throw new AppError('state_changed', { detail: 'It is booked.' });
  const outcome = await ledger.transferInTx(tx, booked.transfers);
  if (outcome.outcome === 'refused') {
    throw new AppError('state_changed', { detail: 'The account does not have as much.' });
  }
}

/** Explains why a transaction or a booking stays unmatched. It is then no longer listed. */
export async function explainByHand(
  tx: Tx,
  {
    transactionId,
    bookingId,
    explanation,
  }: {
    transactionId: string | undefined;
    bookingId: string | undefined;
    explanation: string;
  },
): Promise<void> {
  const isDone =
    transactionId === undefined
      ? await updateBookingExplained(tx, bookingId ?? '', explanation)
      : await updateTransactionExplained(tx, transactionId, explanation);
  if (!isDone) throw new AppError('not_found');
}
