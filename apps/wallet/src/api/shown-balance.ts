/** The ATH balance as the balance card shows it on every screen. */
import { usdOfTokens, type TokenUnits, type UsdCents } from '@athos/domain/money';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { balanceQuery } from './balance.ts';
import { useAsOf } from '../state/as-of.ts';
import { useDisplayRate } from './rate.ts';

interface ShownBalance {
  /** `undefined` while it is loading, and if it could not be loaded. */
  readonly amount: TokenUnits | undefined;
  readonly usd: UsdCents | undefined;
  /** The time at which the balance was fetched, if it is out of date. */
  readonly asOf: string | undefined;
  /** Texts about incoming amounts that their senders can still take back. */
  readonly notes: readonly string[] | undefined;
  /** Fetches the balance again. Set if it could not be loaded. */
  readonly onRetry: (() => void) | undefined;
}

const holdsOfBar = queryOptions({
  queryKey: ['holds'],
  queryFn: async ({ signal }) => (await import('./holds.ts')).fetchHolds(signal),
  enabled: false,
});

export function useShownBalance(): ShownBalance {
  const { data: balances, dataUpdatedAt, isError, refetch } = useQuery(balanceQuery);
  const usdPerAth = useDisplayRate();
  // Only reads the cache: the bar of own sends fetches this on every screen, so home needs no code for it.
  const { data: holds } = useQuery(holdsOfBar);
  return {
    amount: balances?.ATH,
    usd: balances === undefined ? undefined : usdOfTokens(balances.ATH, usdPerAth),
    asOf: useAsOf(dataUpdatedAt),
    notes: holds?.arriving,
    onRetry: balances === undefined && isError ? () => void refetch() : undefined,
  };
}
