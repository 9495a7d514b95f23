/** Checks the current prices of the offers in the cart, and whether they can still be bought. */
import { useQuery } from '@tanstack/react-query';
import type { CartStore } from '../state/cart.ts';
import { fetchOffers, OFFERS_KEY } from './offers.ts';

/**
 * Fetches the offers on every visit, when the cart's offers change, and when the window regains focus. Updates the
 * cart.
 */
export function useCartCheck(store: CartStore, isPurchasing: boolean): { isFailed: boolean } {
  const ids = store
    .get()
    .items.map(({ offer }) => offer.id)
    .toSorted((left, right) => left - right);
  const { isError } = useQuery({
    queryKey: [OFFERS_KEY, 'cart', ...ids],
    queryFn: async ({ signal }) => {
      store.refresh(await fetchOffers(ids, signal), ids);
      return true;
    },
    enabled: ids.length > 0 && !isPurchasing,
    staleTime: 0,
    gcTime: 0,
  });
  return { isFailed: isError };
}
