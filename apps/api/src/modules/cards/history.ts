/** How card payments appear in the history and among the live events. */
import type { HISTORY_REASONS, HistoryItem } from '@athos/contract/wallet/history';
import { centsNumber, usdCents } from '@athos/domain/money';
import type { HistorySource, LiveEventSource, TransferObjects } from '../../capability.ts';
import {
  systemAccountId,
  TransferKind,
  userIdOfAccount,
  type JournalTransfer,
} from '../../ledger/index.ts';
import { invariant } from '../../platform/errors.ts';
import type { Db } from '../../platform/database/database.ts';
import { presentMovement } from '../transfers/index.ts';
import {
  selectAcceptedMethods,
  selectCanceledPayments,
  selectObjects,
  selectPayments,
  type PaymentRow,
} from './history.sql.ts';

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

type Reason = (typeof HISTORY_REASONS)[number];

type AcceptedMethods = Awaited<ReturnType<typeof selectAcceptedMethods>>;

/** The reason shown for a refund's movements. Tokens held for a refund are shown as the refund once it is accepted. */
function reasonOfRefund(
  { key, debitAccountId }: JournalTransfer,
  accepted: AcceptedMethods,
): Reason {
  if (userIdOfAccount(debitAccountId) !== undefined) {
    const method = accepted.get(key);
    if (method === undefined) return 'held';
    return method === 'bank' ? 'refund_by_bank' : 'refund_to_card';
  }
  return debitAccountId === systemAccountId('holds', 'ATH') ? 'released' : 'refund_returned';
}

function reasonOf(transfer: JournalTransfer, accepted: AcceptedMethods): Reason | undefined {
  const isPaid = userIdOfAccount(transfer.debitAccountId) !== undefined;
  switch (transfer.kind) {
    case TransferKind.Refund:
      return reasonOfRefund(transfer, accepted);
    case TransferKind.Chargeback:
      return isPaid ? 'chargeback' : 'chargeback_returned';
    case TransferKind.WriteOff:
      return 'adjustment';
    default:
      return undefined;
  }
}

function presentReturn(transfer: JournalTransfer, reason: Reason): HistoryItem {
  const isPaid = userIdOfAccount(transfer.debitAccountId) !== undefined;
  return {
    type: isPaid ? 'Send' : 'Receive',
    data: { ...presentMovement(transfer, null), reason },
  };
}

async function presentCredits(
  db: Db,
  userId: bigint,
  transfers: readonly JournalTransfer[],
): Promise<ReadonlyMap<bigint, HistoryItem>> {
  const ids = transfers.map(({ transferId }) => transferId);
  const payments = ids.length === 0 ? [] : await selectPayments(db, userId, ids);
  return new Map(payments.map(presentPayment).map(({ id, item }) => [id, item]));
}

const ORDER_KINDS: readonly TransferKind[] = [
  TransferKind.CardCredit,
  TransferKind.CardMoney,
  TransferKind.CardFee,
];

/**
 * Transfers of an order have its id as their key, and those of a refund the refund's id. Transfers of a provider's transaction have the
 * id of the booking, which names its order or else the transaction. Each transfer of a dispute has a key of its own, which is stored with
 * the dispute.
 */
export const cardObjects: TransferObjects = {
  kinds: [
    ...ORDER_KINDS,
    TransferKind.Refund,
    TransferKind.Chargeback,
    TransferKind.ProviderFee,
    TransferKind.Recovery,
    TransferKind.WriteOff,
    TransferKind.Payout,
    TransferKind.Booking,
  ],
  async find(db, transfers) {
    const keys = transfers.filter(({ kind }) => !ORDER_KINDS.includes(kind)).map(({ key }) => key);
    const found = await selectObjects(db, keys);
    return new Map(
      transfers.flatMap(({ transferId, kind, key }) => {
        const object = ORDER_KINDS.includes(kind)
          ? { type: 'card_order', id: key }
          : found.get(key);
        return object === undefined ? [] : [[transferId, object] as const];
      }),
    );
  },
};

export const cardHistory: HistorySource = {
  // The card money itself moves in US cents between accounts of the programme, so it is in no user's list.
  kinds: [
    { kind: TransferKind.CardCredit, received: 'Payment' },
    { kind: TransferKind.Refund, paid: 'Send', received: 'Receive' },
    { kind: TransferKind.Chargeback, paid: 'Send', received: 'Receive' },
    { kind: TransferKind.WriteOff, received: 'Receive' },
  ],
  async present(db, userId, transfers) {
    const refunds = transfers.filter(({ kind }) => kind === TransferKind.Refund);
    const credits = transfers.filter(({ kind }) => kind === TransferKind.CardCredit);
    const [items, accepted] = await Promise.all([
      presentCredits(db, userId, credits),
      selectAcceptedMethods(
        db,
        refunds.map(({ key }) => key),
      ),
    ]);
    return transfers.map((transfer) => {
      const item = items.get(transfer.transferId);
      if (item !== undefined) return item;
      const reason = reasonOf(transfer, accepted);
      invariant(reason !== undefined, 'a card credit has its order');
      return presentReturn(transfer, reason);
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
