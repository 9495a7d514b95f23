/** Joins a transaction of the provider's balance with our booking, and books its fee. */
import { randomUUID } from 'node:crypto';
import { units } from '@athos/domain/money';
import {
  systemAccountId,
  TransferKind,
  type GroupTransferRequest,
  type SystemAccount,
} from '../../../ledger/index.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { invariant } from '../../../platform/errors.ts';
import type { CardTransaction } from '../provider/card-money.ts';
import {
  insertBooking,
  insertTransaction,
  lockBooking,
  lockBookingOf,
  lockTransaction,
  updateMatched,
  type BookingRow,
} from './bookings.sql.ts';

/** The fee is the last line of a booking, so that it can be booked later than the others. */
const FEE_LINE = 99;

const usdAccount = (name: SystemAccount) => systemAccountId(name, 'USD');

/** A negative fee is a fee that the provider returns. */
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

interface MatchOptions {
  readonly at: Date;
  /** The booking, if known. Otherwise the booking with the same source and amount is used. */
  readonly bookingId?: string;
  readonly feeAccount?: SystemAccount;
}

/**
 * Stores the transaction, and joins it with the booking `bookingId`, or with the booking of the same source and amount. Returns the
 * booking and the transfers of the fee, which the caller posts; `undefined` if there is nothing to join, or both were already joined.
 */
export async function matchTransaction(
  tx: Tx,
  transaction: CardTransaction,
  { at, bookingId, feeAccount }: MatchOptions,
): Promise<{ bookingId: string; transfers: GroupTransferRequest[] } | undefined> {
  await insertTransaction(tx, transaction, at);
  const row = await lockTransaction(tx, transaction.transactionId);
  if (row === undefined || row.booking_id !== null) return undefined;
  const booking =
    bookingId === undefined ? await lockBookingOf(tx, row) : await lockBooking(tx, bookingId);
  // A booking with a different amount is left to staff: both then count as unmatched.
  if (booking === undefined || booking.matched_at !== null) return undefined;
  if (booking.amount_usd_cents !== row.amount_usd_cents) return undefined;
  await updateMatched(tx, { booking, transaction: row, at });
  return {
    bookingId: booking.id,
    transfers: feeTransfers(booking.id, row.fee_usd_cents, feeAccount),
  };
}

interface Booked {
  readonly at: Date;
  readonly what: BookingRow['what'];
  readonly orderId: string | null;
  readonly kind: TransferKind;
  /** The accounts against which amount and fee are booked. */
  readonly account: SystemAccount;
  readonly feeAccount: SystemAccount;
}

/**
 * Books a transaction that no booking announced, once. Returns the transfers, which the caller posts; `undefined` if it was already
 * booked.
 */
export async function bookTransaction(
  tx: Tx,
  transaction: CardTransaction,
  { at, what, orderId, kind, account, feeAccount }: Booked,
): Promise<{ transfers: GroupTransferRequest[] } | undefined> {
  await insertTransaction(tx, transaction, at);
  const row = await lockTransaction(tx, transaction.transactionId);
  if (row === undefined || row.booking_id !== null) return undefined;
  const bookingId = randomUUID();
  const amount = transaction.amountUsdCents;
  await insertBooking(tx, {
    id: bookingId,
    what,
    order_id: orderId,
    source_id: row.source_id,
    amount_usd_cents: amount,
    booked_at: at,
  });
  const matched = await matchTransaction(tx, transaction, { at, bookingId, feeAccount });
  invariant(matched !== undefined, 'a booking that was just made is free');
  const hasLeft = amount < 0n;
  const money: GroupTransferRequest = {
    key: bookingId,
    line: 0,
    kind,
    debitAccountId: usdAccount(hasLeft ? account : 'card_provider'),
    creditAccountId: usdAccount(hasLeft ? 'card_provider' : account),
    amountUnits: units(hasLeft ? 0n - amount : amount),
  };
  return { transfers: amount === 0n ? matched.transfers : [money, ...matched.transfers] };
}
