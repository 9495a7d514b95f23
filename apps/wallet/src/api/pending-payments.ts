/** Card purchases without a final outcome, shown on home and on the buy screen. */
import { queryClient } from '@athos/app-core/query-client';
import type { AnswerOf } from '@athos/contract/api';
import { parseRate, parseUnits, usdCents } from '@athos/domain/money';
import type { Rate, TokenUnits, UsdCents } from '@athos/domain/money';
import { m } from '@athos/messages/messages';
import { toasts } from '@athos/ui/overlays/toast-store';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from './http.ts';

export interface PendingPayment {
  readonly id: string;
  readonly amount: TokenUnits;
  readonly totalUsdCents: UsdCents;
  /** The rate at which it can be paid; `undefined` if the server does not send it. */
  readonly usdPerAth: Rate | undefined;
  /** Until when it can be paid, by the server's clock. */
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

/** Cancels an open purchase and says what became of it. A stored draft of it notices when it is continued. */
async function cancelPayment({ id }: PendingPayment): Promise<void> {
  try {
    const { stripe_status: status } = await client.call('cancelPayment', { params: { id } });
    if (status === 2) toasts.show('info', m.buy_open_canceled(), 4000);
    else if (status === 1) toasts.show('success', m.buy_open_cancel_paid(), 4000);
    else toasts.show('info', m.buy_open_cancel_processing(), 5000);
  } catch {
    toasts.show('danger', m.buy_open_cancel_failed(), 5000);
  }
  await queryClient.invalidateQueries({ queryKey: pendingPaymentsQuery.queryKey });
}

/** What the banner of an open purchase does and shows while it is canceled. */
export function useCancelPayment(payment: PendingPayment) {
  const [isCanceling, setIsCanceling] = useState(false);
  const cancel = async (): Promise<void> => {
    setIsCanceling(true);
    await cancelPayment(payment);
    setIsCanceling(false);
  };
  return { isCanceling, onCancel: () => void cancel() };
}

/** The clock that ends an open purchase. */
export const paymentNowMs = (): number => client.serverNowMs();
