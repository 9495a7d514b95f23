/**
 * Lists the transactions of our balance at the provider and joins each with its booking. A transaction that was not announced yet is
 * looked up by its source, so that money is booked even if no event ever came.
 */
import { TransferKind, type GroupTransferRequest } from '../../../ledger/index.ts';
import { dateOf } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { invariant } from '../../../platform/errors.ts';
import { insertTransaction } from '../bookings/bookings.sql.ts';
import { bookTransaction, matchTransaction } from '../bookings/match.ts';
import type { DisputeDeps } from '../disputes/debts.ts';
import { refreshDispute } from '../disputes/refresh-disputes.ts';
import { fetchAndSettle } from '../orders/settle.ts';
import type { CardTransaction } from '../provider/card-money.ts';
import { refreshProviderRefund } from '../refunds/refresh-refunds.ts';
import { storeProviderList } from './provider-list.ts';
import {
  isTransactionBooked,
  selectBalancedAt,
  selectDisputedOrderId,
  selectFirstOrderTime,
  selectUnmatchedTransactions,
  updateLookedAt,
} from './reconciliation.sql.ts';

/** The number of transactions looked up by their source in one run; the next run continues. */
const LOOK_UPS_MAX = 500;

async function readSlice(deps: DisputeDeps, from: Date, to: Date): Promise<CardTransaction[]> {
  const listed: CardTransaction[] = [];
  for await (const transaction of deps.cardProvider.listTransactions({ from, to })) {
    // Our books are in US dollars, and so is the balance that the provider pays out.
    if (transaction.currency === 'usd') listed.push(transaction);
  }
  return listed;
}

async function post(
  { ledger }: DisputeDeps,
  tx: Tx,
  transfers: readonly GroupTransferRequest[] | undefined,
): Promise<void> {
  if (transfers === undefined || transfers.length === 0) return;
  const outcome = await ledger.transferInTx(tx, transfers);
  invariant(outcome.outcome !== 'refused', 'money of the provider can always be booked');
}

/**
 * Stores new transactions, each slice completely or not at all. Before the first mark, those since the last day that missed none, or else
 * all. Returns whether the list was read to its end.
 */
const storeListed = (deps: DisputeDeps): Promise<boolean> =>
  storeProviderList(deps, {
    mark: 'card_transactions_listed',
    missingSince: async (mark) =>
      mark ??
      (await selectBalancedAt(deps.db)) ??
      (await selectFirstOrderTime(deps.db)) ??
      dateOf(deps.clock),
    async storeSlice({ from, to }, moveMark) {
      const listed = await readSlice(deps, from, to);
      const listedAt = dateOf(deps.clock);
      await deps.db.transaction().execute(async (tx) => {
        for (const transaction of listed) await insertTransaction(tx, transaction, listedAt);
        await moveMark(tx);
      });
    },
  });

/** Joins a listed transaction with the booking that is waiting for it. */
async function matchListed(deps: DisputeDeps, transaction: CardTransaction): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const matched = await matchTransaction(tx, transaction, { at: dateOf(deps.clock) });
    await post(deps, tx, matched?.transfers);
  });
}

/** Payouts and their failures are booked directly; both name the payout. */
async function bookPayout(deps: DisputeDeps, transaction: CardTransaction): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const booked = await bookTransaction(tx, transaction, {
      at: dateOf(deps.clock),
      what: 'payout',
      orderId: null,
      kind: TransferKind.Payout,
      account: 'bank',
      feeAccount: 'provider_fees',
    });
    await post(deps, tx, booked?.transfers);
  });
}

/** Books a fee of a dispute that the dispute's own transactions do not show, such as the fee for answering it. */
async function bookDisputeFee(deps: DisputeDeps, transaction: CardTransaction): Promise<void> {
  const orderId = await selectDisputedOrderId(deps.db, transaction.sourceId ?? '');
  if (orderId === undefined) return;
  await deps.db.transaction().execute(async (tx) => {
    const booked = await bookTransaction(tx, transaction, {
      at: dateOf(deps.clock),
      what: 'dispute',
      orderId,
      kind: TransferKind.ProviderFee,
      account: 'dispute_fees',
      feeAccount: 'dispute_fees',
    });
    await post(deps, tx, booked?.transfers);
  });
}

/** Books the transaction directly, or looks up the object behind it, whose own rules book it. */
async function lookUp(deps: DisputeDeps, transaction: CardTransaction): Promise<void> {
  const { type, sourceId } = transaction;
  if (sourceId === undefined) return;
  if (type === 'payout' || type === 'payout_failure' || type === 'payout_cancel') {
    return bookPayout(deps, transaction);
  }
  if (type === 'charge' || type === 'payment') {
    const intentId = await deps.cardProvider.intentOfCharge(sourceId);
    if (intentId !== undefined) await fetchAndSettle(deps, intentId);
  } else if (type.endsWith('refund') || type === 'refund_failure') {
    await refreshProviderRefund(deps, sourceId);
  } else if (type === 'adjustment' && /^(dp|du)_/.test(sourceId)) {
    await refreshDispute(deps, sourceId);
  } else if (type === 'stripe_fee') return bookDisputeFee(deps, transaction);
  await matchListed(deps, transaction);
}

/** Joins or books every transaction that is not booked yet. If one cannot be looked up, the others are not delayed. */
async function resolveUnmatched(deps: DisputeDeps): Promise<void> {
  for (const transaction of await selectUnmatchedTransactions(deps.db, LOOK_UPS_MAX)) {
    await updateLookedAt(deps.db, transaction.transactionId, dateOf(deps.clock));
    try {
      await matchListed(deps, transaction);
      if (await isTransactionBooked(deps.db, transaction.transactionId)) continue;
      await lookUp(deps, transaction);
    } catch (error) {
      deps.log.warn(
        { err: error, transactionId: transaction.transactionId },
        'a transaction could not be looked up',
      );
    }
  }
}

/**
 * The job that lists transactions. It is idempotent: by its id, a transaction is stored, joined and booked only once. Returns whether the
 * list was read to its end.
 */
export async function listTransactions(deps: DisputeDeps): Promise<boolean> {
  const isComplete = await storeListed(deps);
  await resolveUnmatched(deps);
  return isComplete;
}
