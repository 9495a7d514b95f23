import type Stripe from 'stripe';
import { describeCard, readCard, requireCardType } from '../cards/read-card.ts';
import type { KnownCard } from '../cards/read-card.ts';
import { findCardByName } from '../cards/test-cards.ts';
import type { TestCard } from '../cards/test-cards.ts';
import { createId } from '../ids.ts';
import type { Sandbox } from '../sandbox.ts';
import { missingResource } from '../transport/errors.ts';
import type { Form } from '../transport/form.ts';
import { readForm, readGiven } from '../transport/params.ts';

export interface ChargeableMethod {
  readonly method: Stripe.PaymentMethod;
  readonly card: TestCard;
}

/** The parameters allowed in `payment_method_data`. */
export const paymentMethodSpec = {
  type: 'text',
  card: { number: 'text', exp_month: 'text', exp_year: 'text', cvc: 'text' },
  billing_details: {
    name: 'text',
    email: 'text',
    phone: 'text',
    address: {
      country: 'text',
      postal_code: 'text',
      line1: 'text',
      line2: 'text',
      city: 'text',
      state: 'text',
    },
  },
  allow_redisplay: 'text',
  metadata: 'map',
} as const;

/** Creates a PaymentMethod from card data. Throws ApiError 402 for an invalid card. */
export function createFromData(sandbox: Sandbox, data: Form): ChargeableMethod {
  requireCardType(data);
  const known = readCard(readForm(data, 'card'), sandbox.store.salt, sandbox.clock.nowMs());
  return keep(sandbox, known, readBilling(data));
}

/** Finds `pm_…`, or creates one from a predefined `pm_card_…`. Throws ApiError 404. */
export function findPaymentMethod(sandbox: Sandbox, id: string): ChargeableMethod {
  const stored = sandbox.store.find('payment_method', id);
  const name = stored === undefined ? id.replace(/^pm_card_/, '') : (stored.hidden['card'] ?? '');
  const card = findCardByName(name);
  if (card === undefined || (stored === undefined && !id.startsWith('pm_card_'))) {
    throw missingResource('PaymentMethod', id, 'payment_method');
  }
  if (stored !== undefined) return { method: stored.object, card };
  const expYear = new Date(sandbox.clock.nowMs()).getUTCFullYear() + 1;
  const known = { ...describeCard(card, sandbox.store.salt), expMonth: 12, expYear };
  return keep(sandbox, known, readBilling({}));
}

function keep(
  sandbox: Sandbox,
  known: KnownCard,
  billing: Stripe.PaymentMethod.BillingDetails,
): ChargeableMethod {
  const method: Stripe.PaymentMethod = {
    id: createId('pm_1'),
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: billing,
    card: presentCard(known, billing),
    created: sandbox.clock.nowSeconds(),
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: 'card',
  };
  sandbox.store.insert('payment_method', method, { card: known.card.name });
  return { method, card: known.card };
}

function presentCard(
  known: KnownCard,
  billing: Stripe.PaymentMethod.BillingDetails,
): Stripe.PaymentMethod.Card {
  return {
    brand: known.brand,
    checks: {
      address_line1_check: null,
      address_postal_code_check: billing.address?.postal_code ? 'unchecked' : null,
      cvc_check: known.isCvcGiven ? 'unchecked' : null,
    },
    country: 'US',
    display_brand: known.brand === 'amex' ? 'american_express' : known.brand,
    exp_month: known.expMonth,
    exp_year: known.expYear,
    fingerprint: known.fingerprint,
    funding: 'credit',
    generated_from: null,
    last4: known.last4,
    networks: { available: [known.brand], preferred: null },
    regulated_status: 'unregulated',
    three_d_secure_usage: { supported: true },
    wallet: null,
  };
}

function readBilling(data: Form): Stripe.PaymentMethod.BillingDetails {
  const billing = readForm(data, 'billing_details');
  const address = readForm(billing, 'address');
  return {
    address: {
      city: readGiven(address, 'city') ?? null,
      country: readGiven(address, 'country') ?? null,
      line1: readGiven(address, 'line1') ?? null,
      line2: readGiven(address, 'line2') ?? null,
      postal_code: readGiven(address, 'postal_code') ?? null,
      state: readGiven(address, 'state') ?? null,
    },
    email: readGiven(billing, 'email') ?? null,
    name: readGiven(billing, 'name') ?? null,
    phone: readGiven(billing, 'phone') ?? null,
    tax_id: null,
  };
}
