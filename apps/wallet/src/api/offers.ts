/** The current state of offers: price and remaining stock. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { categoryQuery } from './categories.ts';
import { client } from './http.ts';
import { readOffer, type Offer } from './offer.ts';

export const OFFERS_KEY = 'offers';

/** Fetches the offers of `ids` that exist. Takes at most as many ids as a cart has lines. */
export async function fetchOffers(
  ids: readonly number[],
  signal: AbortSignal,
): Promise<readonly Offer[]> {
  const { offers } = await client.call('offers', { query: { ids: ids.join() }, signal });
  return offers.map(readOffer);
}

export const offerQuery = (id: number) =>
  queryOptions({
    queryKey: [OFFERS_KEY, 'one', id],
    queryFn: ({ signal }) => fetchOffers([id], signal),
  });

export interface SoughtOffer {
  /** `undefined` while it is loading, and if there is none. */
  readonly offer: Offer | undefined;
  readonly isMissing: boolean;
  readonly isFailed: boolean;
  readonly retry: () => void;
}

/**
 * Returns one offer, at once from its category if that is loaded, then updated from the server. The category itself is
 * not fetched: it may be large, and a link leads here. Without valid ids nothing is fetched.
 */
export function useOffer(categoryId: number | undefined, offerId: number | undefined): SoughtOffer {
  const isAsked = categoryId !== undefined && offerId !== undefined;
  const category = useQuery({ ...categoryQuery(categoryId ?? 0), enabled: false });
  const fresh = useQuery({ ...offerQuery(offerId ?? 0), enabled: isAsked });
  const known = category.data?.offers.find(({ id }) => id === offerId);
  const isAnswered = fresh.data !== undefined;
  return {
    offer: isAnswered ? fresh.data[0] : known,
    isMissing: !isAsked || (isAnswered && fresh.data.length === 0),
    isFailed: fresh.isError && known === undefined,
    retry: () => void fresh.refetch(),
  };
}
