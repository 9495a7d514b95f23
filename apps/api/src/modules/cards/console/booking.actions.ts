/**
 * Bookings by hand, which always need a vote. Money enters or leaves the provider's account only as a transaction of its balance, which
 * gets a booking; for money between other accounts of card money, finance names both accounts.
 */
import { z } from 'zod';
import { usdCents } from '@athos/domain/money';
import { BOOKING_ACCOUNTS } from '@athos/contract/console/card-money';
import type { Action } from '../../../capability.ts';
import { systemAccountId, TransferKind } from '../../../ledger/index.ts';
import { dateOf } from '../../../platform/clock.ts';
import { AppError } from '../../../platform/errors.ts';
import { bookByHand } from '../bookings/by-hand.ts';
import { lockTransaction, selectUserOfSource } from '../bookings/bookings.sql.ts';
import type { DisputeDeps } from '../disputes/debts.ts';
import { lockOrderAndUser } from '../orders/orders.sql.ts';
import { customerOf } from './card-money.actions.ts';

const ofTransaction = z.object({
  transaction_id: z.string().max(255),
  account: z.enum(BOOKING_ACCOUNTS),
});

/** Books a transaction of the provider's balance that belongs to no payment, refund or dispute of ours. */
export const bookTransactionAction: Action<DisputeDeps, z.output<typeof ofTransaction>> = {
  name: 'reconciliation.book',
  subjectType: 'card_transaction',
  permission: 'ledger.book',
  policy: 'bookingPolicy',
  unit: 'USD',
  payload: ofTransaction,
  async lock(_deps, tx, { payload }) {
    if ((await lockTransaction(tx, payload.transaction_id)) === undefined) {
      throw new AppError('not_found');
    }
  },
  async preview(_deps, tx, { payload: { transaction_id: id, account } }) {
    const row = await lockTransaction(tx, id);
    if (row === undefined) throw new AppError('not_found');
    if (row.booking_id !== null) throw new AppError('state_changed');
    const { net_usd_cents: net, source_id: sourceId } = row;
    const userId = await selectUserOfSource(tx, sourceId);
    const cents = net < 0n ? -net : net;
    return {
      subjectId: id,
      version: account,
      ...(userId !== undefined && { customer: await customerOf(tx, userId) }),
      measured: cents,
      usdCents: cents,
      before: { booked: false },
      after: { account, net_usd_cents: net.toString() },
    };
  },
  execute: (deps, tx, { payload }) =>
    bookByHand(deps, tx, {
      transactionId: payload.transaction_id,
      account: payload.account,
      at: dateOf(deps.clock),
    }),
};

const betweenAccounts = z.object({
  debit: z.enum(BOOKING_ACCOUNTS),
  credit: z.enum(BOOKING_ACCOUNTS),
  amountCents: z.int(),
  payment_id: z.uuid().optional(),
});

/** Moves money between two accounts of card money, such as from suspense to the right account. */
export const bookAction: Action<DisputeDeps, z.output<typeof betweenAccounts>> = {
  name: 'ledger.book',
  subjectType: 'programme',
  permission: 'ledger.book',
  policy: 'bookingPolicy',
  unit: 'USD',
  payload: betweenAccounts,
  async lock(_deps, tx, { payload: { payment_id: orderId } }) {
    if (orderId !== undefined && (await lockOrderAndUser(tx, orderId)) === undefined) {
      throw new AppError('not_found');
    }
  },
  async preview(_deps, tx, { payload: { debit, credit, amountCents, payment_id: orderId } }) {
    const cents = BigInt(amountCents);
    const order = orderId === undefined ? undefined : await lockOrderAndUser(tx, orderId);
    return {
      subjectId: debit,
      version: 'open',
      ...(order !== undefined && { customer: await customerOf(tx, order.user_id) }),
      amount: { asset: 'USD', units: cents },
      measured: cents,
      usdCents: cents,
      before: null,
      after: { debit, credit, amount_cents: amountCents, ...(order && { payment_id: order.id }) },
    };
  },
  async execute({ ledger }, tx, { id, payload: { debit, credit, amountCents } }) {
    const outcome = await ledger.transferInTx(tx, [
      {
        key: id,
        line: 0,
        kind: TransferKind.Booking,
        debitAccountId: systemAccountId(debit, 'USD'),
        creditAccountId: systemAccountId(credit, 'USD'),
        amountUnits: usdCents(BigInt(amountCents)),
      },
    ]);
    if (outcome.outcome === 'refused') {
      throw new AppError('insufficient_balance', { detail: 'The account does not have as much.' });
    }
  },
};
