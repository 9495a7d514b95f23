/** The balance in each asset. Polled while signed in, and updated at once by live events (spec 7). */
import { queryClient } from '@athos/app-core/query-client';
import type { AnswerOf } from '@athos/contract/api';
import {
  microAth,
  parseUnits,
  type MicroAth,
  type TokenAsset,
  type TokenUnits,
} from '@athos/domain/money';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { client } from './http.ts';

/** Spec 9. */
export const BALANCE_POLL_MS = 15_000;

/** Micro-units of each token. */
export type Balances = Readonly<Record<TokenAsset, TokenUnits>> & { readonly ATH: MicroAth };

const readBalances = ({ balances }: Pick<AnswerOf<'balance'>, 'balances'>): Balances => ({
  ATH: microAth(parseUnits(balances.ATH)),
  ATH2: parseUnits(balances.ATH2),
  ATH3: parseUnits(balances.ATH3),
});

export const balanceQuery = queryOptions({
  queryKey: ['balance'],
  queryFn: async ({ signal }) => readBalances(await client.call('balance', { signal })),
});

/** The last known balances; `undefined` until the first response. */
export const useBalances = (): Balances | undefined => useQuery(balanceQuery).data;

/** Sets the balances from a live event. A pending response is older, so it is discarded. */
export function setBalances(told: Pick<AnswerOf<'balance'>, 'balances'>): void {
  void queryClient.cancelQueries(balanceQuery);
  queryClient.setQueryData(balanceQuery.queryKey, readBalances(told));
}

/** Fetches the balance again, for example after a transfer or a purchase (spec 7). */
export const syncBalance = (): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: balanceQuery.queryKey });
