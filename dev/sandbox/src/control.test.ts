import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestSandbox } from './test/start-test-sandbox.ts';
import type { TestSandbox } from './test/start-test-sandbox.ts';

let sandbox: TestSandbox;

beforeAll(async () => {
  sandbox = await startTestSandbox();
});
afterAll(() => sandbox.end());

const order = { amount: 1110, currency: 'usd' };

async function call(path: string, init: RequestInit): Promise<Response> {
  return fetch(`${sandbox.url}/_sandbox/${path}`, init);
}

describe('the control plane', () => {
  it('resets everything, including its own settings', async () => {
    await sandbox.stripe.paymentIntents.create(order);
    await sandbox.control('POST', 'latency', { ms: 5 });
    await sandbox.control('POST', 'clock', { advance_ms: 1000 });
    expect(await sandbox.control('POST', 'reset')).toMatchObject({
      clock_offset_ms: 0,
      latency_ms: 0,
      objects: { payment_intent: 0, event: 0 },
      idempotency_keys: 0,
    });
  });

  it('pays like a native payment sheet, by client secret, and passes or fails the challenge', async () => {
    const intent = await sandbox.stripe.paymentIntents.create(order);
    const client_secret = intent.client_secret ?? '';
    const card = 'pm_card_threeDSecure2Required';
    const failed = await sandbox.control('POST', 'confirm', {
      client_secret,
      card,
      authenticate: 'fail',
    });
    expect(failed).toMatchObject({ error: { code: 'payment_intent_authentication_failure' } });
    const paid = await sandbox.control('POST', 'confirm', { client_secret, card });
    expect(paid).toMatchObject({ payment_intent: { status: 'succeeded' }, error: null });
  });

  it('keeps planned faults and the advanced clock across a restart', async () => {
    await sandbox.control('POST', 'faults', { match: 'GET /v1/balance', status: 503, count: 2 });
    await sandbox.control('POST', 'clock', { advance_ms: 86_400_000 });
    sandbox = await sandbox.restart();
    await expect(sandbox.stripe.balance.retrieve()).rejects.toMatchObject({ statusCode: 503 });
    expect(await sandbox.control('GET', 'state')).toMatchObject({
      clock_offset_ms: 86_400_000,
      faults: [{ match: 'GET /v1/balance', count: 1 }],
    });
    expect(await sandbox.control('DELETE', 'faults')).toEqual({ faults: [] });
    await sandbox.stripe.balance.retrieve();
    const intent = await sandbox.stripe.paymentIntents.create(order);
    expect(intent.created).toBeGreaterThan(Date.now() / 1000 + 86_000);
    await sandbox.control('POST', 'reset');
  });

  it('delays a response after the commit', async () => {
    await sandbox.control('POST', 'faults', { action: 'delay', phase: 'after', delay_ms: 60_000 });
    const slow = sandbox.stripe.paymentIntents.create(order, { timeout: 1_000 });
    const refused = expect(slow).rejects.toMatchObject({ type: 'StripeConnectionError' });
    await expect
      .poll(async () => (await sandbox.stripe.paymentIntents.list()).data)
      .toHaveLength(1);
    await refused;
  });

  it.each([
    ['latency', { ms: -1 }],
    ['latency', { ms: 'soon' }],
    ['faults', { action: 'explode' }],
    ['faults', { status: 200 }],
    ['webhooks', { copies: 0 }],
    ['clock', { advance_ms: 1.5 }],
    ['confirm', { card: 'pm_card_none' }],
  ])('refuses a senseless body for %s with one sentence', async (path, body) => {
    const response = await call(path, { method: 'POST', body: JSON.stringify(body) });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ error: expect.stringMatching(/^[^\n]+\.$/) });
  });

  it('refuses web pages of other origins, except for paying with a client secret', async () => {
    const origin = 'http://127.0.0.1:8080';
    const reset = await call('reset', { method: 'POST', headers: { origin } });
    expect(reset.status).toBe(403);
    const foreign = { origin: 'https://example.com' };
    const pay = await call('confirm', { method: 'POST', headers: foreign, body: '{}' });
    expect(pay.status).toBe(403);
    const preflight = await call('confirm', { method: 'OPTIONS', headers: { origin } });
    expect(preflight.headers.get('access-control-allow-origin')).toBe(origin);
  });

  it('answers 404 for unknown paths and 413 for a large body', async () => {
    expect((await call('none', { method: 'GET' })).status).toBe(404);
    expect((await fetch(`${sandbox.url}/none`)).status).toBe(404);
    const large = await call('confirm', { method: 'POST', body: 'x'.repeat(300_000) });
    expect(large.status).toBe(413);
  });
});
