/** Buying ATH by card (spec 7): creating a payment and reading its state. */
import { queryClient } from '@athos/app-core/query-client';
import { mainToken } from '@athos/brand/brand';
import { moveValue, type Outcome } from '@athos/client/outcome';
import { parseRate, rateNumber, usdNumber, type Rate } from '@athos/domain/money';
import { paymentDescription } from '@athos/domain/purchase-price';
import { queryOptions } from '@tanstack/react-query';
import type { Quote } from '../state/card-order.ts';
import { syncBalance } from './balance.ts';
import { refreshHistory } from './history-updates.ts';
import { client } from './http.ts';
import { pendingPaymentsQuery, refreshPendingPayments } from './pending-payments.ts';
import { rateQuery } from './rate.ts';

/** How often the state is polled while the user waits (docs/cards.md "Browser"). */
const STATUS_POLL_MS = 1500;

/** Why a payment could not be created. In none of these cases was anything charged. */
export type BeginRefusal =
  /** `usdPerAth`: the current rate, if known. */
  | { readonly status: 'rate_expired'; readonly usdPerAth: Rate | undefined }
  | { readonly status: 'rate_unavailable' }
  | { readonly status: 'paused'; readonly minutes: number }
  | { readonly status: 'too_many'; readonly seconds: number }
  | { readonly status: 'terms_missing' }
  /** `notice`: the programme's own words. */
  | { readonly status: 'stopped'; readonly notice: string }
  | { readonly status: 'restricted' }
  | { readonly status: 'failed' };

export interface BegunPayment {
  readonly status: 'begun';
  readonly paymentId: string;
  readonly clientSecret: string;
}

function refusalOf(outcome: Exclude<Outcome<unknown>, { status: 'done' }>): BeginRefusal {
  if (outcome.status !== 'refused') return { status: 'failed' };
  const { code, problem } = outcome;
  const seconds = problem?.retry_after_seconds;
  switch (code) {
    case 'rate_expired':
      return { status: 'rate_expired', usdPerAth: parseRate(problem?.exchange_rate ?? '') };
    case 'rate_unavailable':
      return { status: 'rate_unavailable' };
    case 'buying_paused':
      return { status: 'paused', minutes: Math.ceil((seconds ?? 3600) / 60) };
    case 'too_many_requests':
      return { status: 'too_many', seconds: seconds ?? 60 };
    case 'terms_not_accepted':
      return { status: 'terms_missing' };
    case 'stopped':
      return { status: 'stopped', notice: problem?.detail ?? '' };
    case 'account_restricted':
      return { status: 'restricted' };
    case undefined:
    default:
      return { status: 'failed' };
  }
}

/** Creates the payment of `key`, or returns it if it exists. This client always sends the token amount (S3-018). */
export async function beginPayment(
  quote: Quote,
  key: string,
): Promise<BegunPayment | BeginRefusal> {
  const body = {
    exchangeRate: rateNumber(quote.usdPerAth),
    subtotal: usdNumber(quote.priceUsdCents),
    athosFee: usdNumber(quote.productFeeUsdCents),
    processingFee: usdNumber(quote.processingFeeUsdCents),
    total: usdNumber(quote.totalUsdCents),
    description: paymentDescription(quote.priceUsdCents, mainToken.symbol),
    tokenAmount: quote.amountMicroAth.toString(),
  };
  // Creating a payment charges nothing, so the outcome of an earlier attempt does not matter.
  const outcome = await moveValue(() => client.call('createPaymentIntent', { key, body }), false);
  if (outcome.status !== 'done') return refusalOf(outcome);
  const { id: paymentId, client_secret: clientSecret } = outcome.data;
  return { status: 'begun', paymentId, clientSecret };
}

export interface PaymentStatus {
  /** `failed`: the last attempt failed, or the payment was cancelled. */
  readonly outcome: 'open' | 'credited' | 'failed';
  /** The provider's message after a failure. */
  readonly error: string | null;
}

const OUTCOMES = { 0: 'open', 1: 'credited', 2: 'failed' } as const;

async function readStatus(paymentId: string, signal: AbortSignal): Promise<PaymentStatus> {
  const { stripe_status: code, error } = await client.call('paymentIntent', {
    params: { id: paymentId },
    signal,
  });
  return { outcome: OUTCOMES[code], error };
}

/**
 * Polled, and fetched at once when a live event reports a payment: such an event invalidates all keys with this prefix.
 */
export const paymentStatusQuery = (paymentId: string) =>
  queryOptions({
    queryKey: ['payments', 'status', paymentId],
    queryFn: ({ signal }) => readStatus(paymentId, signal),
    staleTime: 0,
    // The outcome of an earlier attempt says nothing about the next one.
    gcTime: 0,
    refetchInterval: STATUS_POLL_MS,
  });

/** `ended`: it was not paid and no longer can be. */
export type Standing = 'credited' | 'open' | 'processing' | 'ended';

/** Returns the current state of an existing payment. Throws the client's errors. */
export async function readStanding(paymentId: string): Promise<Standing> {
  const { stripe_status: code } = await client.call('paymentIntent', { params: { id: paymentId } });
  if (OUTCOMES[code] === 'credited') return 'credited';
  const pending = await queryClient.fetchQuery({ ...pendingPaymentsQuery, staleTime: 0 });
  return pending.find(({ id }) => id === paymentId)?.state ?? 'ended';
}

/** After a purchase, updates the balance (spec 4) and the lists that show the purchase. */
export function syncAfterPurchase(): void {
  void syncBalance();
  void refreshHistory();
  refreshPendingPayments();
}

/** Called when the server reports a rate other than the known one. */
export const refreshRate = (): void =>
  void queryClient.invalidateQueries({ queryKey: rateQuery.queryKey });
