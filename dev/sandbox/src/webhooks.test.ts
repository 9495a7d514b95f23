import Stripe from 'stripe';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { isLoopbackUrl } from './settings.ts';
import { expectBooks } from './test/expect-books.ts';
import { startReceiver } from './test/start-receiver.ts';
import type { Receiver } from './test/start-receiver.ts';
import { startTestSandbox } from './test/start-test-sandbox.ts';
import type { TestSandbox } from './test/start-test-sandbox.ts';
import { retryPausesMs } from './webhooks/outbox.ts';

let receiver: Receiver;
let sandbox: TestSandbox;

beforeEach(async () => {
  receiver = await startReceiver();
  sandbox = await startTestSandbox({ webhookUrl: receiver.url });
});
afterEach(async () => {
  await expectBooks(sandbox.stripe);
  await sandbox.end();
  await receiver.close();
});

const order = {
  amount: 1110,
  currency: 'usd',
  metadata: { order_id: 'o1' },
  confirm: true,
  payment_method: 'pm_card_visa',
};
const paidTypes = ['payment_intent.created', 'charge.succeeded', 'payment_intent.succeeded'];

function constructEvent(one: { body: string; signature: string }): Stripe.Event {
  return Stripe.webhooks.constructEvent(one.body, one.signature, sandbox.settings.webhookSecret);
}

function countAttempts(): number {
  return receiver.received.length;
}

it('[D-103] signs each event as the SDK verifies it, and sends the fee with charge.updated', async () => {
  const intent = await sandbox.stripe.paymentIntents.create(order);
  const paid = await receiver.waitFor(({ type }) => type === 'payment_intent.succeeded');
  const event = constructEvent(paid);
  expect(event).toMatchObject({
    object: 'event',
    livemode: false,
    api_version: '2026-10-28.endive',
    data: { object: { id: intent.id, status: 'succeeded', metadata: { order_id: 'o1' } } },
  });
  expect(event.request?.id).toMatch(/^req_/);
  const fee = constructEvent(await receiver.waitFor(({ type }) => type === 'charge.updated'));
  expect(fee.data.previous_attributes).toEqual({ balance_transaction: null });
  expect(fee.data.object).toMatchObject({ balance_transaction: expect.stringMatching(/^txn_/) });
  const before = receiver.received.find(({ type }) => type === 'charge.succeeded');
  expect(JSON.parse(before?.body ?? '').data.object.balance_transaction).toBeNull();
  expect(() => constructEvent({ ...paid, body: `${paid.body} ` })).toThrow(/signature/i);
});

it('reports a declined attempt and a cancellation', async () => {
  const { id } = await sandbox.stripe.paymentIntents.create({ amount: 1110, currency: 'usd' });
  const declined = sandbox.stripe.paymentIntents.confirm(id, {
    payment_method: 'pm_card_chargeDeclined',
  });
  await expect(declined).rejects.toThrow('Your card was declined.');
  await sandbox.stripe.paymentIntents.cancel(id);
  await receiver.waitFor(({ type }) => type === 'payment_intent.canceled');
  await receiver.waitFor(({ type }) => type === 'charge.failed');
  const failed = await receiver.waitFor(({ type }) => type === 'payment_intent.payment_failed');
  expect(constructEvent(failed).data.object).toMatchObject({
    status: 'requires_payment_method',
    last_payment_error: { code: 'card_declined', decline_code: 'generic_decline' },
  });
});

