/** Card purchases without a final outcome, shown on home and on the buy screen. */
import { queryClient } from '@athos/app-core/query-client';
import type { AnswerOf } from '@athos/contract/api';
import { parseRate, parseUnits, usdCents } from '@athos/domain/money';
import type { Rate, TokenUnits, UsdCents } from '@athos/domain/money';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { client } from './http.ts';

export interface PendingPayment {
  readonly id: string;
  readonly amount: TokenUnits;
  readonly totalUsdCents: UsdCents;
  /** The rate at which it can be paid; `undefined` if the server does not send it. */
  readonly usdPerAth: Rate | undefined;
  /** The end of the time in which it can be paid, by the server's clock. */
  readonly endsAtMs: number;
  /** `open`: waits for the card. `processing`: paid or being paid, with the credit to follow. */
  readonly state: 'open' | 'processing';
}

/** A live event reports the credit at once. Polling covers the time without live events. */
const PENDING_POLL_MS = 15_000;

const readPending = (entry: AnswerOf<'pendingPayments'>['pending'][number]): PendingPayment => ({
  id: entry.id,
  amount: parseUnits(entry.token_amount),
  totalUsdCents: usdCents(BigInt(entry.total)),
  usdPerAth: parseRate(entry.exchange_rate),
  endsAtMs: Date.parse(entry.expires_at),
  state: entry.state,
});

export const pendingPaymentsQuery = queryOptions({
  queryKey: ['payments', 'pending'],
  queryFn: async ({ signal }) =>
    (await client.call('pendingPayments', { signal })).pending.map(readPending),
  refetchInterval: (query) =>
    query.state.data !== undefined && query.state.data.length > 0 ? PENDING_POLL_MS : false,
  structuralSharing: false,
});

/** Newest first; empty until the first response. */
export const usePendingPayments = (): readonly PendingPayment[] =>
  useQuery(pendingPaymentsQuery).data ?? [];

export const refreshPendingPayments = (): void =>
  void queryClient.invalidateQueries({ queryKey: pendingPaymentsQuery.queryKey });

/** The clock that ends an open purchase. */
export const paymentNowMs = (): number => client.serverNowMs();
