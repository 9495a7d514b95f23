/** The part of the provider's interface about the attempts to pay: the card and the result of each. */
import type Stripe from 'stripe';
import { usdCents, type UsdCents } from '@athos/domain/money';
import { dateOfSeconds, PAGE_SIZE } from './connection.ts';
import { unavailable } from './provider-errors.ts';

/** The card of a payment, as people recognise it. */
export interface PaidCard {
  readonly brand: string;
  readonly lastFour: string;
}

interface CardAttempt {
  readonly chargeId: string;
  readonly madeAt: Date;
  /** `succeeded`, `pending`, `failed`, or a state that the provider adds. */
  readonly state: string;
  readonly amountUsdCents: UsdCents;
  readonly card:
    | (PaidCard & { readonly country: string | undefined; readonly funding: string | undefined })
    | undefined;
  /** `message` is meant for the customer. */
  readonly failure: { readonly code: string; readonly message: string } | undefined;
  /** The result of 3-D Secure; `undefined` if it was not asked for. */
  readonly authentication: string | undefined;
  readonly riskLevel: string | undefined;
}

export interface CardAttempts {
  /** Newest first, at most `PAGE_SIZE`. */
  listAttempts(intentId: string): Promise<CardAttempt[]>;
}

/** Returns `undefined` for a payment that was not made with a card, or whose card is not given. */
export function readCard({ payment_method_details: details }: Stripe.Charge): PaidCard | undefined {
  const { brand, last4 } = details?.card ?? {};
  if (typeof brand !== 'string' || typeof last4 !== 'string') return undefined;
  return { brand, lastFour: last4 };
}

function readAttempt(charge: Stripe.Charge): CardAttempt {
  const { failure_code: code, failure_message: message, outcome } = charge;
  const details = charge.payment_method_details?.card;
  const card = readCard(charge);
  return {
    chargeId: charge.id,
    madeAt: dateOfSeconds(charge.created),
    state: charge.status,
    amountUsdCents: usdCents(BigInt(charge.amount)),
    card: card && {
      ...card,
      country: details?.country ?? undefined,
      funding: details?.funding ?? undefined,
    },
    // The bank's reason is more precise than the code, which is often only `card_declined`.
    failure: code === null ? undefined : { code: outcome?.reason ?? code, message: message ?? '' },
    authentication: details?.three_d_secure?.result ?? undefined,
    riskLevel: outcome?.risk_level,
  };
}

export const createCardAttempts = (connected: () => Promise<Stripe>): CardAttempts => ({
  async listAttempts(intentId) {
    const { charges } = await connected();
    try {
      const { data } = await charges.list({ payment_intent: intentId, limit: PAGE_SIZE });
      return data.map(readAttempt);
    } catch (error) {
      throw unavailable(error);
    }
  },
});
