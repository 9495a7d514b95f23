/** What the offers in the cart cost now, and whether they are still to be had (issue 3 section 2). */
import { useQuery } from '@tanstack/react-query';
import type { CartStore } from '../state/cart.ts';
import { fetchOffers, OFFERS_KEY } from './offers.ts';

/** Asks on every entry, when the cart has other offers, and when the window is looked at again; the cart takes the answer. */
export function useCartCheck(store: CartStore): { isFailed: boolean } {
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
    enabled: ids.length > 0 && !store.isPurchasing(),
    staleTime: 0,
    gcTime: 0,
  });
  return { isFailed: isError };
}
