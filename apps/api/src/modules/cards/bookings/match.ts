/** Joins a transaction of the provider's balance with the booking of ours that it belongs to, and books its fee. */
import { units } from '@athos/domain/money';
import {
  systemAccountId,
  TransferKind,
  type GroupTransferRequest,
  type SystemAccount,
} from '../../../ledger/index.ts';
import type { Tx } from '../../../platform/database/database.ts';
import type { CardTransaction } from '../provider/card-money.ts';
import {
  insertTransaction,
  lockBooking,
  lockBookingOf,
  lockTransaction,
  updateMatched,
} from './bookings.sql.ts';

/** The fee is the last line of a booking, so that it can be booked later than the others. */
const FEE_LINE = 99;

const usdAccount = (name: SystemAccount) => systemAccountId(name, 'USD');

/** A negative fee is one that the provider gives back. */
function feeTransfers(
  bookingId: string,
  feeUsdCents: bigint,
  account: SystemAccount = 'provider_fees',
): GroupTransferRequest[] {
  if (feeUsdCents === 0n) return [];
  const isCharged = feeUsdCents > 0n;
  return [
    {
      key: bookingId,
      line: FEE_LINE,
      kind: TransferKind.ProviderFee,
      debitAccountId: usdAccount(isCharged ? account : 'card_provider'),
      creditAccountId: usdAccount(isCharged ? 'card_provider' : account),
      amountUnits: units(isCharged ? feeUsdCents : -feeUsdCents),
    },
  ];
}

/**
 * Stores the transaction, and joins it with the booking `bookingId`, or with the one of its source and amount. Returns the booking
 * and the transfers of the fee, which the caller posts; `undefined` if there is nothing to join, or both were joined before.
 */
export async function matchTransaction(
  tx: Tx,
  transaction: CardTransaction,
  { at, bookingId }: { readonly at: Date; readonly bookingId?: string },
): Promise<{ bookingId: string; transfers: GroupTransferRequest[] } | undefined> {
  await insertTransaction(tx, transaction, at);
  const row = await lockTransaction(tx, transaction.transactionId);
  if (row === undefined || row.booking_id !== null) return undefined;
  const booking =
    bookingId === undefined ? await lockBookingOf(tx, row) : await lockBooking(tx, bookingId);
  // An amount that differs is left to a person: both then count as unmatched.
  if (booking === undefined || booking.matched_at !== null) return undefined;
  if (booking.amount_usd_cents !== row.amount_usd_cents) return undefined;
  await updateMatched(tx, { booking, transaction: row, at });
  return { bookingId: booking.id, transfers: feeTransfers(booking.id, row.fee_usd_cents) };
}
