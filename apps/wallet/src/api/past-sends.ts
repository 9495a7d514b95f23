/**
 * Facts about earlier sends that the next one is checked against. Without a response there is no warning here, and the server judges the
 * send.
 */
import { queryClient } from '@athos/app-core/query-client';
import { parseUnits, type TokenAsset, type TokenUnits } from '@athos/domain/money';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { client } from './http.ts';

export interface PastSends {
  readonly isFirstTime: boolean;
  /** An address that the user has sent to and that this one resembles. */
  readonly looksLike: string | undefined;
  /** Seconds during which a send after a warning can be undone; `undefined` from an older server. */
  readonly warnedSeconds: number | undefined;
}

/** Longer than this, a user would press again. Without a response by then, the server judges the send. */
const WAIT_MS = 3_000;

const pastSendsQuery = (address: string | undefined) =>
  queryOptions({
    queryKey: ['past-sends', address],
    queryFn: async ({ signal }): Promise<PastSends> => {
      const params = { id: address ?? '' };
      const past = await client.call('pastSends', { params, signal });
      return {
        isFirstTime: past.is_first_time,
        looksLike: past.looks_like ?? undefined,
        warnedSeconds: past.warned_seconds,
      };
    },
    enabled: address !== undefined,
  });

interface PastSendsNow {
  /** `undefined` until it is known. */
  readonly past: PastSends | undefined;
  /** There is neither a response nor a failure yet. */
  readonly isPending: boolean;
}

export function usePastSends(address: string | undefined): PastSendsNow {
  const { data, isLoading } = useQuery(pastSendsQuery(address));
  return { past: data, isPending: isLoading };
}

/** Waits for the pending request. `undefined` if it fails or takes too long. */
export async function waitForPastSends(address: string): Promise<PastSends | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLong = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), WAIT_MS);
  });
  const answer = queryClient.ensureQueryData(pastSendsQuery(address)).catch(() => undefined);
  const past = await Promise.race([answer, tooLong]);
  clearTimeout(timer);
  return past;
}

/** Enough sends to show which amounts are usual. */
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

/** The amounts of the last sends in a token; empty until they are known. */
export const useLastSends = (asset: TokenAsset): readonly TokenUnits[] =>
  (useQuery(lastSendsQuery).data ?? []).flatMap((send) =>
    send.asset === asset ? [send.amountUnits] : [],
  );
