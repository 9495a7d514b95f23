/** Buying a cart (spec 7). Moves value: never repeated under another key than its own. */
import { queryClient } from '@athos/app-core/query-client';
import { ApiError, isOutcomeUnknown, isTurnedAway } from '@athos/client/errors';
import type { ErrorCode } from '@athos/contract/errors';
import type { CartItem } from '../state/cart-item.ts';
import { syncBalance } from './balance.ts';
import { refreshHistory } from './history.ts';
import { client } from './http.ts';
import { OFFERS_KEY } from './offers.ts';
import { refreshPurchases } from './purchases.ts';

/**
 * Buys what is in `items` at the prices in them, all or nothing. Lists stand in matching order, by offer, so that the same
 * cart is the same request however it was filled. Throws what the client throws.
 */
export async function purchase(items: readonly CartItem[], key: string): Promise<void> {
  const lines = items.toSorted((left, right) => left.offer.id - right.offer.id);
  await client.call('purchase', {
    body: {
      offer_ids: lines.map(({ offer }) => offer.id),
      offer_counts: lines.map(({ count }) => count),
      offer_amounts: lines.map(({ offer }) => offer.price),
    },
    key,
  });
}

/** After a purchase: the balance, the movements and the purchases are others now. */
export function notePurchase(): void {
  void syncBalance();
  void refreshHistory();
  void refreshPurchases();
}

/** After a refusal: what the cart shows is out of date. */
export function noteRefusedPurchase(): void {
  void syncBalance();
  // A look that began before the refusal would be taken for the one after it.
  void queryClient.cancelQueries({ queryKey: [OFFERS_KEY] });
  void queryClient.invalidateQueries({ queryKey: [OFFERS_KEY] });
}

/** `unknown`: no answer came, so it may have been bought. Any other moved nothing. */
export type PurchaseFailure = 'unknown' | 'refused' | PurchaseRefusal;
export type PurchaseRefusal = Extract<
  ErrorCode,
  | 'price_changed'
  | 'sold_out'
  | 'offer_unavailable'
  | 'offer_limit_reached'
  | 'tier_too_low'
  | 'insufficient_balance'
  | 'account_restricted'
>;

const REFUSALS: readonly PurchaseRefusal[] = [
  'price_changed',
  'sold_out',
  'offer_unavailable',
  'offer_limit_reached',
  'tier_too_low',
  'insufficient_balance',
  'account_restricted',
];

/** What an error of `purchase` says; of a repeat, what it says of all attempts with its key. */
export function purchaseFailure(error: unknown, isRepeat: boolean): PurchaseFailure {
  if (isOutcomeUnknown(error) || !(error instanceof ApiError)) return 'unknown';
  if (isRepeat && isTurnedAway(error)) return 'unknown';
  return REFUSALS.find((code) => code === error.code) ?? 'refused';
}
