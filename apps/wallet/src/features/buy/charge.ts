/** One attempt to charge, with the card form or the phone's wallet. */
import { log } from '@athos/app-core/log';
import { m } from '@athos/messages/messages';
import type { Stripe, StripeElements, StripeError } from '@stripe/stripe-js';
import type { WalletPay } from '../../native/wallet-pay.ts';
import type { Quote } from '../../state/card-order.ts';

export interface PreparedForm {
  readonly stripe: Stripe;
  readonly clientSecret: string;
}

/** The outcome of one attempt to charge. */
export interface Attempt {
  readonly status: 'charged' | 'not_charged' | 'unknown';
  /** The error to show. */
  readonly alert?: string;
}

/**
 * Whether an error says that the payment went through, for example after the response to the first attempt was lost.
 */
const isUnderWay = ({ payment_intent: intent }: Partial<StripeError>): boolean =>
  intent?.status === 'succeeded' || intent?.status === 'processing';

/** Errors after which the card may have been charged. */
const MAY_BE_CHARGED: readonly (string | undefined)[] = ['api_connection_error', 'api_error'];

/** Whether a message already ends with an invitation to retry: 'Try again in a little bit.' */
const isInvitation = (message: string): boolean => /\btry again\b[^.!?]*[.!?]?$/i.test(message);

/** Spec 8: the message, followed by 'Please try again.', unless it already ends with such an invitation. */
function errorText(message: string = m.buy_card_error_unknown()): string {
  return isInvitation(message) ? message : m.buy_card_error({ message });
}

/** Charges the entered card, including 3-D Secure. */
export async function charge({ stripe }: PreparedForm, elements: StripeElements): Promise<Attempt> {
  const error = await confirmCard(stripe, elements);
  if (error === undefined || isUnderWay(error)) return { status: 'charged' };
  return {
    status: MAY_BE_CHARGED.includes(error.type) ? 'unknown' : 'not_charged',
    alert: errorText(error.message),
  };
}

/** Returns the provider's error, if there is one. */
async function confirmCard(
  stripe: Stripe,
  elements: StripeElements,
): Promise<Partial<StripeError> | undefined> {
  try {
    return (await stripe.confirmPayment({ elements, redirect: 'if_required' })).error;
  } catch (error) {
    // It rejects only for programming errors, such as an unmounted form, in which case nothing was sent.
    log('card_confirmation_rejected', { error: String(error) });
    return {};
  }
}

/** Charges with Apple Pay or Google Pay. Spec 8: failures are logged and not shown. */
export async function chargeByWallet(
  wallet: WalletPay,
  { clientSecret }: PreparedForm,
  { totalUsdCents }: Quote,
): Promise<Attempt> {
  try {
    const outcome = await wallet.pay({ clientSecret, totalUsdCents });
    if (outcome === 'completed') return { status: 'charged' };
    if (outcome === 'canceled') return { status: 'not_charged' };
    log('wallet_pay_failed', { wallet: wallet.kind });
  } catch (error) {
    log('wallet_pay_failed', { wallet: wallet.kind, error: String(error) });
  }
  return { status: 'unknown' };
}
