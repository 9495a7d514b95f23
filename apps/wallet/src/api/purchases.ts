/** The user's purchased items (spec 3 and 7 `my_purchases`). */
import { queryClient } from '@athos/app-core/query-client';
import type { AnswerOf } from '@athos/contract/api';
import type { LiveEvent } from '@athos/contract/wallet/events';
import { pictureAddresses, type PictureAddresses } from '@athos/contract/pictures';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { apiOrigin } from '../state/settings.ts';
import { client } from './http.ts';

/** Polled in addition to live events while a code is shown, because a broken stream is not noticed at once. */
const REDEMPTION_POLL_MS = 10_000;

export interface PurchaseItem {
  readonly id: number;
  readonly purchaseId: number;
  /** ISO 8601. */
  readonly purchasedAt: string;
  /** ISO 8601; `null` until it is redeemed. */
  readonly redeemedAt: string | null;
  readonly redeemedVenue: string | null;
  readonly offer: {
    /** Title and note are Markdown. */
    readonly title: string;
    readonly note: string;
    readonly isActive: boolean;
    readonly kind: number;
    readonly picture: PictureAddresses;
  };
}

const readItem = (item: AnswerOf<'myPurchases'>['purchases'][number]): PurchaseItem => ({
  id: item.id,
  purchaseId: item.purchase_id,
  purchasedAt: item.purchase_date,
  redeemedAt: item.redeemed_at,
  redeemedVenue: item.redeemed_venue,
  offer: {
    title: item.offer.title,
    note: item.offer.note,
    isActive: item.offer.active,
    kind: item.offer.kind,
    picture: pictureAddresses(item.offer.picture, item.offer.img, apiOrigin()),
  },
});

export const purchasesQuery = queryOptions({
  queryKey: ['purchases'],
  queryFn: async ({ signal }) =>
    (await client.call('myPurchases', { signal })).purchases.map(readItem),
});

/** Spec 2 and 4: fetched on every visit. Until then the last known list is shown. */
export const usePurchasesAnew = () =>
  useQuery({ ...purchasesQuery, staleTime: Infinity, refetchOnMount: 'always' });

/** Spec 4: fetched only if the purchase is unknown, and polled while it may be redeemed. */
export const useItemsOfPurchase = (purchaseId: number) =>
  useQuery({
    ...purchasesQuery,
    select: (items) => items.filter((item) => item.purchaseId === purchaseId),
    staleTime: ({ state }) =>
      state.data?.some((item) => item.purchaseId === purchaseId) ? Infinity : 0,
    refetchInterval: ({ state }) =>
      state.data?.some((item) => item.purchaseId === purchaseId && item.redeemedAt === null)
        ? REDEMPTION_POLL_MS
        : false,
  });

/** Fetches the list again, for example after a purchase or a refused code. */
export const refreshPurchases = (): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: purchasesQuery.queryKey });

type Redeemed = Extract<LiveEvent, { type: 'redeemed' }>['items'];

/** Marks the items that a live event reports as redeemed. A pending response is older, so it is discarded. */
export async function noteRedemption(redeemed: Redeemed): Promise<void> {
  if (queryClient.getQueryData(purchasesQuery.queryKey) !== undefined) {
    await queryClient.cancelQueries(purchasesQuery);
    const byId = new Map(redeemed.map((item) => [item.id, item]));
    queryClient.setQueryData(purchasesQuery.queryKey, (items) =>
      items?.map((item) => {
        const told = byId.get(item.id);
        if (told === undefined || item.redeemedAt !== null) return item;
        return { ...item, redeemedAt: told.redeemed_at, redeemedVenue: told.venue };
      }),
    );
  }
  await refreshPurchases();
}
