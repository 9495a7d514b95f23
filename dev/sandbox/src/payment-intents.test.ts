import type Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testCards } from './cards/test-cards.ts';
import { readId } from './ids.ts';
import { expectBooks } from './test/expect-books.ts';
import { fails } from './test/fails.ts';
import { readRequiredFields } from './test/read-required-fields.ts';
import { startTestSandbox } from './test/start-test-sandbox.ts';
import type { TestSandbox } from './test/start-test-sandbox.ts';

let sandbox: TestSandbox;
let stripe: Stripe;

beforeAll(async () => {
  sandbox = await startTestSandbox();
  stripe = sandbox.stripe;
});
afterAll(async () => {
  await expectBooks(stripe);
  await sandbox.end();
});

const order: Stripe.PaymentIntentCreateParams = {
  amount: 1110,
  currency: 'usd',
  allowed_payment_method_types: ['card'],
  description: '10.00 USD into $ATH',
  receipt_email: 'ada@example.com',
  metadata: { order_id: 'o1', env: 'test' },
};

/** Confirms as a browser does, with publishable key, client secret and card data. */
async function confirmInBrowser(intent: Stripe.PaymentIntent, number: string, more = '') {
  const amex = number.startsWith('37');
  const body = new URLSearchParams(more);
  body.set('key', sandbox.settings.publishableKey);
  body.set('client_secret', intent.client_secret ?? '');
  body.set('use_stripe_sdk', 'true');
  body.set('payment_method_data[type]', 'card');
  body.set('payment_method_data[card][number]', number);
  body.set('payment_method_data[card][exp_month]', '12');
  body.set('payment_method_data[card][exp_year]', '2034');
  body.set('payment_method_data[card][cvc]', amex ? '1234' : '123');
  for (const [name, value] of new URLSearchParams(more)) body.set(name, value);
  const url = `${sandbox.url}/v1/payment_intents/${intent.id}/confirm`;
  const response = await fetch(url, { method: 'POST', body });
  return { status: response.status, body: (await response.json()) as Record<string, never> };
}

describe('objects', () => {
  it('have every field that the installed SDK declares as required', async () => {
    const intent = await stripe.paymentIntents.create({
      ...order,
      capture_method: 'automatic',
      confirm: true,
      payment_method: 'pm_card_visa',
    });
    const charge = await stripe.charges.retrieve(readId(intent.latest_charge));
    const movement = await stripe.balanceTransactions.retrieve(readId(charge.balance_transaction));
    const [event] = (await stripe.events.list({ limit: 1 })).data;
    const method = await stripe.paymentMethods.retrieve(readId(intent.payment_method));
    const balance = await stripe.balance.retrieve();
    const table = [
      ['PaymentIntents', 'PaymentIntent', intent, 42],
      ['Charges', 'Charge', charge, 42],
      ['BalanceTransactions', 'BalanceTransaction', movement, 16],
      ['Events', 'EventBase', event, 8],
      ['PaymentMethods', 'PaymentMethod', method, 8],
      ['Balance', 'Balance', balance, 4],
    ] as const;
    for (const [file, name, object, countMin] of table) {
      const required = readRequiredFields(file, name);
      expect(required.length, name).toBeGreaterThanOrEqual(countMin);
      expect(Object.keys(object ?? {}), name).toEqual(expect.arrayContaining(required));
    }
    expect(movement).toMatchObject({ amount: 1110, fee: 62, net: 1048, source: charge.id });
  });
});

