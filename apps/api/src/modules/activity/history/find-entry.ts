import type { HistoryEntry } from './history-index.ts';
import type { PageDeps } from './history-page.ts';
import { isOwn } from './own-transfer.ts';

/** The entry of the user's history with this number; `undefined` if there is none. */
export async function findEntry(
  { db, ledger, index }: PageDeps,
  userId: bigint,
  id: bigint,
): Promise<HistoryEntry | undefined> {
  const transfer = await ledger.transferById(id);
  if (transfer !== undefined) {
    return isOwn(transfer, userId, index) ? { id, transfer } : undefined;
  }
  for (const lines of index.unposted) {
    const item = await lines.find(db, userId, id);
    if (item !== undefined) return { id, item };
  }
  return undefined;
}
