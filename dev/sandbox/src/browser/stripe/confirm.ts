import type { IntentResult, IntentView, StripeError } from '../protocol.ts';
import { callApi, readIntentId, retrieveIntent } from './api.ts';
import { runChallenge } from './challenge.ts';
import { Elements } from './elements.ts';
import { IntegrationError } from './integration-error.ts';

export interface ConfirmOptions {
  elements?: unknown;
  clientSecret?: string;
  confirmParams?: { return_url?: string };
  redirect?: string;
}

/** Navigates to the return URL, for `redirect: 'always'`. The promise never settles. */
function leave(returnUrl: string, intent: IntentView): Promise<never> {
  const url = new URL(returnUrl);
  url.searchParams.set('payment_intent', intent.id);
  url.searchParams.set('payment_intent_client_secret', intent.client_secret ?? '');
  url.searchParams.set('redirect_status', intent.status === 'succeeded' ? 'succeeded' : 'pending');
  location.assign(url);
  return new Promise(() => undefined);
}

async function finish(key: string, result: IntentResult): Promise<IntentResult> {
  if (result.error !== undefined) return result;
  return runChallenge(key, result.paymentIntent);
}

/**
 * Confirms with the data of the payment element. Rejects only for integration mistakes; a failed payment is returned as
 * `error`.
 */
export async function confirmPayment(key: string, options: ConfirmOptions): Promise<IntentResult> {
  const { elements } = options;
  if (!(elements instanceof Elements)) {
    throw new IntegrationError(
      'stripe.confirmPayment(): expected elements to be an Elements object.',
    );
  }
  const clientSecret = elements.clientSecret ?? options.clientSecret;
  if (clientSecret === undefined || !clientSecret.includes('_secret_')) {
    throw new IntegrationError('stripe.confirmPayment(): expected a client secret.');
  }
  const returnUrl = options.confirmParams?.return_url;
  const mustReturn = options.redirect !== 'if_required';
  if (mustReturn && returnUrl === undefined) {
    throw new IntegrationError(
      'stripe.confirmPayment(): the confirmParams.return_url argument is required unless redirect is "if_required".',
    );
  }
  const frame = elements.requirePayment().requireFrame();
  const answer = await frame.ask({
    type: 'confirm',
    path: `/v1/payment_intents/${readIntentId(clientSecret)}/confirm`,
    parameters: {
      key,
      client_secret: clientSecret,
      use_stripe_sdk: 'true',
      ...(returnUrl === undefined ? {} : { return_url: returnUrl }),
    },
  });
  const result: IntentResult =
    answer.error === undefined
      ? { paymentIntent: answer.value as IntentView }
      : { error: answer.error };
  const done = await finish(key, result);
  if (mustReturn && returnUrl !== undefined && done.error === undefined) {
    return leave(returnUrl, done.paymentIntent);
  }
  return done;
}

/** Confirms with the id of a PaymentMethod, without card fields. */
export async function confirmWithMethod(
  key: string,
  clientSecret: string,
  method: unknown,
): Promise<IntentResult> {
  if (typeof method !== 'string') {
    throw new IntegrationError(
      'stripe.confirmCardPayment(): the sandbox takes a PaymentMethod id only.',
    );
  }
  const path = `/v1/payment_intents/${readIntentId(clientSecret)}/confirm`;
  const parameters = { key, client_secret: clientSecret, use_stripe_sdk: 'true' };
  return finish(key, await callApi('POST', path, { ...parameters, payment_method: method }));
}

export async function handleNextAction(key: string, clientSecret: string): Promise<IntentResult> {
  return finish(key, await retrieveIntent(key, clientSecret));
}

/** Creates a PaymentMethod from the card fields. */
export async function createMethod(
  key: string,
  elements: unknown,
): Promise<{ paymentMethod: unknown } | { error: StripeError }> {
  if (!(elements instanceof Elements)) {
    throw new IntegrationError('stripe.createPaymentMethod(): expected elements.');
  }
  const frame = elements.requirePayment().requireFrame();
  const answer = await frame.ask({
    type: 'create',
    path: '/v1/payment_methods',
    parameters: { key },
  });
  return answer.error === undefined ? { paymentMethod: answer.value } : { error: answer.error };
}
