/** Events by which the provider takes a payment back, and events that nothing understands. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { microAth } from '@athos/domain/money';
import { eventBody, sendEvent, signEvent } from '../../../../test/card-events.ts';
import {
  balanceOf,
  getPayment,
  intentIdOf,
  postPayment,
  publishTestRate,
  purchaseBody,
} from '../../../../test/card-purchase.ts';
import { startCardSandbox, type CardSandbox } from '../../../../test/card-sandbox.ts';
import { expectBooksBalance } from '../../../../test/expect-books-balance.ts';
import { recordLog } from '../../../../test/recorded-log.ts';
import { createTestApp, type TestApp } from '../../../../test/test-app.ts';

const { log, lines } = recordLog();
let sandbox: CardSandbox;
let app: TestApp;

beforeAll(async () => {
  sandbox = await startCardSandbox();
  app = await createTestApp({ env: sandbox.env, log });
  sandbox.deliverTo(app.app);
  await publishTestRate(app, '0.1683');
});
afterAll(async () => {
  await sandbox.close();
  await app.close();
});
afterEach(() => expectBooksBalance(app.deps.config.databaseUrl));

/** Delivers an event; returns the alarms that it raised. */
async function deliver(type: string, object: object): Promise<Record<string, unknown>[]> {
  const body = eventBody({ type, data: { object } });
  expect((await sendEvent(app, body, signEvent(body))).status).toBe(200);
  await app.runJobs();
  const { id } = JSON.parse(body) as { id: string };
  return lines
    .filter((line) => line.includes('"alarm"') && line.includes(id))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

async function buy() {
  const user = await app.createUser();
  const { body } = await postPayment(app, user, purchaseBody(microAth(100_000_000n)));
  await sandbox.pay(body.client_secret);
  expect((await getPayment(app, user, body.id)).body.stripe_status).toBe(1);
  const intentId = intentIdOf(body.client_secret);
  const { latest_charge: chargeId } = await sandbox.call('GET', `/payment_intents/${intentId}`);
  return { user, orderId: body.id as string, intentId, chargeId: chargeId as string };
}

describe('an event by which a payment is taken back, or may be', () => {
  it.each([
    ['charge.dispute.created', 'dispute', 'payment_disputed'],
    ['charge.dispute.updated', 'dispute', 'payment_disputed'],
    ['charge.dispute.funds_withdrawn', 'dispute', 'payment_disputed'],
    ['charge.dispute.funds_reinstated', 'dispute', 'payment_disputed'],
    ['charge.dispute.closed', 'dispute', 'payment_disputed'],
    ['radar.early_fraud_warning.created', 'radar.early_fraud_warning', 'payment_fraud_warning'],
    ['radar.early_fraud_warning.updated', 'radar.early_fraud_warning', 'payment_fraud_warning'],
  ])('raises an alarm that names the order, and moves nothing: %s', async (type, object, alarm) => {
    const { user, orderId, intentId, chargeId } = await buy();
    const about = { object, id: 'one_1', payment_intent: intentId, charge: chargeId };
    expect(await deliver(type, about)).toEqual([
      expect.objectContaining({ alarm, orderId, intentId, chargeId, eventType: type }),
    ]);
    expect(await balanceOf(app, user)).toBe('100000000');
  });

  it('raises one alarm however often it is delivered', async () => {
    const { intentId } = await buy();
    const body = eventBody({
      type: 'charge.dispute.created',
      data: { object: { object: 'dispute', id: 'dp_1', payment_intent: intentId } },
    });
    for (let count = 0; count < 3; count += 1) {
      expect((await sendEvent(app, body, signEvent(body))).status).toBe(200);
      await app.runJobs();
    }
    expect(
      lines.filter((line) => line.includes('"alarm"') && line.includes(intentId)),
    ).toHaveLength(1);
  });

  it('names the order by the record of the provider if this database has lost it', async () => {
    const orderId = '01a1fc9b-e83d-7b50-8378-89b462bbec65';
    const intentOf = (environment: string) =>
      sandbox.call('POST', '/payment_intents', {
        amount: '1868',
        currency: 'usd',
        'metadata[order_id]': orderId,
        'metadata[env]': environment,
      });
    const dispute = (intent: { id: string }) =>
      deliver('charge.dispute.created', { object: 'dispute', payment_intent: intent.id });
    expect(await dispute(await intentOf('development'))).toEqual([
      expect.objectContaining({ alarm: 'payment_disputed', orderId }),
    ]);
    expect(await dispute(await intentOf('another system'))).toEqual([]);
  });

  it('raises an alarm even if it names no payment', async () => {
    const warning = { object: 'radar.early_fraud_warning', id: 'issfr_1', charge: 'ch_unknown' };
    expect(await deliver('radar.early_fraud_warning.created', warning)).toEqual([
      expect.objectContaining({ alarm: 'payment_fraud_warning', chargeId: 'ch_unknown' }),
    ]);
  });
});

it('a type of event that nothing understands raises one alarm an hour', async () => {
  const object = { object: 'review', id: 'prv_1' };
  const counts: number[] = [];
  for (const minutes of [0, 30, 29, 2]) {
    app.clock.advance(minutes * 60_000);
    counts.push((await deliver('review.opened', object)).length);
  }
  expect(counts).toEqual([1, 0, 0, 1]);
  expect(await deliver('payout.failed', { object: 'payout', id: 'po_1' })).toEqual([
    expect.objectContaining({ alarm: 'event_unknown', eventType: 'payout.failed' }),
  ]);
});
