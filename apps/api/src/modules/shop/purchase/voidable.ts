/**
 * The refundable items of a debtor's purchases, with a proposal that covers the debt of a lost dispute. Staff refund each purchase like
 * any other.
 */
import { athHundredths, microAthFromHundredths } from '@athos/domain/money';
import type { Db } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { findDebt } from '../../cards/index.ts';
import { selectOpenLines, type OpenLine } from './purchase-list.sql.ts';

const priceOf = ({ priceAthHundredths }: OpenLine): bigint =>
  microAthFromHundredths(athHundredths(priceAthHundredths));

/** Throws `not_found`. */
export async function readVoidable(db: Db, disputeId: string) {
  const debt = await findDebt(db, disputeId);
  if (debt === undefined) throw new AppError('not_found');
  const lines = await selectOpenLines(db, debt.userId, debt.creditedAt);
  let left = debt.owedMicroAth;
  return {
    owed_token_amount: debt.owedMicroAth.toString(),
    lines: lines.map((line) => {
      const price = priceOf(line);
      let proposedCount = 0;
      for (; proposedCount < line.openCount && left > 0n && price > 0n; proposedCount += 1) {
        left -= price;
      }
      return {
        purchase_id: parseInt(line.purchaseId.toString(), 10),
        line: line.line,
        title: line.title,
        purchased_at: line.purchasedAt.toISOString(),
        price: price.toString(),
        open_count: line.openCount,
        proposed_count: proposedCount,
      };
    }),
  };
}
