/**
 * One page of a user's history: the ledger's movements and the cancelled payments, merged by number, newest first. Both
 * share one sequence of numbers, so the merge needs no dates.
 */
import { TOKEN_ASSETS } from '@athos/domain/money';
import type { HISTORY_TYPES } from '@athos/contract/wallet/history';
import {
  TransferKind,
  userAccountId,
  userIdOfAccount,
  type HistoryPage,
  type JournalTransfer,
  type Ledger,
} from '../../../ledger/index.ts';
import type { Db } from '../../../platform/database/database.ts';
import type { HistoryPosition } from './history-cursor.ts';
import { selectCanceledPayments, type PaymentRow } from './history.sql.ts';

export type HistoryType = (typeof HISTORY_TYPES)[number];

/** What users see of the journal. Card money is in US cents between accounts of the programme, so no user's list holds it. */
const KINDS: Readonly<Record<HistoryType, readonly TransferKind[]>> = {
  Send: [TransferKind.Send, TransferKind.Adjustment],
  Receive: [TransferKind.Send, TransferKind.Adjustment, TransferKind.Tip],
  Reward: [TransferKind.Reward, TransferKind.Seed],
  Payment: [TransferKind.CardCredit],
  Purchase: [TransferKind.Purchase, TransferKind.Tip],
};
const ALL_KINDS = [...new Set(Object.values(KINDS).flat())];
/** Sends and receipts are one kind in the journal: so many times a filter asks for more before it answers a short page. */
const WALK_COUNT_MAX = 20;

export interface HistoryFilter {
  readonly userId: bigint;
  readonly limit: number;
  readonly type: HistoryType | undefined;
  readonly from: Date | undefined;
  readonly to: Date | undefined;
}

export type HistoryEntry =
  | { readonly id: bigint; readonly transfer: JournalTransfer }
  | { readonly id: bigint; readonly canceled: PaymentRow };

/** `undefined` for a kind that no user sees. */
export function typeOfTransfer(transfer: JournalTransfer, userId: bigint): HistoryType | undefined {
  const isPayer = userIdOfAccount(transfer.debitAccountId) === userId;
  if (transfer.kind === TransferKind.Tip) return isPayer ? 'Purchase' : 'Receive';
  const type = (Object.keys(KINDS) as HistoryType[]).find((candidate) =>
    KINDS[candidate].includes(transfer.kind),
  );
  if (type !== 'Send' && type !== 'Receive') return type;
  return isPayer ? 'Send' : 'Receive';
}

async function walkLedger(
  ledger: Ledger,
  { userId, type, from, to }: HistoryFilter,
  position: HistoryPosition,
  limit: number,
): Promise<HistoryPage> {
  const transfers: JournalTransfer[] = [];
  let cursor = position.ledger;
  for (let walkCount = 0; walkCount < WALK_COUNT_MAX; walkCount += 1) {
    const page = await ledger.walkHistory({
      accountIds: TOKEN_ASSETS.map((asset) => userAccountId(userId, asset)),
      limit: limit - transfers.length,
      kinds: type === undefined ? ALL_KINDS : KINDS[type],
      ...(cursor === undefined ? {} : { cursor }),
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
    });
    transfers.push(
      ...page.transfers.filter(
        (transfer) => type === undefined || typeOfTransfer(transfer, userId) === type,
      ),
    );
    cursor = page.next;
    if (cursor === undefined || transfers.length === limit) break;
  }
  return { transfers, next: cursor };
}

async function canceledBeside(
  db: Db,
  { userId, limit, type, from, to }: HistoryFilter,
  position: HistoryPosition,
  page: HistoryPage,
): Promise<PaymentRow[]> {
  if (type !== undefined && type !== 'Payment') return [];
  const last = page.transfers.at(-1)?.transferId;
  // The ledger has more below its last row, or below none: what lies there must wait for a later page.
  if (page.next !== undefined && last === undefined) return [];
  const afterId = page.next === undefined ? undefined : last;
  return selectCanceledPayments(db, {
    userId,
    limit,
    beforeId: position.canceledBeforeId,
    afterId,
    from,
    to,
  });
}

export async function readHistoryPage(
  { db, ledger }: { readonly db: Db; readonly ledger: Ledger },
  filter: HistoryFilter,
  position: HistoryPosition,
): Promise<{ entries: readonly HistoryEntry[]; next: HistoryPosition | undefined }> {
  const page: HistoryPage = position.isLedgerAtEnd
    ? { transfers: [], next: undefined }
    : await walkLedger(ledger, filter, position, filter.limit);
  const canceled = await canceledBeside(db, filter, position, page);
  const merged = [
    ...page.transfers.map((transfer) => ({ id: transfer.transferId, transfer })),
    ...canceled.map((payment) => ({ id: payment.history_id ?? 0n, canceled: payment })),
  ].toSorted((a, b) => (a.id < b.id ? 1 : -1));
  const entries: HistoryEntry[] = merged.slice(0, filter.limit);
  const takenCount = entries.filter((entry) => 'transfer' in entry).length;
  // Cancelled payments pushed movements off this page: the ledger's cursor must stand before those.
  const isCut = takenCount < page.transfers.length;
  const ledgerNext = !isCut
    ? page.next
    : takenCount === 0
      ? position.ledger
      : (await walkLedger(ledger, filter, position, takenCount)).next;
  const isLedgerAtEnd = !isCut && page.next === undefined;
  const lastCanceled = entries.findLast((entry) => 'canceled' in entry);
  const hasMore =
    !isLedgerAtEnd || merged.length > entries.length || canceled.length === filter.limit;
  return {
    entries,
    next: hasMore
      ? {
          ledger: ledgerNext,
          isLedgerAtEnd,
          canceledBeforeId: lastCanceled?.id ?? position.canceledBeforeId,
        }
      : undefined,
  };
}
