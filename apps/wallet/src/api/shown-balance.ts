/** The ATH balance as the balance card shows it, wherever it stands. */
import { usdOfTokens, type TokenUnits, type UsdCents } from '@athos/domain/money';
import { useQuery } from '@tanstack/react-query';
import { balanceQuery } from './balance.ts';
import { useAsOf } from '../state/as-of.ts';
import { useDisplayRate } from './rate.ts';

interface ShownBalance {
  /** `undefined` while it is loading, and where it could not be had. */
  readonly amount: TokenUnits | undefined;
  readonly usd: UsdCents | undefined;
  /** Set where it is an older one: from when it is. */
  readonly asOf: string | undefined;
  /** Set where it could not be had: asks again. */
  readonly onRetry: (() => void) | undefined;
}

export function useShownBalance(): ShownBalance {
  const { data: balances, dataUpdatedAt, isError, refetch } = useQuery(balanceQuery);
  const usdPerAth = useDisplayRate();
  return {
    amount: balances?.ATH,
    usd: balances === undefined ? undefined : usdOfTokens(balances.ATH, usdPerAth),
    asOf: useAsOf(dataUpdatedAt),
    onRetry: balances === undefined && isError ? () => void refetch() : undefined,
  };
}
