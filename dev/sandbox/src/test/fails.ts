import type Stripe from 'stripe';

/** The SDK's error of a call that must be refused. */
export async function fails(call: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  try {
    await call;
  } catch (error) {
    return error as Stripe.errors.StripeError;
  }
  throw new Error('The call went through.');
}
