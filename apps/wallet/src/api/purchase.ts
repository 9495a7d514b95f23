/** Buying a cart (spec 7). */
import type { ConfirmedIntent } from '@athos/app-core/intents/intent';
import { queryClient } from '@athos/app-core/query-client';
import { moveValue, type Outcome } from '@athos/client/outcome';
import { microAth, parseUnits } from '@athos/domain/money';
import type { CartItem } from '../state/cart-item.ts';
import type { Bought } from '../state/cart-purchase.ts';
import { syncBalance } from './balance.ts';
import { refreshHistory } from './history-updates.ts';
import { client } from './http.ts';
import { OFFERS_KEY } from './offers.ts';
import { refreshPurchases } from './purchases.ts';

/**
 * Buys all items at their recorded prices, or none, and refreshes what changed. The lists are sorted by offer, so the
 * same cart makes the same request regardless of the order in which it was filled.
 */
export async function purchase({
  key,
  content: items,
  isRepeat,
}: ConfirmedIntent<readonly CartItem[]>): Promise<Outcome<Bought>> {
  const lines = items.toSorted((left, right) => left.offer.id - right.offer.id);
  const body = {
    offer_ids: lines.map(({ offer }) => offer.id),
    offer_counts: lines.map(({ count }) => count),
    offer_amounts: lines.map(({ offer }) => offer.price),
  };
  const outcome = await moveValue(async (): Promise<Bought> => {
    const { purchase_id: purchaseId, balance } = await client.call('purchase', { body, key });
    return { purchaseId, balance: microAth(parseUnits(balance)) };
  }, isRepeat);
  void syncBalance();
  if (outcome.status === 'done') {
    void refreshHistory();
    void refreshPurchases();
  } else {
    refreshOffers();
  }
  return outcome;
}

/**
 * The prices in the cart may be out of date. A pending response to an earlier request must not be used for this one.
 */
function refreshOffers(): void {
  void queryClient.cancelQueries({ queryKey: [OFFERS_KEY] });
  void queryClient.invalidateQueries({ queryKey: [OFFERS_KEY] });
}
