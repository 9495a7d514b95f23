/** Reads all movements of one account, page by page, from the newest on. */
import type { JournalTransfer, Ledger, LedgerAccountId } from '../../ledger/index.ts';
import { AppError } from '../../platform/errors.ts';

const PAGE_SIZE = 100;
/** Each page is read in at most some 5 ms. If an account has moved 200,000 times since the month, paging to it takes a second. */
const PAGES_MAX = 400;

export interface Movements {
  /** Oldest first. */
  readonly transfers: readonly JournalTransfer[];
  /** The balance before the first of these transfers. */
  readonly openingUnits: bigint;
}

export const afterOf = (transfer: JournalTransfer, accountId: LedgerAccountId): bigint =>
  transfer.debitAccountId === accountId ? transfer.debitAfterUnits : transfer.creditAfterUnits;

export const changeOf = (
  { debitAccountId, amountUnits }: JournalTransfer,
  accountId: LedgerAccountId,
): bigint => (debitAccountId === accountId ? 0n - amountUnits : amountUnits);

/**
 * Reads the movements of an account in a range of time. The opening balance is the balance after the movement before the range. Throws
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
