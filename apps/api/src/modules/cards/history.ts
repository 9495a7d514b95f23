/** How card payments appear in the history and among the live events. */
import type { HistoryItem } from '@athos/contract/wallet/history';
import { centsNumber, usdCents } from '@athos/domain/money';
import type { HistorySource, LiveEventSource } from '../../capability.ts';
import { TransferKind } from '../../ledger/index.ts';
import { invariant } from '../../platform/errors.ts';
import { selectCanceledPayments, selectPayments, type PaymentRow } from './history.sql.ts';

function presentPayment(payment: PaymentRow): { id: bigint; item: HistoryItem } {
  const { history_id: id, closed_at: closedAt, state } = payment;
  invariant(id !== null && closedAt !== null, 'a payment in the history is final');
  return {
    id,
    item: {
      type: 'Payment',
      data: {
        id: parseInt(id.toString(), 10),
        date: closedAt.toISOString(),
        token_amount: payment.amount_micro_ath.toString(),
        amount_paid: centsNumber(usdCents(payment.total_usd_cents)),
        tx_fee: centsNumber(usdCents(payment.processing_fee_usd_cents)),
        athos_fee: centsNumber(usdCents(payment.product_fee_usd_cents)),
        stripe_status: state === 'credited' ? 1 : 2,
      },
    },
  };
}

export const cardHistory: HistorySource = {
  // The card money itself moves in US cents between accounts of the programme, so it is in no user's list.
  kinds: [{ kind: TransferKind.CardCredit, received: 'Payment' }],
  async present(db, userId, transfers) {
    const payments = await selectPayments(
      db,
      userId,
      transfers.map(({ transferId }) => transferId),
    );
    const items = new Map(payments.map(presentPayment).map(({ id, item }) => [id, item]));
    return transfers.map(({ transferId }) => {
      const item = items.get(transferId);
      invariant(item !== undefined, 'a card credit has its order');
      return item;
    });
  },
  unposted: {
    type: 'Payment',
    select: async (db, range) => (await selectCanceledPayments(db, range)).map(presentPayment),
    async find(db, userId, id) {
      const [payment] = await selectPayments(db, userId, [id]);
      return payment && presentPayment(payment).item;
    },
  },
};

export const cardLiveEvents: LiveEventSource = {
  channel: 'payment_changed',
  read: (_db, id) => Promise.resolve({ type: 'payment', id }),
};