it('retries after 1 s, 5 s, 30 s, 2 min and 10 min, then gives up, and counts a redirect as a failure', async () => {
  expect(retryPausesMs).toEqual([1000, 5000, 30_000, 120_000, 600_000]);
  // The sandbox runs in this process. Its time stands still except for what the test adds.
  vi.spyOn(Date, 'now').mockReturnValue(Date.now());
  receiver.statuses.push(500, 302, 404, 500, 500, 500);
  await sandbox.stripe.paymentIntents.create({ amount: 1110, currency: 'usd' });
  await receiver.waitFor(() => countAttempts() === 1);
  for (const [index, pauseMs] of retryPausesMs.entries()) {
    await expect
      .poll(async () => (await sandbox.control('GET', 'state'))['waiting_deliveries'])
      .toMatchObject([{ attempt_count: index + 1 }]);
    await sandbox.control('POST', 'clock', { advance_ms: pauseMs - 500 });
    expect(countAttempts()).toBe(index + 1);
    await sandbox.control('POST', 'clock', { advance_ms: 500 });
    await receiver.waitFor(() => countAttempts() === index + 2);
  }
  await expect
    .poll(async () => (await sandbox.control('GET', 'state'))['outbox'])
    .toEqual({ given_up: 1 });
  for (const one of receiver.received) constructEvent(one);
});

it('keeps the outbox across a restart', async () => {
  receiver.statuses.push(500);
  await sandbox.stripe.paymentIntents.create({ amount: 1110, currency: 'usd' });
  await receiver.waitFor(() => countAttempts() === 1);
  sandbox = await sandbox.restart();
  await sandbox.control('POST', 'clock', { advance_ms: 1000 });
  await receiver.waitFor(() => countAttempts() === 2);
  await expect
    .poll(async () => (await sandbox.control('GET', 'state'))['outbox'])
    .toEqual({ delivered: 1 });
  const [event] = (await sandbox.stripe.events.list()).data;
  expect(event).toMatchObject({ type: 'payment_intent.created', pending_webhooks: 0 });
});

it('duplicates, drops, loses, delays and reverses events as configured', async () => {
  await sandbox.control('POST', 'webhooks', { copies: 10 });
  await sandbox.stripe.paymentIntents.create({ amount: 1110, currency: 'usd' });
  await receiver.waitFor((_, all) => all.length === 10);
  expect(new Set(receiver.received.map(({ eventId }) => eventId)).size).toBe(1);

  receiver.received.length = 0;
  await sandbox.control('POST', 'webhooks', { copies: 1, drop: 1, lose: 0 });
  await sandbox.stripe.paymentIntents.create({ amount: 1120, currency: 'usd' });
  await sandbox.control('POST', 'webhooks', { lose: 1 });
  await sandbox.stripe.paymentIntents.create({ amount: 1130, currency: 'usd' });
  await sandbox.stripe.paymentIntents.create({ amount: 1140, currency: 'usd' });
  const sent = await receiver.waitFor(() => true);
  expect(constructEvent(sent).data.object).toMatchObject({ amount: 1140 });
  const events = await sandbox.stripe.events.list({ type: 'payment_intent.created' });
  const amounts = events.data.map((event) => (event.data.object as { amount: number }).amount);
  expect(amounts).toEqual([1140, 1120, 1110]);

  receiver.received.length = 0;
  await sandbox.control('POST', 'webhooks', { order: 'reversed', window_ms: 60_000 });
  await sandbox.stripe.paymentIntents.create(order);
  await sandbox.control('POST', 'clock', { advance_ms: 60_000 });
  await receiver.waitFor((_, all) => all.length === 3);
  const types = receiver.received
    .map(({ type }) => type)
    .filter((type) => paidTypes.includes(type));
  expect(types).toEqual(paidTypes.toReversed());
});

