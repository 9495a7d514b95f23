import type Stripe from 'stripe';
import { createId, readId } from '../ids.ts';
import type { Cause, Sandbox } from '../sandbox.ts';
import { invalidRequest, missingParameter, unexpectedState } from '../transport/errors.ts';
import type { Form } from '../transport/form.ts';
import {
  mergeMetadata,
  readAmount,
  readBoolean,
  readChoice,
  readForm,
  readGiven,
  readList,
  readText,
} from '../transport/params.ts';
import { emit } from '../webhooks/events.ts';
import { createFromData, findPaymentMethod } from './payment-methods.ts';

const captureMethods = ['automatic', 'automatic_async'] as const;
const cancellationReasons = [
  'abandoned',
  'duplicate',
  'fraudulent',
  'requested_by_customer',
] as const;
const currencies = new Set(Intl.supportedValuesOf('currency').map((code) => code.toLowerCase()));

/** Creates an intent. Throws ApiError 400 for an invalid amount, currency or option. */
export function createIntent(
  sandbox: Sandbox,
  cause: Cause | null,
  form: Form,
): Stripe.PaymentIntent {
  const id = createId('pi_3');
  const blank: Stripe.PaymentIntent = {
    ...emptyIntent,
    id,
    client_secret: `${id}_secret_${createId('')}`,
    created: sandbox.clock.nowSeconds(),
    amount: readAmount(form),
    currency: readCurrency(form),
  };
  const intent: Stripe.PaymentIntent = {
    ...applyOptions(sandbox, blank, form),
    automatic_payment_methods: readAutomatic(form),
  };
  sandbox.store.insert('payment_intent', intent);
  emit(sandbox, cause, { type: 'payment_intent.created', object: intent });
  return intent;
}

const emptyIntent: Stripe.PaymentIntent = {
  id: '',
  object: 'payment_intent',
  allowed_payment_method_types: null,
  amount: 0,
  amount_capturable: 0,
  amount_details: { tip: {} },
  amount_received: 0,
  application: null,
  application_fee_amount: null,
  automatic_payment_methods: null,
  canceled_at: null,
  cancellation_reason: null,
  capture_method: 'automatic_async',
  client_secret: null,
  confirmation_method: 'automatic',
  created: 0,
  currency: 'usd',
  customer: null,
  customer_account: null,
  description: null,
  excluded_payment_method_types: null,
  last_payment_error: null,
  latest_charge: null,
  livemode: false,
  managed_payments: null,
  metadata: {},
  next_action: null,
  on_behalf_of: null,
  payment_method: null,
  payment_method_configuration_details: null,
  payment_method_options: null,
  payment_method_types: ['card'],
  payment_record: null,
  processing: null,
  receipt_email: null,
  review: null,
  setup_future_usage: null,
  shipping: null,
  source: null,
  statement_descriptor: null,
  statement_descriptor_suffix: null,
  status: 'requires_payment_method',
  transfer_data: null,
  transfer_group: null,
};

/**
 * Updates an intent. After success or cancellation only fields such as description and metadata may change; amount,
 * currency and card may not. Throws ApiError 400.
 */
export function updateIntent(
  sandbox: Sandbox,
  intent: Stripe.PaymentIntent,
  form: Form,
): Stripe.PaymentIntent {
  const isMoney = ['amount', 'currency', 'payment_method', 'payment_method_data'].some(
    (name) => form[name] !== undefined,
  );
  const isOpen =
    intent.status === 'requires_payment_method' || intent.status === 'requires_confirmation';
  if (isMoney && !isOpen) {
    throw unexpectedState(
      intent,
      `This PaymentIntent's amount could not be updated because it has a status of ${intent.status}.`,
    );
  }
  const changed: Stripe.PaymentIntent = {
    ...applyOptions(sandbox, intent, form),
    ...(form['amount'] === undefined ? {} : { amount: readAmount(form) }),
    ...(form['currency'] === undefined ? {} : { currency: readCurrency(form) }),
  };
  sandbox.store.update('payment_intent', changed);
  return changed;
}

