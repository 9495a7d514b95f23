/** Changes of stock by staff. A purchase decrements the column `stock_left`; moves record every other change of it. */
import type { ConsoleBodyOf } from '@athos/contract/console/calls';
import { OFFER_KINDS } from '@athos/contract/wallet/catalogue';
import { dateOf, type Clock } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { readOffer } from '../catalogue/read-offer.ts';
import { lockOffer } from '../catalogue/staff-offers.sql.ts';
import { insertMove, updateLeft } from './stock.sql.ts';

type StockChange = ConsoleBodyOf<'changeStock'>;

/** The stock after the change. Throws `stock_below_sold` if more were sold than the change assumes, and `offer_state`. */
function leftAfter(change: StockChange, left: number | null): number | null {
  switch (change.kind) {
    case 'unlimited':
      return null;
    case 'count': {
      if ((change.seen === null) !== (left === null)) {
        throw new AppError('offer_state', {
          detail: 'The stock was limited or freed meanwhile: count again.',
        });
      }
      // Items sold since the count are subtracted.
      const sold = change.seen === null || left === null ? 0 : change.seen - left;
      return requireNotBelow(change.left - sold);
    }
    case 'correction':
      if (left === null) {
        throw new AppError('offer_state', { detail: 'The stock has no limit: count it first.' });
      }
      return requireNotBelow(left + change.change);
  }
}

function requireNotBelow(left: number): number {
  if (left >= 0) return left;
  throw new AppError('stock_below_sold', {
    detail: `${-left} more than that have already been sold.`,
  });
}

/** Changes the stock. Returns the stock before and after. */
export async function changeStock(
  { clock }: { readonly clock: Clock },
  tx: Tx,
  { offerId, change, staffId }: { offerId: number; change: StockChange; staffId: string },
) {
  if (!(await lockOffer(tx, offerId))) throw new AppError('not_found');
  const { row } = await readOffer(tx, offerId);
  if (row.kind === OFFER_KINDS.Tip) {
    throw new AppError('offer_state', { detail: 'A tip has no stock.' });
  }
  const before = row.stock_left;
  const after = leftAfter(change, before);
  await updateLeft(tx, offerId, after);
  const { kind, reason } = change;
  await insertMove(tx, {
    offer_id: offerId,
    kind,
    before,
    after,
    staff_id: staffId,
    reason,
    at: dateOf(clock),
  });
  return { before, after };
}
