import type Stripe from 'stripe';
import { createId, readId } from '../ids.ts';
import type { Cause, Sandbox } from '../sandbox.ts';
import { invalidRequest, missingResource, unexpectedState } from '../transport/errors.ts';
import type { Form } from '../transport/form.ts';
import { readBoolean, readForm, readGiven } from '../transport/params.ts';
import { emit } from '../webhooks/events.ts';
import type { Attempt } from './charges.ts';
import { chargeIntent, failAuthentication } from './intent-states.ts';
import type { AttemptResult } from './intent-states.ts';
import { createFromData, findPaymentMethod } from './payment-methods.ts';
import type { ChargeableMethod } from './payment-methods.ts';

const closedStates: readonly string[] = ['succeeded', 'canceled', 'processing', 'requires_capture'];

/** Finds an intent for the server or, with the client secret, for the browser. Throws ApiError. */
export function findIntent(
  sandbox: Sandbox,
  id: string,
  clientSecret?: string,
): Stripe.PaymentIntent {
  const intent = sandbox.store.find('payment_intent', id)?.object;
  // A wrong secret gets the same response as a wrong id, so that guessing reveals nothing.
  const isHidden = clientSecret !== undefined && intent?.client_secret !== clientSecret;
  if (intent === undefined || isHidden) throw missingResource('payment_intent', id, 'intent');
  return intent;
}

/**
 * One payment attempt: resolves the card, then starts 3-D Secure if required, otherwise charges. A new attempt
 * replaces one that is waiting for authentication. Throws ApiError 400 if the intent is final or has no card, and 402
 * for invalid card data.
 */
export function confirmIntent(
  sandbox: Sandbox,
  cause: Cause | null,
  intent: Stripe.PaymentIntent,
  form: Form,
): AttemptResult {
  if (closedStates.includes(intent.status)) {
    throw unexpectedState(
      intent,
      `You cannot confirm this PaymentIntent because it has a status of ${intent.status}.`,
    );
  }
  const chargeable = resolveMethod(sandbox, intent, form);
  const options = readForm(readForm(form, 'payment_method_options'), 'card');
  const asked =
    readGiven(options, 'request_three_d_secure') ??
    intent.payment_method_options?.card?.request_three_d_secure ??
    'automatic';
  const { challenge } = chargeable.card;
  if (challenge === 'always' || (challenge === 'if_asked' && asked !== 'automatic')) {
    return askForAuthentication(sandbox, cause, { intent, chargeable, form });
  }
  const attempt = { intent, method: chargeable.method, isAuthenticated: false };
  return chargeIntent(sandbox, cause, attempt, chargeable.card);
}

function resolveMethod(
  sandbox: Sandbox,
  intent: Stripe.PaymentIntent,
  form: Form,
): ChargeableMethod {
  const id = readGiven(form, 'payment_method');
  const data = form['payment_method_data'];
  if (id !== undefined && data !== undefined) {
    throw invalidRequest('Give payment_method or payment_method_data, not both.');
  }
  if (data !== undefined) return createFromData(sandbox, readForm(form, 'payment_method_data'));
  if (id !== undefined) return findPaymentMethod(sandbox, id);
  if (typeof intent.payment_method === 'string') {
    return findPaymentMethod(sandbox, intent.payment_method);
  }
  throw unexpectedState(
    intent,
    "You cannot confirm this PaymentIntent because it's missing a payment method. You can either update the PaymentIntent with a payment method and then confirm it again, or confirm it again directly with a payment method or ConfirmationToken.",
  );
}

function askForAuthentication(
  sandbox: Sandbox,
  cause: Cause | null,
  waiting: { intent: Stripe.PaymentIntent; chargeable: ChargeableMethod; form: Form },
): AttemptResult {
  const source = createId('src_1');
  const url = `${sandbox.url}/3d_secure/${source}`;
  const returnUrl = readGiven(waiting.form, 'return_url') ?? null;
  const isSdk = readBoolean(waiting.form, 'use_stripe_sdk');
  const intent: Stripe.PaymentIntent = {
    ...waiting.intent,
    next_action: isSdk
      ? {
          type: 'use_stripe_sdk',
          use_stripe_sdk: { type: 'three_d_secure_redirect', stripe_js: url, source },
        }
      : { type: 'redirect_to_url', redirect_to_url: { url, return_url: returnUrl } },
    last_payment_error: null,
    payment_method: waiting.chargeable.method.id,
    status: 'requires_action',
  };
  sandbox.store.update('payment_intent', intent, { source, return_url: isSdk ? null : returnUrl });
  emit(sandbox, cause, { type: 'payment_intent.requires_action', object: intent });
  return { intent, refusal: null };
}

export interface Challenge {
  readonly attempt: Attempt;
  readonly returnUrl: string | null;
}

/** Finds a challenge by its unguessable source id; undefined once it has been answered or replaced. */
export function findChallenge(sandbox: Sandbox, source: string): Challenge | undefined {
  const row = sandbox.store.db
    .prepare(
      `select id from objects where kind = 'payment_intent' and json_extract(hidden, '$.source') = ?`,
    )
    .get(source);
  const stored = sandbox.store.find('payment_intent', String(row?.['id']));
  if (stored?.object.status !== 'requires_action') return undefined;
  const { method } = findPaymentMethod(sandbox, readId(stored.object.payment_method));
  return {
    attempt: { intent: stored.object, method, isAuthenticated: true },
    returnUrl: stored.hidden['return_url'] ?? null,
  };
}

/** Handles that the cardholder passed, failed or closed the challenge. */
export function answerChallenge(
  sandbox: Sandbox,
  attempt: Attempt,
  isPassed: boolean,
): AttemptResult {
  if (!isPassed) return failAuthentication(sandbox, null, attempt);
  const { card } = findPaymentMethod(sandbox, attempt.method.id);
  return chargeIntent(sandbox, null, attempt, card);
}
