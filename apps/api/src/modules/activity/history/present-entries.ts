/** Entries as the wire has them, with what their own rows do not hold read at once for all of them. */
import type { HistoryItem } from '@athos/contract/wallet/history';
import { microAth, wholeHundredths, type TokenAsset } from '@athos/domain/money';
import {
  assetOfAccount,
  TransferKind,
  userIdOfAccount,
  type JournalTransfer,
} from '../../../ledger/index.ts';
import type { Db } from '../../../platform/database/database.ts';
import { invariant } from '../../../platform/errors.ts';
import { typeOfTransfer, type HistoryEntry, type HistoryType } from './history-page.ts';
import {
  selectPayments,
  selectSales,
  selectTipWords,
  selectUuids,
  type PaymentRow,
  type SaleRow,
  type TipWords,
} from './history.sql.ts';

/** What was found beside the journal for the entries of one page. */
interface Found {
  readonly userId: bigint;
  readonly payments: ReadonlyMap<bigint | null, PaymentRow>;
  /** By key and line of their transfers. */
  readonly sales: ReadonlyMap<string, SaleRow>;
  readonly uuids: ReadonlyMap<bigint, string>;
  /** Of tips received, by giver and key of their transfers. */
  readonly tipWords: ReadonlyMap<string, TipWords>;
}

const saleName = ({ key, line }: { key: string; line: number }): string => `${key} ${line}`;

const tipName = ({ giverId, key }: { giverId: bigint; key: string }): string => `${giverId} ${key}`;

/** A tip that this user received; `undefined` for any other movement, also for a tip given. */
function receivedTip(
  { kind, debitAccountId, key }: JournalTransfer,
  userId: bigint,
): { giverId: bigint; key: string } | undefined {
  const giverId = userIdOfAccount(debitAccountId);
  if (kind !== TransferKind.Tip || giverId === undefined || giverId === userId) return undefined;
  return { giverId, key };
}

/** Who gives a tip may be anonymous, so the beneficiary is not told whose address it came from. */
function counterpartyId(transfer: JournalTransfer, userId: bigint): bigint | undefined {
  if (transfer.kind === TransferKind.Tip) return undefined;
  return [transfer.debitAccountId, transfer.creditAccountId]
    .map(userIdOfAccount)
    .find((id) => id !== undefined && id !== userId);
}

function presentPayment(payment: PaymentRow): HistoryItem {
  const { history_id, closed_at, state } = payment;
  invariant(history_id !== null && closed_at !== null, 'a payment of the history is final');
  return {
    type: 'Payment',
    data: {
      id: Number(history_id),
      date: closed_at.toISOString(),
      token_amount: payment.amount_micro_ath.toString(),
      amount_paid: Number(payment.total_usd_cents),
      tx_fee: Number(payment.processing_fee_usd_cents),
      athos_fee: Number(payment.product_fee_usd_cents),
      stripe_status: state === 'credited' ? 1 : 2,
    },
  };
}

/** A line of a cart, or a tip. */
function presentSale(transfer: JournalTransfer, sale: SaleRow): HistoryItem {
  const amount = wholeHundredths(microAth(transfer.amountUnits));
  invariant(amount !== undefined, 'prices and tips are whole hundredths');
  const date = transfer.at.toISOString();
  return {
    type: 'Purchase',
    data: {
      id: Number(transfer.transferId),
      date,
      purchase_date: date,
      offer_amount: amount,
      offer_count: sale.item_count,
      offer: { kind: sale.kind, title: sale.title, img: sale.img, note: sale.note },
    },
  };
}

function presentMove(
  type: Exclude<HistoryType, 'Payment' | 'Purchase'>,
  transfer: JournalTransfer,
  { userId, uuids, tipWords }: Found,
): HistoryItem {
  const asset = assetOfAccount(transfer.debitAccountId);
  const tip = receivedTip(transfer, userId);
  const words = tip && tipWords.get(tipName(tip));
  invariant(isToken(asset), 'users hold tokens');
  return {
    type,
    data: {
      id: Number(transfer.transferId),
      date: transfer.at.toISOString(),
      amount: transfer.amountUnits.toString(),
      asset,
      counterparty: uuids.get(counterpartyId(transfer, userId) ?? 0n) ?? null,
      ...(words === undefined ? {} : { tip_from: words.tipFrom, note: words.note }),
    },
  };
}

const isToken = (asset: TokenAsset | 'USD'): asset is TokenAsset => asset !== 'USD';

function presentTransfer(transfer: JournalTransfer, found: Found): HistoryItem {
  const type = typeOfTransfer(transfer, found.userId);
  switch (type) {
    case 'Payment': {
      const payment = found.payments.get(transfer.transferId);
      invariant(payment !== undefined, 'a card credit has its order');
      return presentPayment(payment);
    }
    case 'Purchase': {
      const sale = found.sales.get(saleName(transfer));
      invariant(sale !== undefined, 'a purchase has its line, and a tip its row');
      return presentSale(transfer, sale);
    }
    case 'Send':
    case 'Receive':
    case 'Reward':
      return presentMove(type, transfer, found);
    case undefined:
      throw new Error('broken invariant: the walk filters by kind');
  }
}

/** In the order of the entries. */
export async function presentEntries(
  db: Db,
  userId: bigint,
  entries: readonly HistoryEntry[],
): Promise<HistoryItem[]> {
  const transfers = entries.flatMap((entry) => ('transfer' in entry ? [entry.transfer] : []));
  const ofType = Map.groupBy(transfers, (transfer) => typeOfTransfer(transfer, userId));
  const paymentIds = (ofType.get('Payment') ?? []).map(({ transferId }) => transferId);
  const saleKeys = (ofType.get('Purchase') ?? []).map(({ key }) => key);
  const otherIds = transfers.flatMap((transfer) => counterpartyId(transfer, userId) ?? []);
  const tips = transfers.flatMap((transfer) => receivedTip(transfer, userId) ?? []);
  const [payments, sales, uuids, tipWords] = await Promise.all([
    paymentIds.length === 0 ? [] : selectPayments(db, userId, paymentIds),
    saleKeys.length === 0 ? [] : selectSales(db, userId, [...new Set(saleKeys)]),
    selectUuids(db, [...new Set(otherIds)]),
    tips.length === 0 ? [] : selectTipWords(db, userId, tips),
  ]);
  const found: Found = {
    userId,
    payments: new Map(payments.map((payment) => [payment.history_id, payment])),
    sales: new Map(sales.map((sale) => [saleName(sale), sale])),
    uuids,
    tipWords: new Map(tipWords.map((words) => [tipName(words), words])),
  };
  return entries.map((entry) =>
    'transfer' in entry ? presentTransfer(entry.transfer, found) : presentPayment(entry.canceled),
  );
}
