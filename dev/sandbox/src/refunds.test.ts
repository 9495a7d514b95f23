import type Stripe from 'stripe';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
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
afterAll(() => sandbox.end());
beforeEach(() => sandbox.control('POST', 'reset', {}));
afterEach(() => expectBooks(stripe));

/** Pays 11.10 USD with a test card. Returns the intent. */
async function pay(card = 'visa'): Promise<Stripe.PaymentIntent> {
  return stripe.paymentIntents.create({
    amount: 1110,
    currency: 'usd',
    description: '10.00 USD into $ATH',
    confirm: true,
    payment_method: `pm_card_${card}`,
  });
}

async function chargeOf(intent: Stripe.PaymentIntent): Promise<Stripe.Charge> {
  return stripe.charges.retrieve(readId(intent.latest_charge));
}

async function eventTypes(): Promise<string[]> {
  const events = await stripe.events.list({ limit: 100 });
  return events.data.map(({ type }) => type).reverse();
}

async function advance(byMs: number): Promise<void> {
  await sandbox.control('POST', 'clock', { advance_ms: byMs });
}

describe('a refund', () => {
  it('[O-142] has every field that the installed SDK declares, and takes the money from the balance', async () => {
    const intent = await pay();
    const refund = await stripe.refunds.create({
      payment_intent: intent.id,
      reason: 'requested_by_customer',
      metadata: { refund_id: 'r1' },
      expand: ['balance_transaction', 'charge.payment_intent'],
    });
    const required = readRequiredFields('Refunds', 'Refund');
    expect(required.length).toBeGreaterThanOrEqual(17);
    expect(Object.keys(refund)).toEqual(expect.arrayContaining(required));
    expect(refund).toMatchObject({
      amount: 1110,
      status: 'succeeded',
      metadata: { refund_id: 'r1' },
      balance_transaction: { type: 'refund', amount: -1110, fee: 0, source: refund.id },
      charge: { amount_refunded: 1110, refunded: true, payment_intent: { id: intent.id } },
    });
    const types = await eventTypes();
    expect(types.slice(-2)).toEqual(['refund.created', 'charge.refunded']);
    expect((await stripe.balance.retrieve()).pending).toMatchObject([{ amount: -62 }]);
  });

  it('takes parts and then the rest, and is listed by charge, intent and time', async () => {
    const intent = await pay();
    const other = await stripe.refunds.create({ payment_intent: (await pay()).id });
    const charge = readId(intent.latest_charge);
    const first = await stripe.refunds.create({ charge, amount: 300 });
    const part = await chargeOf(intent);
    expect(part).toMatchObject({ amount_refunded: 300, refunded: false });
    const [event] = (await stripe.events.list({ type: 'charge.refunded', limit: 1 })).data;
    expect(event?.data).toMatchObject({
      object: { amount_refunded: 300 },
      previous_attributes: { amount_refunded: 0, refunded: false },
    });
    const rest = await stripe.refunds.create({ payment_intent: intent.id });
    expect(rest.amount).toBe(810);
    for (const filter of [{ charge }, { payment_intent: intent.id }]) {
      const { data } = await stripe.refunds.list(filter);
      expect(data.map(({ id }) => id)).toEqual([rest.id, first.id]);
    }
    expect((await stripe.refunds.list({ created: { gte: other.created } })).data).toHaveLength(3);
    expect((await stripe.refunds.retrieve(first.id)).amount).toBe(300);
    const changed = await stripe.refunds.update(first.id, { metadata: { note: 'n' } });
    expect(changed.metadata).toEqual({ note: 'n' });
  });

  it('is recorded after its payment, even at once', async () => {
    const intent = await pay();
    await stripe.refunds.create({ payment_intent: intent.id });
    const { data } = await stripe.balanceTransactions.list();
    expect(data.map(({ type }) => type)).toEqual(['refund', 'charge']);
    await advance(5000);
    const [, paid] = data;
    expect((await chargeOf(intent)).balance_transaction).toBe(paid?.id);
  });
});

describe('refusals', () => {
  it.each([
    [{}, undefined, undefined],
    [{ charge: 'ch_none' }, 'resource_missing', 'charge'],
    [{ payment_intent: 'pi_none' }, 'resource_missing', 'payment_intent'],
    [{ amount: 0 }, 'parameter_invalid_integer', 'amount'],
    [{ amount: -1 }, 'parameter_invalid_integer', 'amount'],
    [{ amount: 1.5 }, 'parameter_invalid_integer', 'amount'],
    [{ amount: 1e21 }, 'parameter_invalid_integer', 'amount'],
    [{ amount: 1111 }, undefined, 'amount'],
    [{ reason: 'boredom' }, undefined, 'reason'],
    [{ instructions_email: 'a@example.com' }, 'parameter_unknown', 'instructions_email'],
  ])('of %j', async (params: object, code, param) => {
    const isNamed = 'charge' in params || 'payment_intent' in params || !Object.keys(params).length;
    const target = isNamed ? {} : { payment_intent: (await pay()).id };
    const error = await fails(stripe.refunds.create({ ...target, ...params }));
    expect(error.type).toBe('StripeInvalidRequestError');
    expect(error).toMatchObject({ code, param });
    expect((await stripe.refunds.list()).data).toEqual([]);
  });

  it('of what was refunded already, of a declined payment, of an unknown refund', async () => {
    const intent = await pay();
    await stripe.refunds.create({ payment_intent: intent.id });
    const again = await fails(stripe.refunds.create({ payment_intent: intent.id }));
    expect(again).toMatchObject({ statusCode: 400, code: 'charge_already_refunded' });
    const open = await stripe.paymentIntents.create({ amount: 1110, currency: 'usd' });
    const declined = { payment_method: 'pm_card_chargeDeclined' };
    await fails(stripe.paymentIntents.confirm(open.id, declined));
    const unpaid = await fails(stripe.refunds.create({ payment_intent: open.id }));
    expect(unpaid.code).toBe('charge_not_refundable');
    for (const call of [stripe.refunds.retrieve('re_none'), stripe.refunds.cancel('re_none')]) {
      expect(await fails(call)).toMatchObject({ statusCode: 404, code: 'resource_missing' });
    }
  });

  it('of the charge of another payment', async () => {
    const charge = readId((await pay()).latest_charge);
    const { id } = await pay();
    const error = await fails(stripe.refunds.create({ charge, payment_intent: id }));
    expect(error.param).toBe('charge');
  });

  it('of everything above the total among twenty at once', async () => {
    const { id } = await pay();
    const calls = Array.from({ length: 20 }, () =>
      stripe.refunds.create({ payment_intent: id, amount: 300 }),
    );
    const outcomes = await Promise.allSettled(calls);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    expect((await stripe.refunds.list({ payment_intent: id })).data).toHaveLength(3);
  });
});

