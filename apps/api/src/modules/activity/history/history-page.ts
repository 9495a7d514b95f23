/**
 * One page of a user's history: transfers and lines without a transfer, merged by id, newest first. Their ids come from one
 * sequence, so the merge needs no dates.
 */
import { TOKEN_ASSETS, type Units } from '@athos/domain/money';
import type { HistoryDirection, HistoryType } from '../../../capability.ts';
import { userAccountId, type HistoryPage, type Ledger } from '../../../ledger/index.ts';
import type { Db } from '../../../platform/database/database.ts';
import type { HistoryPosition } from './history-cursor.ts';
import type { HistoryEntry, HistoryIndex } from './history-index.ts';

export interface PageDeps {
  readonly db: Db;
  readonly ledger: Ledger;
  readonly index: HistoryIndex;
}

export interface HistoryFilter {
  readonly userId: bigint;
  readonly limit: number;
  readonly type: HistoryType | undefined;
  readonly from: Date | undefined;
  readonly to: Date | undefined;
  readonly direction: HistoryDirection | undefined;
  /** Both inclusive. */
  readonly amountMin: Units | undefined;
  readonly amountMax: Units | undefined;
}

const walkLedger = (
  { ledger, index }: PageDeps,
  { userId, type, direction, from, to, amountMin, amountMax }: HistoryFilter,
  position: HistoryPosition,
  limit: number,
): Promise<HistoryPage> =>
  ledger.walkHistory({
    accountIds: TOKEN_ASSETS.map((asset) => userAccountId(userId, asset)),
    limit,
    kinds: index.kindsOf(type, direction),
    ...(position.ledger === undefined ? {} : { cursor: position.ledger }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(amountMin === undefined && amountMax === undefined
      ? {}
      : { amountUnits: { min: amountMin, max: amountMax } }),
  });

/** The newest lines without a transfer that fall within the range of `page`. */
async function unpostedBeside(
  { db, index }: PageDeps,
  filter: HistoryFilter,
  position: HistoryPosition,
  page: HistoryPage,
): Promise<(HistoryEntry & { item: unknown })[]> {
  const { userId, limit, type, direction, from, to, amountMin, amountMax } = filter;
  // A line without a transfer moved no value, so it has no direction.
  if (direction !== undefined) return [];
  const last = page.transfers.at(-1)?.transferId;
  // The ledger may have more transfers below the last one found; lines in that range belong to a later page.
  if (page.next !== undefined && last === undefined) return [];
  const afterId = page.next === undefined ? undefined : last;
  const beforeId = position.unpostedBeforeId;
  const range = { userId, limit, beforeId, afterId, from, to, amountMin, amountMax };
  const lists = await Promise.all(
    index.unposted
      .filter((lines) => type === undefined || lines.type === type)
      .map((lines) => lines.select(db, range)),
  );
  return lists.flat().toSorted(newestFirst).slice(0, limit);
}

const newestFirst = (a: { id: bigint }, b: { id: bigint }): number => (a.id < b.id ? 1 : -1);

export async function readHistoryPage(
  deps: PageDeps,
  filter: HistoryFilter,
  position: HistoryPosition,
): Promise<{ entries: readonly HistoryEntry[]; next: HistoryPosition | undefined }> {
  const page: HistoryPage = position.isLedgerAtEnd
    ? { transfers: [], next: undefined }
    : await walkLedger(deps, filter, position, filter.limit);
  const unposted = await unpostedBeside(deps, filter, position, page);
  const merged: HistoryEntry[] = [
    ...page.transfers.map((transfer) => ({ id: transfer.transferId, transfer })),
    ...unposted,
  ].toSorted(newestFirst);
  const entries = merged.slice(0, filter.limit);
  const takenCount = entries.filter((entry) => 'transfer' in entry).length;
  // If other lines displaced transfers from this page, the ledger's cursor must point before the first displaced transfer.
  const isCut = takenCount < page.transfers.length;
  const ledgerNext = !isCut
    ? page.next
    : takenCount === 0
      ? position.ledger
      : (await walkLedger(deps, filter, position, takenCount)).next;
  const isLedgerAtEnd = !isCut && page.next === undefined;
  const lastUnposted = entries.findLast((entry) => 'item' in entry);
  const hasMore =
    !isLedgerAtEnd || merged.length > entries.length || unposted.length === filter.limit;
  return {
    entries,
    next: hasMore
      ? {
          ledger: ledgerNext,
          isLedgerAtEnd,
          unpostedBeforeId: lastUnposted?.id ?? position.unpostedBeforeId,
        }
      : undefined,
  };
}