it('[O-142] doubles, loses and drops only the events of refunds and disputes that a pattern names', async () => {
  const paid = { ...order, capture_method: 'automatic' as const };
  const { id: payment_intent } = await sandbox.stripe.paymentIntents.create(paid);
  await receiver.waitFor((_, all) => all.length === paidTypes.length);
  receiver.received.length = 0;
  await sandbox.control('POST', 'webhooks', { copies: 2, lose: -1, match: 'charge.refunded' });
  await sandbox.stripe.refunds.create({ payment_intent, amount: 110 });
  await receiver.waitFor((_, all) => all.length === 2);
  expect(receiver.received.map(({ type }) => type)).toEqual(['refund.created', 'refund.created']);
  const { data } = await sandbox.stripe.events.list({ type: 'charge.refunded' });
  expect(data).toEqual([]);

  receiver.received.length = 0;
  await sandbox.control('POST', 'webhooks', {
    copies: 1,
    lose: 0,
    drop: -1,
    match: 'charge.dispute.*',
    order: 'reversed',
    window_ms: 60_000,
  });
  const { id } = await sandbox.control('POST', 'disputes/open', { payment_intent });
  await sandbox.control('POST', 'webhooks', { drop: 0 });
  await sandbox.control('POST', 'disputes/decide', { dispute: id });
  await sandbox.control('POST', 'clock', { advance_ms: 60_000 });
  await receiver.waitFor((_, all) => all.length === 2);
  const types = ['charge.dispute.closed', 'charge.dispute.funds_reinstated'];
  expect(receiver.received.map(({ type }) => type)).toEqual(types);
  const listed = await sandbox.stripe.events.list({ type: 'charge.dispute.created' });
  expect(listed.data).toHaveLength(1);
  const closed = receiver.received.find(({ type }) => type === 'charge.dispute.closed');
  expect(JSON.parse(closed?.body ?? '').data).toMatchObject({
    object: { id, status: 'won', balance_transactions: [{ amount: -1000 }, { amount: 1000 }] },
    previous_attributes: { status: 'needs_response' },
  });
});

it('resends old events on request', async () => {
  await sandbox.stripe.paymentIntents.create({ amount: 1110, currency: 'usd' });
  const { eventId } = await receiver.waitFor(() => true);
  expect(await sandbox.control('POST', 'webhooks/resend', { event: eventId })).toEqual({
    deliveries: 1,
  });
  await receiver.waitFor((_, all) => all.length === 2);
});

it('sends to registered endpoints on this machine, with their own secret and events', async () => {
  const second = await startReceiver();
  try {
    const endpoint = await sandbox.stripe.webhookEndpoints.create({
      url: second.url,
      enabled_events: ['payment_intent.succeeded'],
    });
    expect(endpoint.secret).toMatch(/^whsec_/);
    const read = await sandbox.stripe.webhookEndpoints.retrieve(endpoint.id);
    expect(read.secret).toBeUndefined();
    await sandbox.stripe.paymentIntents.create(order);
    const sent = await second.waitFor(() => true);
    expect(sent.type).toBe('payment_intent.succeeded');
    Stripe.webhooks.constructEvent(sent.body, sent.signature, endpoint.secret ?? '');
    await sandbox.stripe.webhookEndpoints.del(endpoint.id);
    expect((await sandbox.stripe.webhookEndpoints.list()).data).toHaveLength(1);
    const outside = sandbox.stripe.webhookEndpoints.create({
      url: 'http://example.com/hook',
      enabled_events: ['*'],
    });
    await expect(outside).rejects.toMatchObject({ param: 'url' });
  } finally {
    await second.close();
  }
});

it('lists events for 30 days', async () => {
  await sandbox.stripe.paymentIntents.create({ amount: 1110, currency: 'usd' });
  const [event] = (await sandbox.stripe.events.list()).data;
  await sandbox.control('POST', 'clock', { advance_ms: 29 * 86_400_000 });
  expect((await sandbox.stripe.events.list()).data).toHaveLength(1);
  await sandbox.control('POST', 'clock', { advance_ms: 2 * 86_400_000 });
  expect((await sandbox.stripe.events.list()).data).toHaveLength(0);
  await expect(sandbox.stripe.events.retrieve(event?.id ?? '')).rejects.toThrow('No such event');
});

it.each([
  ['http://127.0.0.1:8080/hook', true],
  ['http://localhost/hook', true],
  ['http://[::1]:80/hook', true],
  ['http://127.0.0.1.example.com/hook', false],
  ['http://10.0.0.1/hook', false],
  ['https://127.0.0.1/hook', false],
  ['file:///etc/passwd', false],
  ['none', false],
])('calls %s a loopback address: %s', (address, expected) => {
  expect(isLoopbackUrl(address)).toBe(expected);
});