describe('test cards', () => {
  const outcomes = testCards.map((card) => {
    const { outcome } = card;
    const succeeded = outcome.kind === 'processes' ? 'processing' : 'succeeded';
    return {
      name: card.name,
      number: card.number,
      isChallenged: card.challenge === 'always',
      expected: outcome.kind === 'declines' ? outcome.code : succeeded,
      declineCode: outcome.kind === 'declines' ? outcome.declineCode : undefined,
    };
  });

  it.each(outcomes)('[D-103] $name behaves the same by number and by name', async (card) => {
    for (const way of ['number', 'name'] as const) {
      const intent = await stripe.paymentIntents.create(order);
      const answer =
        way === 'number'
          ? await confirmInBrowser(intent, card.number)
          : await sandbox.control('POST', 'confirm', {
              payment_intent: intent.id,
              card: `pm_card_${card.name}`,
              authenticate: 'leave',
            });
      expect(JSON.stringify(answer)).not.toContain(card.number);
      let after = await stripe.paymentIntents.retrieve(intent.id);
      if (card.isChallenged) {
        expect(after.status).toBe('requires_action');
        const url = after.next_action?.use_stripe_sdk?.['stripe_js'];
        await fetch(String(url), { method: 'POST', body: 'outcome=pass' });
        after = await stripe.paymentIntents.retrieve(intent.id);
      }
      if (card.expected === 'succeeded' || card.expected === 'processing') {
        expect(after.status).toBe(card.expected);
        expect(after.last_payment_error).toBeNull();
        expect(after.amount_received).toBe(card.expected === 'succeeded' ? 1110 : 0);
      } else {
        expect(after.status).toBe('requires_payment_method');
        expect(after.payment_method).toBeNull();
        expect(after.last_payment_error?.code).toBe(card.expected);
        expect(after.last_payment_error?.decline_code).toBe(card.declineCode);
        const charge = await stripe.charges.retrieve(readId(after.latest_charge));
        expect(charge).toMatchObject({ status: 'failed', paid: false, captured: false });
      }
    }
  });

  it.each([
    ['incorrect_number', '4242424242424241', ''],
    ['invalid_number', '42424242x', ''],
    ['card_declined', '4111111111111111', ''],
    ['invalid_expiry_year', '4242424242424242', 'payment_method_data[card][exp_year]=2020'],
    ['invalid_expiry_month', '4242424242424242', 'payment_method_data[card][exp_month]=13'],
    ['invalid_cvc', '4242424242424242', 'payment_method_data[card][cvc]=12'],
  ])('answers 402 %s and charges nothing', async (code, number, more) => {
    const intent = await stripe.paymentIntents.create(order);
    const answer = await confirmInBrowser(intent, number, more);
    expect(answer.status).toBe(402);
    expect(answer.body['error']).toMatchObject({ type: 'card_error', code });
    const after = await stripe.paymentIntents.retrieve(intent.id);
    expect(after.latest_charge).toBeNull();
  });

  it('challenges the optional card only when the intent requests it', async () => {
    for (const [asked, status] of [
      ['automatic', 'succeeded'],
      ['any', 'requires_action'],
    ] as const) {
      const intent = await stripe.paymentIntents.create({
        ...order,
        payment_method_options: { card: { request_three_d_secure: asked } },
      });
      const after = await stripe.paymentIntents.confirm(intent.id, {
        payment_method: 'pm_card_threeDSecureOptional',
      });
      expect(after.status).toBe(status);
    }
  });

  it('finishes the processing of delayed cards on its own', async () => {
    for (const [card, status] of [
      ['pm_card_athosProcessingSucceeds', 'succeeded'],
      ['pm_card_athosProcessingFails', 'requires_payment_method'],
    ] as const) {
      const intent = await stripe.paymentIntents.create(order);
      await stripe.paymentIntents.confirm(intent.id, { payment_method: card });
      await sandbox.control('POST', 'clock', { advance_ms: 3000 });
      await expect
        .poll(async () => (await stripe.paymentIntents.retrieve(intent.id)).status)
        .toBe(status);
    }
  });
});

