import type Stripe from 'stripe';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { expectBooks } from './test/expect-books.ts';
import { fails } from './test/fails.ts';
import { createSdk, startTestSandbox } from './test/start-test-sandbox.ts';
import type { TestSandbox } from './test/start-test-sandbox.ts';

let sandbox: TestSandbox;
let stripe: Stripe;

beforeAll(async () => {
  sandbox = await startTestSandbox();
  stripe = sandbox.stripe;
});
afterAll(() => sandbox.end());
afterEach(() => expectBooks(stripe));
beforeEach(() => sandbox.control('POST', 'reset', {}));

const order = { amount: 1110, currency: 'usd', metadata: { a: '1', b: '2' } };

it('returns the same intent for the same key, marked as a replay', async () => {
  const first = await stripe.paymentIntents.create(order, { idempotencyKey: 'k' });
  const again = await stripe.paymentIntents.create(
    { metadata: { b: '2', a: '1' }, currency: 'usd', amount: 1110 },
    { idempotencyKey: 'k' },
  );
  expect(again.id).toBe(first.id);
  const { headers } = again.lastResponse;
  expect(headers['idempotent-replayed']).toBe('true');
  expect(headers['original-request']).toBe(first.lastResponse.requestId);
  expect(headers['idempotency-key']).toBe('k');
  expect(headers['stripe-version']).toBe('2026-10-28.endive');
  expect(again.lastResponse.requestId).not.toBe(first.lastResponse.requestId);
});

it('refuses a known key with other parameters or at another endpoint', async () => {
  const { id } = await stripe.paymentIntents.create(order, { idempotencyKey: 'k' });
  const other = await fails(
    stripe.paymentIntents.create({ ...order, amount: 2000 }, { idempotencyKey: 'k' }),
  );
  expect(other).toMatchObject({ type: 'StripeIdempotencyError', statusCode: 400 });
  const elsewhere = await fails(stripe.paymentIntents.update(id, order, { idempotencyKey: 'k' }));
  expect(elsewhere.type).toBe('StripeIdempotencyError');
});

it('stores a decline, and charges once however often the request is repeated', async () => {
  const { id } = await stripe.paymentIntents.create(order);
  const params = { payment_method: 'pm_card_chargeDeclined' };
  for (let count = 0; count < 3; count += 1) {
    const error = await fails(stripe.paymentIntents.confirm(id, params, { idempotencyKey: 'c' }));
    expect(error.code).toBe('card_declined');
  }
  expect((await stripe.charges.list()).data).toHaveLength(1);
});

it('stores no response for a refused parameter or a refused API key', async () => {
  await fails(
    stripe.paymentIntents.create({ amount: 1, currency: 'usd' }, { idempotencyKey: 'k' }),
  );
  const stranger = createSdk(sandbox.url, 'sk_test_stranger');
  await fails(stranger.paymentIntents.create(order, { idempotencyKey: 'k' }));
  const made = await stripe.paymentIntents.create(order, { idempotencyKey: 'k' });
  expect(made.lastResponse.headers['idempotent-replayed']).toBeUndefined();
});

it('answers 409 while the first request with the key is running', async () => {
  await sandbox.control('POST', 'latency', { ms: 1_000 });
  const outcomes = await Promise.allSettled([
    stripe.paymentIntents.create(order, { idempotencyKey: 'k' }),
    stripe.paymentIntents.create(order, { idempotencyKey: 'k' }),
  ]);
  const [lost] = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  expect(lost).toMatchObject({ statusCode: 409, code: 'idempotency_key_in_use' });
  expect(lost.headers['stripe-should-retry']).toBe('true');
  await sandbox.control('POST', 'latency', { ms: 0 });
  expect((await stripe.paymentIntents.list()).data).toHaveLength(1);
});

it('makes one charge for two concurrent confirms; the loser gets 429 lock_timeout', async () => {
  const { id } = await stripe.paymentIntents.create(order);
  await sandbox.control('POST', 'latency', { ms: 1_000 });
  const outcomes = await Promise.allSettled([
    stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' }),
    stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' }),
  ]);
  const [lost] = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  expect(lost).toMatchObject({ statusCode: 429, code: 'lock_timeout' });
  await sandbox.control('POST', 'latency', { ms: 0 });
  expect((await stripe.charges.list()).data).toHaveLength(1);
});

it('replays a response lost after the commit when the SDK retries', async () => {
  await sandbox.control('POST', 'faults', {
    match: 'POST /v1/payment_intents',
    action: 'drop',
    phase: 'after',
  });
  const made = await stripe.paymentIntents.create(order, { idempotencyKey: 'k' });
  expect(made.lastResponse.headers['idempotent-replayed']).toBe('true');
  expect((await stripe.paymentIntents.list()).data).toHaveLength(1);
});

it('stores nothing for an error before execution, and replays an error during it', async () => {
  await sandbox.control('POST', 'faults', { action: 'error', phase: 'before', status: 503 });
  await fails(stripe.paymentIntents.create(order, { idempotencyKey: 'k' }));
  await stripe.paymentIntents.create(order, { idempotencyKey: 'k' });
  await sandbox.control('POST', 'faults', { action: 'error', phase: 'during' });
  for (let count = 0; count < 2; count += 1) {
    const error = await fails(stripe.paymentIntents.create(order, { idempotencyKey: 'during' }));
    expect(error.statusCode).toBe(500);
  }
  expect((await stripe.paymentIntents.list()).data).toHaveLength(1);
});

it('keeps what a torn request created, and replays its error', async () => {
  await sandbox.control('POST', 'faults', { action: 'error', phase: 'torn' });
  for (let count = 0; count < 2; count += 1) {
    const error = await fails(stripe.paymentIntents.create(order, { idempotencyKey: 'torn' }));
    expect(error.statusCode).toBe(500);
  }
  expect((await stripe.paymentIntents.list()).data).toHaveLength(1);
});

it('refuses a key longer than 255 characters', async () => {
  const error = await fails(
    stripe.paymentIntents.create(order, { idempotencyKey: 'k'.repeat(256) }),
  );
  expect(error.statusCode).toBe(400);
  const longest = 'k'.repeat(255);
  expect((await stripe.paymentIntents.create(order, { idempotencyKey: longest })).id).toMatch(
    /^pi_/,
  );
});
