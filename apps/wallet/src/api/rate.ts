/** US dollars per ATH (spec 3 and 7). */
import { FALLBACK_USD_PER_ATH, parseRate, type Rate } from '@athos/domain/money';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { client } from './http.ts';

/** Spec 9. */
export const RATE_POLL_MS = 6000;

export const rateQuery = queryOptions({
  queryKey: ['rate'],
  queryFn: async ({ signal }): Promise<Rate> => {
    const { exchange_rate: wire } = await client.call('exchangeRate', { signal });
    const rate = parseRate(wire);
    if (rate === undefined) throw new RangeError(`not a rate: ${wire}`);
    return rate;
  },
});

/** The rate published by the server; `undefined` if it is unknown. Purchases use no other rate. */
export const usePublishedRate = (): Rate | undefined => useQuery(rateQuery).data;

/** For display: the published rate, or the fallback (S3-030). */
export const useDisplayRate = (): Rate => usePublishedRate() ?? FALLBACK_USD_PER_ATH;
