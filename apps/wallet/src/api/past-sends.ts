/** What earlier sends say about the next one. Without an answer there is no warning, and the send decides. */
import { parseUnits, type TokenAsset, type TokenUnits } from '@athos/domain/money';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { client } from './http.ts';

interface PastSends {
  readonly isFirstTime: boolean;
  /** An address that the user has sent to, and that this one resembles. */
  readonly looksLike: string | undefined;
}

const pastSendsQuery = (address: string | undefined) =>
  queryOptions({
    queryKey: ['past-sends', address],
    queryFn: async ({ signal }): Promise<PastSends> => {
      const params = { id: address ?? '' };
      const past = await client.call('pastSends', { params, signal });
      return { isFirstTime: past.is_first_time, looksLike: past.looks_like ?? undefined };
    },
    enabled: address !== undefined,
  });

/** `undefined` until it is known. */
export const usePastSends = (address: string | undefined): PastSends | undefined =>
  useQuery(pastSendsQuery(address)).data;

/** As many as show what is usual. */
const LAST_SENDS = 20;

const lastSendsQuery = queryOptions({
  queryKey: ['history', 'last-sends'],
  queryFn: async ({ signal }) => {
    const query = { type: 'Send', limit: LAST_SENDS } as const;
    const { history } = await client.call('allHistory', { query, signal });
    return history.flatMap((item) => {
      if (item.type !== 'Send') return [];
      const { state, asset, amount, reason } = item.data;
      if (state === 'taken_back' || state === 'returned' || reason !== undefined) return [];
      return [{ asset, amountUnits: parseUnits(amount) }];
    });
  },
});

/** The amounts of the last sends in a token; none until they are known. */
export const useLastSends = (asset: TokenAsset): readonly TokenUnits[] =>
  (useQuery(lastSendsQuery).data ?? []).flatMap((send) =>
    send.asset === asset ? [send.amountUnits] : [],
  );