describe('states', () => {
  it('declines, then succeeds on the same intent, and clears the error', async () => {
    const intent = await stripe.paymentIntents.create(order);
    const error = await fails(
      stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_chargeDeclined' }),
    );
    expect(error).toMatchObject({
      type: 'StripeCardError',
      statusCode: 402,
      code: 'card_declined',
      decline_code: 'generic_decline',
      message: 'Your card was declined.',
      doc_url: 'https://docs.stripe.com/error-codes/card-declined',
    });
    expect(error.payment_intent?.status).toBe('requires_payment_method');
    const paid = await stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa' });
    expect(paid).toMatchObject({ status: 'succeeded', last_payment_error: null });
    for (const call of [
      stripe.paymentIntents.cancel(intent.id),
      stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa' }),
      stripe.paymentIntents.update(intent.id, { amount: 2000 }),
    ]) {
      const refused = await fails(call);
      expect(refused.code).toBe('payment_intent_unexpected_state');
      expect(refused.payment_intent?.id).toBe(intent.id);
    }
  });

  it('redirects after a challenge with the three parameters', async () => {
    const intent = await stripe.paymentIntents.create(order);
    const waiting = await stripe.paymentIntents.confirm(intent.id, {
      payment_method: 'pm_card_threeDSecure2Required',
      return_url: 'http://127.0.0.1:8080/app/buy?x=1',
    });
    const { url } = waiting.next_action?.redirect_to_url ?? {};
    const page = await fetch(String(url));
    expect(page.headers.get('content-security-policy')).toContain(
      "form-action 'self' http://127.0.0.1:8080",
    );
    expect(await page.text()).toContain('Complete authentication');
    const answer = await fetch(String(url), {
      method: 'POST',
      body: 'outcome=fail',
      redirect: 'manual',
    });
    expect(answer.headers.get('location')).toBe(
      `http://127.0.0.1:8080/app/buy?x=1&payment_intent=${intent.id}&payment_intent_client_secret=${intent.client_secret}&redirect_status=failed`,
    );
    const after = await stripe.paymentIntents.retrieve(intent.id);
    expect(after.status).toBe('requires_payment_method');
    expect(after.last_payment_error?.code).toBe('payment_intent_authentication_failure');
    expect(await (await fetch(String(url))).text()).toContain('This authentication is over.');
  });

  it('cancels an open intent for good', async () => {
    const intent = await stripe.paymentIntents.create(order);
    const canceled = await stripe.paymentIntents.cancel(intent.id, {
      cancellation_reason: 'abandoned',
    });
    expect(canceled).toMatchObject({ status: 'canceled', cancellation_reason: 'abandoned' });
    expect(canceled.canceled_at).toBeGreaterThan(0);
    const refused = await fails(stripe.paymentIntents.confirm(intent.id));
    expect(refused.code).toBe('payment_intent_unexpected_state');
  });

  it('merges metadata, and deletes a key set to an empty string', async () => {
    const intent = await stripe.paymentIntents.create(order);
    const changed = await stripe.paymentIntents.update(intent.id, {
      metadata: { order_id: '', user: 'u1' },
      amount: 1200,
    });
    expect(changed.metadata).toEqual({ env: 'test', user: 'u1' });
    expect(changed.amount).toBe(1200);
  });

  it('lets exactly one of a concurrent cancel and confirm win', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { id } = await stripe.paymentIntents.create(order);
      const outcomes = await Promise.allSettled([
        stripe.paymentIntents.cancel(id),
        stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' }),
      ]);
      expect(outcomes.filter((one) => one.status === 'fulfilled')).toHaveLength(1);
    }
  });
});

describe('refusals', () => {
  it.each([
    [{ currency: 'usd' }, 'parameter_missing', 'amount'],
    [{ amount: 1110 }, 'parameter_missing', 'currency'],
    [{ amount: 49, currency: 'usd' }, 'amount_too_small', 'amount'],
    [{ amount: 100_000_000, currency: 'usd' }, 'amount_too_large', 'amount'],
    [{ amount: 10.5, currency: 'usd' }, 'parameter_invalid_integer', 'amount'],
    [{ amount: Number.NaN, currency: 'usd' }, 'parameter_invalid_integer', 'amount'],
    [{ amount: 1e21, currency: 'usd' }, 'parameter_invalid_integer', 'amount'],
    [{ amount: -5, currency: 'usd' }, 'parameter_invalid_integer', 'amount'],
    [{ ...order, payment_method_types: ['card'] }, 'parameter_unknown', 'payment_method_types'],
    [{ ...order, metadata: undefined, currency: 'xyz' }, undefined, 'currency'],
    [{ ...order, expand: ['customer.name'] }, undefined, 'expand'],
    [{ ...order, payment_method: 'pm_none' }, 'resource_missing', 'payment_method'],
  ])('of %j', async (params, code, param) => {
    // Delayed payments of earlier tests may finish meanwhile, so only intents are counted.
    const intentCount = async () =>
      ((await sandbox.control('GET', 'state'))['objects'] as Record<string, number>)[
        'payment_intent'
      ];
    const before = await intentCount();
    const wrong = params as Stripe.PaymentIntentCreateParams;
    const error = await fails(stripe.paymentIntents.create(wrong));
    expect(error.type).toBe('StripeInvalidRequestError');
    expect(error.code).toBe(code);
    expect(error.param).toBe(param);
    expect(await intentCount()).toBe(before);
  });

  it('of unknown ids and paths are JSON with status 404', async () => {
    const error = await fails(stripe.paymentIntents.retrieve('pi_none'));
    expect(error).toMatchObject({ statusCode: 404, code: 'resource_missing' });
    const headers = { authorization: `Bearer ${sandbox.settings.secretKey}` };
    const response = await fetch(`${sandbox.url}/v1/none`, { headers });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error: { type: 'invalid_request_error' } });
  });
});

