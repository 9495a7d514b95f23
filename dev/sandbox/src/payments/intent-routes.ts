import type Stripe from 'stripe';
import type { ApiError } from '../transport/errors.ts';
import { invalidRequest, missingParameter } from '../transport/errors.ts';
import { answerList, listSpec } from '../transport/list.ts';
import { readBoolean, readGiven } from '../transport/params.ts';
import { ok } from '../transport/route.ts';
import type { Answer, Call, Route } from '../transport/route.ts';
import { answerChallenge, confirmIntent, findChallenge, findIntent } from './confirm-intent.ts';
import { cancelIntent, createIntent, updateIntent } from './edit-intent.ts';
import type { AttemptResult } from './intent-states.ts';
import { createFromData, findPaymentMethod, paymentMethodSpec } from './payment-methods.ts';
import { presentPublicIntent } from './present-intent.ts';

const optionsSpec = {
  payment_method_options: { card: { request_three_d_secure: 'text' } },
} as const;

const editSpec = {
  amount: 'text',
  currency: 'text',
  allowed_payment_method_types: 'list',
  capture_method: 'text',
  customer: 'text',
  description: 'text',
  expand: 'list',
  metadata: 'map',
  payment_method: 'text',
  payment_method_data: paymentMethodSpec,
  receipt_email: 'text',
  statement_descriptor_suffix: 'text',
  ...optionsSpec,
} as const;

const confirmSpec = {
  expand: 'list',
  payment_method: 'text',
  payment_method_data: paymentMethodSpec,
  return_url: 'text',
  use_stripe_sdk: 'text',
  ...optionsSpec,
} as const;

/** The intent as the caller's key may see it: a publishable key sees public fields only. */
function present(call: Call, intent: Stripe.PaymentIntent): object {
  return call.access === 'secret' ? intent : presentPublicIntent(intent);
}

/** A declined attempt is committed and then returned as 402, so it must not throw and roll back. */
function answerAttempt(call: Call, result: AttemptResult): Answer {
  if (result.refusal === null) return ok(present(call, result.intent));
  return refuse(call, result.refusal);
}

function refuse(call: Call, refusal: ApiError): Answer {
  const { payment_intent, ...rest } = refusal.body;
  const intent = present(call, payment_intent as Stripe.PaymentIntent);
  const log = `https://dashboard.stripe.com/test/logs/${call.cause.requestId}`;
  const error = { ...rest, payment_intent: intent, request_log_url: log };
  return { status: refusal.status, body: { error } };
}

/** The intent named by the path. A publishable key also needs its client secret. */
function findCalled(call: Call): Stripe.PaymentIntent {
  const secret = readGiven(call.form, 'client_secret');
  if (call.access === 'publishable' && secret === undefined)
    throw missingParameter('client_secret');
  return findIntent(call.sandbox, call.id, secret);
}

function create(call: Call): Answer {
  const { sandbox, cause, form } = call;
  const intent = createIntent(sandbox, cause, form);
  if (!readBoolean(form, 'confirm')) return ok(intent);
  return answerAttempt(call, confirmIntent(sandbox, cause, intent, form));
}

function confirm(call: Call): Answer {
  const intent = findCalled(call);
  return answerAttempt(call, confirmIntent(call.sandbox, call.cause, intent, call.form));
}

/** Called by Stripe.js when the cardholder closes the challenge. */
function abandonChallenge(call: Call): Answer {
  const intent = findCalled(call);
  const source = readGiven(call.form, 'source');
  const challenge = findChallenge(call.sandbox, source ?? '');
  // The challenge was answered in the meantime, and that result stands.
  if (challenge?.attempt.intent.id !== intent.id) return ok(present(call, intent));
  const { intent: failed } = answerChallenge(call.sandbox, challenge.attempt, false);
  return ok(present(call, failed));
}

function createMethod(call: Call): Answer {
  return ok(createFromData(call.sandbox, call.form).method);
}

function retrieveMethod(call: Call): Answer {
  if (!call.id.startsWith('pm_1')) throw invalidRequest(`Invalid PaymentMethod: ${call.id}`, 'id');
  return ok(findPaymentMethod(call.sandbox, call.id).method);
}

function listIntents(call: Call): Answer {
  const customer = readGiven(call.form, 'customer');
  const equals: Record<string, string[]> = customer === undefined ? {} : { customer: [customer] };
  return answerList(call, 'payment_intent', { url: '/v1/payment_intents', equals });
}

export const intentRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/v1/payment_intents',
    params: {
      ...editSpec,
      automatic_payment_methods: { enabled: 'text', allow_redirects: 'text' },
      confirm: 'text',
      return_url: 'text',
      use_stripe_sdk: 'text',
    },
    run: create,
  },
  {
    method: 'GET',
    path: '/v1/payment_intents',
    params: { ...listSpec, created: 'text or map', customer: 'text' },
    run: listIntents,
  },
  {
    method: 'GET',
    path: '/v1/payment_intents/:id',
    params: { client_secret: 'text', expand: 'list' },
    isPublic: true,
    run: (call) => ok(present(call, findCalled(call))),
  },
  {
    method: 'POST',
    path: '/v1/payment_intents/:id',
    params: editSpec,
    run: (call) => ok(updateIntent(call.sandbox, findCalled(call), call.form)),
  },
  {
    method: 'POST',
    path: '/v1/payment_intents/:id/confirm',
    params: { ...confirmSpec, client_secret: 'text' },
    isPublic: true,
    run: confirm,
  },
  {
    method: 'POST',
    path: '/v1/payment_intents/:id/source_cancel',
    params: { client_secret: 'text', source: 'text' },
    isPublic: true,
    run: abandonChallenge,
  },
  {
    method: 'POST',
    path: '/v1/payment_intents/:id/cancel',
    params: { cancellation_reason: 'text', expand: 'list' },
    run: (call) => ok(cancelIntent(call.sandbox, call.cause, findCalled(call), call.form)),
  },
  {
    method: 'POST',
    path: '/v1/payment_methods',
    params: { ...paymentMethodSpec, expand: 'list' },
    isPublic: true,
    run: createMethod,
  },
  {
    method: 'GET',
    path: '/v1/payment_methods/:id',
    params: { expand: 'list' },
    run: retrieveMethod,
  },
];
