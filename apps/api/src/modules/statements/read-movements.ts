/** Reads all that moved one account, page by page, from the newest down. */
import type { JournalTransfer, Ledger, LedgerAccountId } from '../../ledger/index.ts';
import { AppError } from '../../platform/errors.ts';

const PAGE_SIZE = 100;
/** Each is a read of at most some 5 ms. An account that has moved 200,000 times since takes the last second of them. */
const PAGES_MAX = 400;

export interface Movements {
  /** Oldest first. */
  readonly transfers: readonly JournalTransfer[];
  /** The balance before the first of them. */
  readonly openingUnits: bigint;
}

export const afterOf = (transfer: JournalTransfer, accountId: LedgerAccountId): bigint =>
  transfer.debitAccountId === accountId ? transfer.debitAfterUnits : transfer.creditAfterUnits;

export const changeOf = (
  { debitAccountId, amountUnits }: JournalTransfer,
  accountId: LedgerAccountId,
): bigint => (debitAccountId === accountId ? 0n - amountUnits : amountUnits);

/**
 * What moved the account from a time on and before another. The opening balance is that of the movement before. Throws
 * `too_many_movements`.
 */
export async function readMovements(
  ledger: Ledger,
  accountId: LedgerAccountId,
  { from, to, countMax }: { readonly from: Date; readonly to: Date; readonly countMax: number },
): Promise<Movements> {
  const newestFirst: JournalTransfer[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const { transfers, next } = await ledger.walkHistory({
      accountIds: [accountId],
      limit: PAGE_SIZE,
      to,
      ...(cursor !== undefined && { cursor }),
    });
    const before = transfers.findIndex(({ at }) => at < from);
    newestFirst.push(...(before < 0 ? transfers : transfers.slice(0, before)));
    if (newestFirst.length > countMax) break;
    const last = transfers[before];
    if (last !== undefined) {
      return { transfers: newestFirst.toReversed(), openingUnits: afterOf(last, accountId) };
    }
    if (next === undefined) return { transfers: newestFirst.toReversed(), openingUnits: 0n };
    cursor = next;
  }
  throw new AppError('too_many_movements');
}