describe('keys', () => {
  const get = async (path: string, authorization?: string): Promise<Response> =>
    fetch(
      `${sandbox.url}${path}`,
      authorization === undefined ? {} : { headers: { authorization } },
    );

  it('are accepted as Bearer and as Basic, and never echoed in full', async () => {
    const { secretKey } = sandbox.settings;
    const basic = `Basic ${Buffer.from(`${secretKey}:`).toString('base64')}`;
    expect((await get('/v1/balance', basic)).status).toBe(200);
    expect((await get('/v1/balance')).status).toBe(401);
    const wrong = await get('/v1/balance', 'Bearer sk_test_wrong_key_of_mine');
    expect(wrong.status).toBe(401);
    expect(await wrong.text()).not.toContain('sk_test_wrong_key_of_mine');
    const live = await get('/v1/balance', 'Bearer sk_live_1234567890');
    expect(live.status).toBe(401);
  });

  it('of the browser read only public fields, and only with the client secret', async () => {
    const intent = await stripe.paymentIntents.create(order);
    const key = `key=${sandbox.settings.publishableKey}`;
    const path = `/v1/payment_intents/${intent.id}`;
    const refused = await get(`/v1/payment_intents?${key}`);
    expect(refused.status).toBe(401);
    expect(await refused.json()).toMatchObject({ error: { code: 'secret_key_required' } });
    expect((await get(`${path}?${key}&client_secret=wrong`)).status).toBe(404);
    const seen = await get(`${path}?${key}&client_secret=${intent.client_secret}`);
    const fields = Object.keys((await seen.json()) as object);
    expect(fields).toHaveLength(20);
    expect(fields).not.toContain('metadata');
    expect(fields).not.toContain('latest_charge');
    const withAmount = await confirmInBrowser(intent, '4242424242424242', 'amount=50');
    expect(withAmount.body['error']).toMatchObject({ code: 'parameter_unknown', param: 'amount' });
  });
});

describe('lists', () => {
  it('page newest first in both directions, with a stable order within a second', async () => {
    const fresh = await startTestSandbox();
    try {
      const ids: string[] = [];
      for (let count = 0; count < 7; count += 1) {
        ids.unshift((await fresh.stripe.paymentIntents.create(order)).id);
      }
      const first = await fresh.stripe.paymentIntents.list({ limit: 3 });
      expect(first.data.map((one) => one.id)).toEqual(ids.slice(0, 3));
      expect(first).toMatchObject({ has_more: true, url: '/v1/payment_intents' });
      const next = await fresh.stripe.paymentIntents.list({
        limit: 3,
        starting_after: ids[2] ?? '',
      });
      expect(next.data.map((one) => one.id)).toEqual(ids.slice(3, 6));
      const back = await fresh.stripe.paymentIntents.list({
        limit: 2,
        ending_before: ids[5] ?? '',
      });
      expect(back.data.map((one) => one.id)).toEqual(ids.slice(3, 5));
      const all: string[] = [];
      for await (const one of fresh.stripe.paymentIntents.list({ limit: 2 })) all.push(one.id);
      expect(all).toEqual(ids);
      const none = await fresh.stripe.paymentIntents.list({ created: { lt: 1000 } });
      expect(none.data).toEqual([]);
      const bad = await fails(fresh.stripe.paymentIntents.list({ limit: 101 }));
      expect(bad.param).toBe('limit');
    } finally {
      await fresh.end();
    }
  });

  it('expand along dotted paths', async () => {
    const intent = await stripe.paymentIntents.create({
      ...order,
      capture_method: 'automatic',
      confirm: true,
      payment_method: 'pm_card_visa',
    });
    const charges = await stripe.charges.list({
      payment_intent: intent.id,
      expand: ['data.balance_transaction', 'data.payment_intent.payment_method'],
    });
    expect(charges.data[0]?.balance_transaction).toMatchObject({ fee: 62 });
    expect(charges.data[0]?.payment_intent).toMatchObject({
      payment_method: { card: { last4: '4242', brand: 'visa' } },
    });
  });
});
