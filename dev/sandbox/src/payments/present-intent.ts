import type Stripe from 'stripe';

const publicFields = [
  'id',
  'object',
  'amount',
  'canceled_at',
  'cancellation_reason',
  'capture_method',
  'client_secret',
  'confirmation_method',
  'created',
  'currency',
  'description',
  'last_payment_error',
  'livemode',
  'next_action',
  'payment_method',
  'payment_method_types',
  'receipt_email',
  'setup_future_usage',
  'shipping',
  'status',
] as const satisfies readonly (keyof Stripe.PaymentIntent)[];

/** The fields that a browser may see with publishable key and client secret: no metadata, charge or received amount. */
export function presentPublicIntent(
  intent: Stripe.PaymentIntent,
): Pick<Stripe.PaymentIntent, (typeof publicFields)[number]> {
  const entries = publicFields.map((field) => [field, intent[field]] as const);
  return Object.fromEntries(entries) as Pick<Stripe.PaymentIntent, (typeof publicFields)[number]>;
}
