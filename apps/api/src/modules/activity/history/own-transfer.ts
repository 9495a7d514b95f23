import { TOKEN_ASSETS } from '@athos/domain/money';
import { userAccountId, type JournalTransfer, type Ledger } from '../../../ledger/index.ts';
import type { HistoryIndex } from './history-index.ts';

/** The transfer, if the user took part in it and their history shows it. */
export async function findOwnTransfer(
  { ledger, index }: { readonly ledger: Ledger; readonly index: HistoryIndex },
  userId: bigint,
  id: bigint,
): Promise<JournalTransfer | undefined> {
  const transfer = await ledger.transferById(id);
  return transfer !== undefined && isOwn(transfer, userId, index) ? transfer : undefined;
}

export function isOwn(transfer: JournalTransfer, userId: bigint, index: HistoryIndex): boolean {
  const { debitAccountId, creditAccountId } = transfer;
  const isSide = TOKEN_ASSETS.some((asset) => {
    const accountId = userAccountId(userId, asset);
    return accountId === debitAccountId || accountId === creditAccountId;
  });
  return isSide && index.typeOf(transfer, userId) !== undefined;
}
