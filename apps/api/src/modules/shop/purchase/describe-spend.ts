/** The facts about a purchase or a tip that the confirmation rules need. */
import type { BodyOf } from '@athos/contract/api';
import {
  athHundredths,
  microAth,
  microAthFromHundredths,
  parseUnits,
  priceOfItems,
} from '@athos/domain/money';
import { dateOf } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/database.ts';
import type { Spend } from '../../identity/index.ts';
import { readWorth } from '../../rate/index.ts';
import type { BuyDeps } from './buy.ts';
import type { CartLine } from './cart-check.ts';
import { selectOffers } from './offers.sql.ts';

/** Uses the current prices. Unknown offers cost nothing, since the purchase is refused because of them. */
export async function describePurchase(
  { db, clock }: Pick<BuyDeps, 'db' | 'clock'>,
  lines: readonly CartLine[],
): Promise<Spend> {
  const ids = [...new Set(lines.map(({ offerId }) => offerId))];
  const offers = await selectOffers(db, ids, dateOf(clock));
  const prices = new Map(offers.map((offer) => [offer.id, offer.price_ath_hundredths]));
  const priced = lines.map(({ offerId, itemCount }) => {
    const price = athHundredths(prices.get(offerId) ?? 0);
    return {
      offerId,
      itemCount,
      price,
      total: microAthFromHundredths(priceOfItems(price, itemCount)),
    };
  });
  const amount = microAth(priced.reduce((sum, { total }) => sum + total, 0n));
  return {
    act: 'purchase',
    parts: priced.map(({ offerId, itemCount, price }) => `${offerId}:${itemCount}:${price}`),
    facts: { amount: amount.toString(), asset: 'ATH' },
    worth: await readWorth(db, amount),
  };
}

export async function describeTip(
  db: Db,
  { offer_id: offerId, amount }: BodyOf<'tip'>,
): Promise<Spend> {
  return {
    act: 'tip',
    parts: [String(offerId), amount],
    facts: { amount, asset: 'ATH' },
    worth: await readWorth(db, microAth(parseUnits(amount))),
  };
}