describe('keys', () => {
  it('make one refund, also when its answer is lost', async () => {
    const { id } = await pay();
    const request = { payment_intent: id, amount: 300 };
    const match = 'POST /v1/refunds';
    // The SDK itself repeats once after a reset connection.
    await sandbox.control('POST', 'faults', { match, action: 'drop', phase: 'after', count: 2 });
    const lost = await fails(stripe.refunds.create(request, { idempotencyKey: 'refund:r1' }));
    expect(lost.type).toBe('StripeConnectionError');
    const again = await stripe.refunds.create(request, { idempotencyKey: 'refund:r1' });
    expect(again.lastResponse.headers['idempotent-replayed']).toBe('true');
    expect((await stripe.refunds.list()).data.map((one) => one.id)).toEqual([again.id]);
  });

  it('are refused with other parameters, and replay a refusal by the state of the charge', async () => {
    const { id } = await pay();
    const key = { idempotencyKey: 'refund:r1' };
    await stripe.refunds.create({ payment_intent: id, amount: 300 }, key);
    const other = await fails(stripe.refunds.create({ payment_intent: id, amount: 301 }, key));
    expect(other.type).toBe('StripeIdempotencyError');
    const above = { payment_intent: id, amount: 900 };
    for (let count = 0; count < 2; count += 1) {
      const refused = await fails(stripe.refunds.create(above, { idempotencyKey: 'above' }));
      expect(refused.headers?.['idempotent-replayed']).toBe(count === 0 ? undefined : 'true');
    }
  });
});

describe('later', () => {
  it('a pending refund succeeds', async () => {
    const { id } = await pay('pendingRefund');
    const refund = await stripe.refunds.create({ payment_intent: id });
    expect(refund).toMatchObject({ status: 'pending', pending_reason: 'processing' });
    const cancel = await fails(stripe.refunds.cancel(refund.id));
    expect(cancel.message).toContain('status of pending');
    await advance(60_000);
    await expect
      .poll(async () => (await stripe.refunds.retrieve(refund.id)).status)
      .toBe('succeeded');
    expect(await stripe.refunds.retrieve(refund.id)).not.toHaveProperty('pending_reason');
    expect((await eventTypes()).slice(-2)).toEqual(['refund.updated', 'charge.refund.updated']);
  });

  it('a refund that succeeded fails, and the charge can be refunded again', async () => {
    const intent = await pay('refundFail');
    const refund = await stripe.refunds.create({ payment_intent: intent.id, amount: 1000 });
    expect(refund.status).toBe('succeeded');
    await advance(60_000);
    await expect.poll(async () => (await stripe.refunds.retrieve(refund.id)).status).toBe('failed');
    const failed = await stripe.refunds.retrieve(refund.id, {
      expand: ['failure_balance_transaction'],
    });
    expect(failed).toMatchObject({
      failure_reason: 'expired_or_canceled_card',
      failure_balance_transaction: { type: 'refund_failure', amount: 1000, source: refund.id },
    });
    expect(await chargeOf(intent)).toMatchObject({ amount_refunded: 0, refunded: false });
    expect((await eventTypes()).slice(-3)).toEqual([
      'refund.failed',
      'refund.updated',
      'charge.refund.updated',
    ]);
    expect((await stripe.refunds.create({ payment_intent: intent.id })).amount).toBe(1110);
  });

  it('a refund ends as the control says, once', async () => {
    const pending = await stripe.refunds.create({
      payment_intent: (await pay('pendingRefund')).id,
    });
    const end = (refund: string, outcome: string): Promise<Record<string, unknown>> =>
      sandbox.control('POST', 'refunds/end', { refund, outcome });
    expect(await end(pending.id, 'canceled')).toMatchObject({
      status: 'canceled',
      failure_reason: 'merchant_request',
    });
    await expect(end(pending.id, 'failed')).rejects.toThrow('is canceled.');
    await expect(end('re_none', 'failed')).rejects.toThrow('No refund re_none.');
    const done = await stripe.refunds.create({ payment_intent: (await pay()).id });
    await expect(end(done.id, 'succeeded')).rejects.toThrow('is succeeded.');
    expect(await end(done.id, 'failed')).toMatchObject({ status: 'failed' });
    await advance(60_000);
    expect((await stripe.refunds.retrieve(pending.id)).status).toBe('canceled');
  });
});
