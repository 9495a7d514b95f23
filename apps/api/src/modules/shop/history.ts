/** How purchases and tips appear in the history of the buyer, the giver and the beneficiary. */
import type { HistoryItem } from '@athos/contract/wallet/history';
import { microAth, wholeHundredths } from '@athos/domain/money';
import type { HistorySource, TransferObjects } from '../../capability.ts';
import { TransferKind, userIdOfAccount, type JournalTransfer } from '../../ledger/index.ts';
import { invariant } from '../../platform/errors.ts';
import { presentMovement } from '../transfers/index.ts';
import {
  selectPurchaseIds,
  selectSales,
  selectTipWords,
  selectTitles,
  type SaleRow,
  type TipWords,
} from './history.sql.ts';

const saleName = ({ key, line }: { key: string; line: number }): string => `${key} ${line}`;

const tipName = ({ giverId, key }: { giverId: bigint; key: string }): string => `${giverId} ${key}`;

/** A tip that the user received; `undefined` for any other transfer, including a tip that the user gave. */
function receivedTip(
  { kind, debitAccountId, key }: JournalTransfer,
  userId: bigint,
): { giverId: bigint; key: string } | undefined {
  const giverId = userIdOfAccount(debitAccountId);
  if (kind !== TransferKind.Tip || giverId === undefined || giverId === userId) return undefined;
  return { giverId, key };
}

function presentSale(transfer: JournalTransfer, sale: SaleRow | undefined): HistoryItem {
  invariant(sale !== undefined, 'every purchase has its line and every tip its row');
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

/** A giver may stay anonymous, so the beneficiary does not see the giver's address. */
const presentReceivedTip = (
  transfer: JournalTransfer,
  words: TipWords | undefined,
): HistoryItem => ({
  type: 'Receive',
  data: {
    ...presentMovement(transfer, null),
    ...(words === undefined ? {} : { tip_from: words.tipFrom, note: words.note }),
  },
});

const presentRefund = (transfer: JournalTransfer): HistoryItem => ({
  type: 'Receive',
  data: { ...presentMovement(transfer, null), reason: 'purchase_refund' },
});

export const shopHistory: HistorySource = {
  kinds: [
    { kind: TransferKind.Purchase, paid: 'Purchase' },
    { kind: TransferKind.Tip, paid: 'Purchase', received: 'Receive' },
    { kind: TransferKind.PurchaseRefund, received: 'Receive' },
  ],
  titles: selectTitles,
  async present(db, userId, transfers) {
    const entries = transfers.map((transfer) => ({ transfer, tip: receivedTip(transfer, userId) }));
    const saleKeys = entries.flatMap(({ transfer, tip }) =>
      tip || transfer.kind === TransferKind.PurchaseRefund ? [] : [transfer.key],
    );
    const [sales, tipWords] = await Promise.all([
      selectSales(db, userId, [...new Set(saleKeys)]),
      selectTipWords(
        db,
        userId,
        entries.flatMap(({ tip }) => tip ?? []),
      ),
    ]);
    const saleOf = new Map(sales.map((sale) => [saleName(sale), sale]));
    const wordsOf = new Map(tipWords.map((words) => [tipName(words), words]));
    return entries.map(({ transfer, tip }) => {
      if (tip !== undefined) return presentReceivedTip(transfer, wordsOf.get(tipName(tip)));
      return transfer.kind === TransferKind.PurchaseRefund
        ? presentRefund(transfer)
        : presentSale(transfer, saleOf.get(saleName(transfer)));
    });
  },
};

/** The key of a purchase is that of its transfers, which belongs to the buyer. */
export const shopObjects: TransferObjects = {
  kinds: [TransferKind.Purchase],
  async find(db, transfers) {
    const sales = transfers.flatMap(({ transferId, debitAccountId, key }) => {
      const userId = userIdOfAccount(debitAccountId);
      return userId === undefined ? [] : [{ transferId, userId, key }];
    });
    const ids = await selectPurchaseIds(db, sales);
    return new Map(
      sales.flatMap(({ transferId, userId, key }) => {
        const id = ids.get(`${userId} ${key}`);
        return id === undefined ? [] : [[transferId, { type: 'purchase', id: id.toString() }]];
      }),
    );
  },
};
