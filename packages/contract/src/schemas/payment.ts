import { z } from 'zod';
import { centsNumber, positiveUnitsText, timeText, unitsText } from './common.ts';

export const exchangeRateAnswer = z
  .object({ exchange_rate: z.number() })
  .meta({ id: 'ExchangeRate' });

const dollars = z.number().nonnegative().max(1_000_000_000);

/** Dollars as numbers (spec 3); the server computes every one again. */
export const paymentIntentBody = z
  .object({
    exchangeRate: z.number().positive().max(1_000_000),
    subtotal: dollars,
    athosFee: dollars,
    processingFee: dollars,
    total: dollars,
    description: z.string().max(100),
    tokenAmount: positiveUnitsText.optional(),
  })
  .meta({ id: 'PaymentIntentRequest' });
export const paymentIntentAnswer = z
  .object({ client_secret: z.string(), id: z.string() })
  .meta({ id: 'PaymentIntent' });
/** 1 credited; 2 cancelled, or the last attempt failed; 0 anything else. */
export const paymentStatusAnswer = z
  .object({
    stripe_status: z.union([z.literal(0), z.literal(1), z.literal(2)]),
    error: z.string().nullable(),
  })
  .meta({ id: 'PaymentStatus' });

/** Payments that were begun and are not final, newest first: told on home and on the buy screen. */
export const pendingPaymentsAnswer = z
  .object({
    pending: z.array(
      z.object({
        id: z.string(),
        token_amount: unitsText,
        total: centsNumber,
        /** The rate at which it can be paid, and is credited. */
        exchange_rate: z.number(),
        created_at: timeText,
        /** `open`: waits for the card. `processing`: paid or being paid, the credit follows. */
        state: z.enum(['open', 'processing']),
      }),
    ),
  })
  .meta({ id: 'PendingPayments' });
