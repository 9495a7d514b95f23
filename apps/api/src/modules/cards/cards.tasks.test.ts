import { parseCrontab } from 'graphile-worker';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { microAth, usdCents } from '@athos/domain/money';
import {
  balanceOf,
  intentIdOf,
  postPayment,
  publishTestRate,
  purchaseBody,
  readOrder,
} from '../../../test/card-purchase.ts';
import { startCardSandbox, type CardSandbox } from '../../../test/card-sandbox.ts';
import { expectBooksBalance } from '../../../test/expect-books-balance.ts';
import { recordLog } from '../../../test/recorded-log.ts';
import { tapCardProvider, type TappedCardProvider } from '../../../test/tapped-card-provider.ts';
import { createTestApp, type TestApp } from '../../../test/test-app.ts';
import { AppError } from '../../platform/errors.ts';
import { enqueueJob } from '../../platform/jobs/enqueue.ts';
import { cardCrontab, createCardTasks } from './cards.tasks.ts';

const { log, lines } = recordLog();
let sandbox: CardSandbox;
let provider: TappedCardProvider;
let app: TestApp;

beforeAll(async () => {
  sandbox = await startCardSandbox();
  provider = tapCardProvider(sandbox.url);
  app = await createTestApp({ env: sandbox.env, standIns: { cardProvider: provider }, log });
  sandbox.deliverTo(app.app);
  await publishTestRate(app, '0.1683');
});
afterAll(async () => {
  await sandbox.close();
  await app.close();
});
afterEach(async () => {
  provider.untap();
  await expectBooksBalance(app.deps.config.databaseUrl);
});

async function paidOrder() {
  const user = await app.createUser();
  const { body } = await postPayment(app, user, purchaseBody(microAth(100_000_000n)));
  await sandbox.pay(body.client_secret);
  const intentId = intentIdOf(body.client_secret);
  await sandbox.delivery('payment_intent.succeeded', intentId);
  return { user, orderId: String(body.id), intentId };
}

/** Makes jobs that wait for another attempt due. */
async function hurryJobs(): Promise<void> {
  await sql`
    select graphile_worker.reschedule_jobs(array(select id from graphile_worker.jobs), run_at => now())`.execute(
    app.deps.db,
  );
}

it('every scheduled job exists, and open orders are checked every 2 to 5 min', () => {
  const items = parseCrontab(cardCrontab);
  const names = Object.values(createCardTasks(app.deps)).flatMap((tasks) => Object.keys(tasks));
  for (const { task } of items) expect(names).toContain(task);
  expect(items).toHaveLength(5);
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

it.each([
  ['was canceled', { status: 'canceled' }, /the intent is canceled/],
  ['received less', { amountReceivedUsdCents: usdCents(1n) }, /received 1\b/],
] as const)(
  'the daily comparison raises an alarm for a credit whose payment %s, and takes nothing back',
  async (_difference, lie, reason) => {
    const { user, orderId, intentId } = await paidOrder();
    await app.runJobs();
    provider.tap({
      async *listIntents(range) {
        for await (const intent of provider.real.listIntents(range)) {
          yield intent.intentId === intentId ? { ...intent, ...lie } : intent;
        }
      },
    });
    await enqueueJob(app.deps.db, 'payment_compare', {});
    await app.runJobs();
    const alarm = lines.find(
      (line) => line.includes('payment_difference') && line.includes(orderId),
    );
    expect(alarm).toMatch(reason);
    expect(await balanceOf(app, user)).toBe('100000000');
  },
);

it('the daily comparison reports a payment that cannot be compared and settles the others', async () => {
  const user = await app.createUser();
  const { body } = await postPayment(app, user, purchaseBody(microAth(100_000_000n)));
  await sandbox.pay(body.client_secret);
  provider.tap({
    // Leaves the list as the only way to a credit.
    retrieveIntent: () => Promise.reject(new AppError('provider_unavailable')),
    async *listIntents(range) {
      for await (const intent of provider.real.listIntents(range)) {
        const poison = { ...intent, intentId: 'pi_poison' };
        Object.defineProperty(poison, 'status', {
          get: () => {
            throw new Error('unreadable');
          },
        });
        yield poison;
        yield intent;
      }
    },
  });
  await enqueueJob(app.deps.db, 'payment_compare', {}, { attemptCountMax: 1 });
  await app.runJobs();
  expect(await readOrder(app, String(body.id))).toMatchObject({ state: 'credited' });
  expect(
    lines.some((line) => line.includes('payment_not_compared') && line.includes('pi_poison')),
  ).toBe(true);
});

it('the daily comparison reports nothing if both books agree', async () => {
  const { orderId } = await paidOrder();
  await app.runJobs();
  await enqueueJob(app.deps.db, 'payment_compare', {});
  await app.runJobs();
  const alarms = lines.filter((line) => line.includes('"alarm"') && line.includes(orderId));
  expect(alarms).toEqual([]);
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

it('deletes an event after 90 days, unless a job still has to process it', async () => {
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
    .values([event('old', 91), event('open', 91, false), event('young', 89)])
    .execute();
  await enqueueJob(db, 'payment_prune', {});
  await app.runJobs();
  const left = await db.selectFrom('card_events').select('id').execute();
  const ids = left.map(({ id }) => id);
  expect(['old', 'open', 'young'].filter((id) => ids.includes(id))).toEqual(['open', 'young']);
});
