/** POST /api/webhooks/stripe: which events are accepted, and that nothing secret is logged. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { microAth } from '@athos/domain/money';
import { eventBody, sendEvent, signEvent } from '../../../../test/card-events.ts';
import {
  balanceOf,
  getPayment,
  intentIdOf,
  postPayment,
  purchaseBody,
} from '../../../../test/card-purchase.ts';
import { SANDBOX_WEBHOOK_SECRET, type CardSandbox } from '../../../../test/card-sandbox.ts';
import { startCardsApp } from '../../../../test/cards-app.ts';
import { expectBooksBalance } from '../../../../test/expect-books-balance.ts';
import { recordLog } from '../../../../test/recorded-log.ts';
import { ROLLED_WEBHOOK_SECRET } from '../../../../test/tapped-card-provider.ts';
import type { TestApp } from '../../../../test/test-app.ts';

const { log, lines } = recordLog();
let sandbox: CardSandbox;
let app: TestApp;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ app, sandbox, close } = await startCardsApp({ log }));
});
afterAll(() => close());
afterEach(() => expectBooksBalance(app.deps.config.databaseUrl));

const send = (payload: string, signature: string | undefined, type?: string) =>
  sendEvent(app, payload, signature, type);

const storedEvents = async (): Promise<number> =>
  (await app.deps.db.selectFrom('card_events').select('id').execute()).length;

describe('the webhook', () => {
  it('stores each event of the provider once', async () => {
    const before = await storedEvents();
    const body = eventBody();
    expect((await send(body, signEvent(body))).status).toBe(200);
    expect((await send(body, signEvent(body))).status).toBe(200);
    expect(await storedEvents()).toBe(before + 1);
  });

  it.each([
    ['without a signature', (): undefined => undefined],
    ['signed with another secret', (body: string) => signEvent(body, { secret: 'whsec_other' })],
    [
      'signed 301 s ago',
      (body: string) => signEvent(body, { timestamp: Math.floor(Date.now() / 1000) - 301 }),
    ],
    ['with the signature of another body', () => signEvent(eventBody())],
    ['with an old scheme only', (body: string) => signEvent(body).replace('v1=', 'v0=')],
    ['with a malformed signature', () => 't=now,v1=yes'],
  ])('refuses an event %s with 400 and stores nothing', async (_case, signature) => {
    const before = await storedEvents();
    const body = eventBody({ note: 'a-body-nobody-may-log' });
    expect((await send(body, signature(body))).status).toBe(400);
    expect(await storedEvents()).toBe(before);
    expect(lines.join('')).not.toContain('a-body-nobody-may-log');
  });

  it('accepts both secrets while one is rolled to the other', async () => {
    for (const secret of [ROLLED_WEBHOOK_SECRET, SANDBOX_WEBHOOK_SECRET]) {
      const body = eventBody();
      expect((await send(body, signEvent(body, { secret }))).status).toBe(200);
    }
    const body = eventBody();
    expect((await send(body, signEvent(body, { secret: 'whsec_other' }))).status).toBe(400);
  });

  it('reads the raw bytes regardless of the content type, up to 256 kB', async () => {
    const body = eventBody();
    expect((await send(body, signEvent(body), 'text/plain')).status).toBe(200);
    const large = eventBody({ note: 'x'.repeat(200_000) });
    expect((await send(large, signEvent(large))).status).toBe(200);
    const tooLarge = eventBody({ note: 'x'.repeat(257 * 1024) });
    expect((await send(tooLarge, signEvent(tooLarge))).status).toBe(413);
  });

  it.each([
    ['of the live mode', { livemode: true }],
    [
      'of another system on the same account',
      { data: { object: { id: 'pi_2', object: 'payment_intent', metadata: { env: 'other' } } } },
    ],
  ])('answers 200 to an event %s and stores nothing', async (_case, change) => {
    const before = await storedEvents();
    const body = eventBody(change);
    expect((await send(body, signEvent(body))).status).toBe(200);
    expect(await storedEvents()).toBe(before);
  });

  it('stores events that need no action, and raises no alarm', async () => {
    const body = eventBody({ type: 'payout.paid', data: { object: { object: 'payout' } } });
    expect((await send(body, signEvent(body))).status).toBe(200);
    const { id } = JSON.parse(body) as { id: string };
    const event = await app.deps.db
      .selectFrom('card_events')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(event).toMatchObject({ type: 'payout.paid', intent_id: null });
    expect(event.processed_at).not.toBeNull();
    expect(lines.filter((line) => line.includes(id))).toEqual([]);
  });

  it('credits nobody by itself: the intent is retrieved from the provider', async () => {
    const user = await app.createUser();
    const { body } = await postPayment(app, user, purchaseBody(microAth(100_000_000n)));
    const intentId = intentIdOf(body.client_secret);
    const intent = await sandbox.call('GET', `/payment_intents/${intentId}`);
    const object = { ...intent, status: 'succeeded', amount_received: intent.amount };
    const forged = eventBody({ data: { object } });
    expect((await send(forged, signEvent(forged))).status).toBe(200);
    await app.runJobs();
    expect(await balanceOf(app, user)).toBe('0');
  });

  it('credits once if each event arrives three times, in any order', async () => {
    await sandbox.control('/webhooks', { copies: 3, order: 'reversed', window_ms: 200 });
    const user = await app.createUser();
    const { body } = await postPayment(app, user, purchaseBody(microAth(100_000_000n)));
    const intentId = intentIdOf(body.client_secret);
    await sandbox.pay(body.client_secret, 'visa_chargeDeclined');
    await sandbox.pay(body.client_secret);
    await expect
      .poll(() => sandbox.deliveries.filter((delivery) => delivery.intentId === intentId).length)
      .toBeGreaterThanOrEqual(12);
    await app.runJobs();
    expect(await balanceOf(app, user)).toBe('100000000');
    expect((await getPayment(app, user, body.id)).body.stripe_status).toBe(1);
  });
});

it('no card number, client secret, key or signature is ever logged', async () => {
  const user = await app.createUser();
  const { body } = await postPayment(app, user, purchaseBody(microAth(100_000_000n)));
  const intentId = intentIdOf(body.client_secret);
  const pay = (number: string) =>
    sandbox
      .call('POST', `/payment_intents/${intentId}/confirm`, {
        'payment_method_data[type]': 'card',
        'payment_method_data[card][number]': number,
        'payment_method_data[card][exp_month]': '12',
        'payment_method_data[card][exp_year]': '2034',
        'payment_method_data[card][cvc]': '123',
      })
      .catch(() => undefined);
  await pay('4000000000000002');
  await getPayment(app, user, body.id);
  await pay('4242424242424242');
  await sandbox.control('/faults', { match: 'GET /v1/payment_intents/*', count: 2 });
  app.clock.advance(1_500);
  await getPayment(app, user, body.id);
  await sandbox.delivery('payment_intent.succeeded', intentId);
  await app.runJobs();
  expect(await balanceOf(app, user)).toBe('100000000');
  const text = lines.join('\n');
  expect(text).toContain('payment could not be looked at');
  for (const secret of [
    '4242424242424242',
    '4000000000000002',
    body.client_secret,
    '_secret_',
    sandbox.env['STRIPE_SECRET_KEY'] ?? '',
    SANDBOX_WEBHOOK_SECRET,
    user.token,
    user.email,
    'v1=',
  ]) {
    expect(text).not.toContain(secret);
  }
});
