import { z } from 'zod';
import type { Calls } from '../call.ts';
import { centsNumber, positiveUnitsText, timeText, unitsText, uuidParam } from '../values.ts';

const dollars = z.number().nonnegative().max(1_000_000_000);

const paymentStatus = z
  .object({
    /** 1: credited. 2: cancelled, or the last attempt failed. 0: anything else. */
    stripe_status: z.union([z.literal(0), z.literal(1), z.literal(2)]),
    error: z.string().nullable(),
  })
  .meta({ id: 'PaymentStatus' });

export const cardCalls = {
  exchangeRate: {
    method: 'GET',
    path: '/exchange_rate',
    auth: 'anyone',
    summary: 'US dollars per ATH',
    answer: z.object({ exchange_rate: z.number() }).meta({ id: 'ExchangeRate' }),
  },
  createPaymentIntent: {
    method: 'POST',
    path: '/payment_intent',
    auth: 'user',
    keyed: true,
    needsTerms: true,
    summary: 'Begin a card purchase of ATH',
    /** Dollars as numbers (spec 3). The server recomputes each of them. */
    body: z
      .object({
        exchangeRate: z.number().positive().max(1_000_000),
        subtotal: dollars,
        athosFee: dollars,
        processingFee: dollars,
        total: dollars,
        description: z.string().max(100),
        tokenAmount: positiveUnitsText.optional(),
      })
      .meta({ id: 'PaymentIntentRequest' }),
    answer: z.object({ client_secret: z.string(), id: z.string() }).meta({ id: 'PaymentIntent' }),
  },
  pendingPayments: {
    method: 'GET',
    path: '/payment_intent',
    auth: 'user',
    summary: 'Card purchases that are not final',
    answer: z
      .object({
        /** Newest first. Shown on home and on the buy screen. */
        pending: z.array(
          z.object({
            id: z.string(),
            token_amount: unitsText,
            total: centsNumber,
            /** The rate at which the payment is charged and credited. */
            exchange_rate: z.number(),
            created_at: timeText,
            /** The end of the time in which it can be paid. */
            expires_at: timeText,
            /** `open`: waits for the card. `processing`: paid or being paid, but not credited yet. */
            state: z.enum(['open', 'processing']),
          }),
        ),
      })
      .meta({ id: 'PendingPayments' }),
  },
  paymentIntent: {
    method: 'GET',
    path: '/payment_intent/:id',
    auth: 'user',
    summary: 'State of a card purchase',
    params: uuidParam,
    answer: paymentStatus,
  },
  cancelPayment: {
    method: 'POST',
    path: '/payment_intent/:id/cancel',
    auth: 'user',
    summary: 'Cancel a card purchase that is not paid yet; answers its state afterwards',
    params: uuidParam,
    answer: paymentStatus,
  },
} as const satisfies Calls;
