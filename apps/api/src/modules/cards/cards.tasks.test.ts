import { parseCrontab } from 'graphile-worker';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { microAth } from '@athos/domain/money';
import {
  balanceOf,
  beginOrder,
  intentIdOf,
  payAndDeliver,
  postPayment,
  purchaseBody,
  readOrder,
} from '../../../test/card-purchase.ts';
import type { CardSandbox } from '../../../test/card-sandbox.ts';
import { startCardsApp } from '../../../test/cards-app.ts';
import { expectBooksBalance } from '../../../test/expect-books-balance.ts';
import { recordLog } from '../../../test/recorded-log.ts';
import type { TappedCardProvider } from '../../../test/tapped-card-provider.ts';
import type { TestApp } from '../../../test/test-app.ts';
import { AppError } from '../../platform/errors.ts';
import { enqueueJob } from '../../platform/jobs/enqueue.ts';
import { cardCrontab, createCardTasks } from './cards.tasks.ts';

const { log, lines } = recordLog();
let sandbox: CardSandbox;
let provider: TappedCardProvider;
let app: TestApp;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ app, sandbox, provider, close } = await startCardsApp({ log }));
});
afterAll(() => close());
afterEach(async () => {
  provider.untap();
  await expectBooksBalance(app.deps.config.databaseUrl);
});

async function paidOrder() {
  const user = await app.createUser();
  const order = await beginOrder(app, user, microAth(100_000_000n));
  await payAndDeliver(sandbox, order);
  return { user, orderId: order.id, intentId: order.intentId };
}

/** Makes jobs that wait for another attempt due now. */
async function hurryJobs(): Promise<void> {
  await sql`
    select graphile_worker.reschedule_jobs(array(select id from graphile_worker.jobs), run_at => now())`.execute(
    app.deps.db,
  );
}

it('every scheduled job exists, and open orders are checked every 2 to 5 min', () => {
  const items = parseCrontab(cardCrontab);
  const names = Object.values(createCardTasks({ ...app.deps, headReaders: [] })).flatMap((tasks) =>
    Object.keys(tasks),
  );
  for (const { task } of items) expect(names).toContain(task);
  expect(items).toHaveLength(10);
  expect(cardCrontab).toContain('*/3 * * * * payment_reconcile');
});

it('a job is retried while the provider is down', async () => {
  const { user, orderId } = await paidOrder();
  provider.tap({ retrieveIntent: () => Promise.reject(new AppError('provider_unavailable')) });
  await app.runJobs();
  expect(await balanceOf(app, user)).toBe('0');
  provider.untap();
  await hurryJobs();
  await app.runJobs();
  expect(await balanceOf(app, user)).toBe('100000000');
  expect(await readOrder(app, orderId)).toMatchObject({ state: 'credited' });
});

it('a payment without an order raises an alarm and credits nobody', async () => {
  const intent = await sandbox.call('POST', '/payment_intents', {
    amount: '1868',
    currency: 'usd',
    'metadata[order_id]': '01a1fc9b-e83d-7b50-8378-89b462bbec65',
    'metadata[env]': 'development',
  });
  await sandbox.pay(intent.client_secret);
  await sandbox.delivery('payment_intent.succeeded', intent.id);
  await app.runJobs();
  expect(lines.some((line) => line.includes('payment_unknown') && line.includes(intent.id))).toBe(
    true,
  );
});

it('deletes an event after 90 days; one whose job failed for good after 180', async () => {
  const at = (days: number) => new Date(app.clock.nowMs() - days * 24 * 3_600_000);
  const event = (id: string, days: number, isProcessed = true) => ({
    id,
    type: 'charge.succeeded',
    intent_id: null,
    charge_id: null,
    created_at: at(days),
    received_at: at(days),
    processed_at: isProcessed ? at(days) : null,
  });
  const { db } = app.deps;
  await db
    .insertInto('card_events')
    .values([
      event('old', 91),
      event('open', 179, false),
      event('failed', 181, false),
      event('young', 89),
    ])
    .execute();
  await enqueueJob(db, 'payment_prune', {});
  await app.runJobs();
  const left = await db.selectFrom('card_events').select('id').execute();
  const ids = left.map(({ id }) => id);
  const known = ['old', 'open', 'failed', 'young'];
  expect(known.filter((id) => ids.includes(id))).toEqual(['open', 'young']);
});

it('deletes keys after a week, declines after 400 days and untried orders after 60; keeps every other order', async () => {
  const { user, orderId } = await paidOrder();
  await app.runJobs();
  const { body: untried } = await postPayment(app, user, purchaseBody(microAth(200_000_000n)));
  const { body: declined } = await postPayment(app, user, purchaseBody(microAth(300_000_000n)));
  await sandbox.pay(declined.client_secret, 'visa_chargeDeclined');
  await sandbox.delivery('payment_intent.payment_failed', intentIdOf(declined.client_secret));
  await app.runJobs();
  const { db } = app.deps;
  const keptAfter = async (days: number) => {
    app.clock.advance(days * 24 * 3_600_000);
    await enqueueJob(db, 'payment_cancel_expired', {});
    await app.runJobs();
    await app.runJobs();
    await enqueueJob(db, 'payment_prune', {});
    await app.runJobs();
    const of = (table: 'card_quotes' | 'card_declines' | 'card_orders') =>
      db.selectFrom(table).where('user_id', '=', user.userId);
    const orders = await of('card_orders').select('id').execute();
    return {
      quotes: (await of('card_quotes').select('order_id').execute()).length,
      declines: (await of('card_declines').select('order_id').execute()).length,
      orders: [orderId, untried.id, declined.id].filter((id) =>
        orders.some((row) => row.id === id),
      ),
    };
  };
  const all = [orderId, untried.id, declined.id];
  expect(await keptAfter(6)).toEqual({ quotes: 3, declines: 1, orders: all });
  expect(await keptAfter(2)).toEqual({ quotes: 0, declines: 1, orders: all });
  expect(await keptAfter(51)).toEqual({ quotes: 0, declines: 1, orders: all });
  expect(await keptAfter(2)).toEqual({ quotes: 0, declines: 1, orders: [orderId, declined.id] });
  expect(await keptAfter(338)).toEqual({ quotes: 0, declines: 1, orders: [orderId, declined.id] });
  expect(await keptAfter(2)).toEqual({ quotes: 0, declines: 0, orders: [orderId, declined.id] });
  expect(await keptAfter(3_000)).toEqual({
    quotes: 0,
    declines: 0,
    orders: [orderId, declined.id],
  });
});