/** Cancels an intent, irreversibly. Throws ApiError 400 while it is processing and after success or cancellation. */
export function cancelIntent(
  sandbox: Sandbox,
  cause: Cause | null,
  intent: Stripe.PaymentIntent,
  form: Form,
): Stripe.PaymentIntent {
  if (['processing', 'succeeded', 'canceled'].includes(intent.status)) {
    throw unexpectedState(
      intent,
      `You cannot cancel this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be canceled: requires_payment_method, requires_capture, requires_confirmation, requires_action.`,
    );
  }
  const canceled: Stripe.PaymentIntent = {
    ...intent,
    canceled_at: sandbox.clock.nowSeconds(),
    cancellation_reason: readChoice(form, 'cancellation_reason', cancellationReasons, null),
    next_action: null,
    status: 'canceled',
  };
  sandbox.store.update('payment_intent', canceled, {});
  emit(sandbox, cause, { type: 'payment_intent.canceled', object: canceled });
  return canceled;
}

function readCurrency(form: Form): string {
  const currency = readGiven(form, 'currency')?.toLowerCase();
  if (currency === undefined) throw missingParameter('currency');
  if (!currencies.has(currency)) {
    throw invalidRequest(`Invalid currency: ${currency.slice(0, 10)}.`, 'currency');
  }
  return currency;
}

function readAutomatic(form: Form): Stripe.PaymentIntent.AutomaticPaymentMethods | null {
  const automatic = readForm(form, 'automatic_payment_methods');
  if (!readBoolean(automatic, 'enabled')) return null;
  const allow_redirects = readChoice(automatic, 'allow_redirects', ['always', 'never'], 'always');
  return { allow_redirects, enabled: true };
}

function readTypes(form: Form): string[] | undefined {
  if (form['allowed_payment_method_types'] === undefined) return undefined;
  const types = readList(form, 'allowed_payment_method_types');
  const unknown = types.find((type) => type !== 'card');
  if (unknown !== undefined || types.length === 0) {
    throw invalidRequest(
      `The payment method type "${String(unknown)}" is invalid. This sandbox knows card only.`,
      'allowed_payment_method_types',
    );
  }
  return types;
}

/** Applies the options that create and update share; `''` unsets a string. */
function applyOptions(
  sandbox: Sandbox,
  intent: Stripe.PaymentIntent,
  form: Form,
): Stripe.PaymentIntent {
  const text = (name: string, before: string | null): string | null => {
    const value = readText(form, name);
    return value === undefined ? before : value || null;
  };
  const card = readForm(readForm(form, 'payment_method_options'), 'card');
  const asked = readChoice(
    card,
    'request_three_d_secure',
    ['any', 'automatic', 'challenge'],
    intent.payment_method_options?.card?.request_three_d_secure ?? 'automatic',
  );
  const types = readTypes(form) ?? intent.allowed_payment_method_types;
  const changed: Stripe.PaymentIntent = {
    ...intent,
    allowed_payment_method_types: types,
    capture_method: readChoice(form, 'capture_method', captureMethods, intent.capture_method),
    customer: text('customer', readId(intent.customer) || null),
    description: text('description', intent.description),
    metadata: mergeMetadata(intent.metadata, form),
    payment_method_options: {
      card: {
        installments: null,
        mandate_options: null,
        network: null,
        request_three_d_secure: asked,
      },
    },
    receipt_email: text('receipt_email', intent.receipt_email),
    statement_descriptor_suffix: text(
      'statement_descriptor_suffix',
      intent.statement_descriptor_suffix,
    ),
  };
  return attachMethod(sandbox, changed, form);
}

/**
 * A card given without `confirm` moves the intent to requires_confirmation; with `confirm`, confirming reads the
 * card.
 */
function attachMethod(
  sandbox: Sandbox,
  intent: Stripe.PaymentIntent,
  form: Form,
): Stripe.PaymentIntent {
  const id = readGiven(form, 'payment_method');
  const isGiven = id !== undefined || form['payment_method_data'] !== undefined;
  if (!isGiven || readBoolean(form, 'confirm')) return intent;
  const { method } =
    id === undefined
      ? createFromData(sandbox, readForm(form, 'payment_method_data'))
      : findPaymentMethod(sandbox, id);
  return { ...intent, payment_method: method.id, status: 'requires_confirmation' };
}
