/** The hourly list of the provider's events after an outage of the webhooks. */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { microAth } from '@athos/domain/money';
import { beginOrder, readOrder } from '../../../../test/card-purchase.ts';
import type { CardSandbox } from '../../../../test/card-sandbox.ts';
import { startCardsApp } from '../../../../test/cards-app.ts';
import { expectBooksBalance } from '../../../../test/expect-books-balance.ts';
import { recordLog } from '../../../../test/recorded-log.ts';
import type { TappedCardProvider } from '../../../../test/tapped-card-provider.ts';
import type { TestApp } from '../../../../test/test-app.ts';
import { AppError } from '../../../platform/errors.ts';
import { enqueueJob } from '../../../platform/jobs/enqueue.ts';
import type { ProviderEvent } from '../provider/card-provider.ts';

const AMOUNT = microAth(100_000_000n);
/** Far longer than the two hours that a list overlaps the one before. */
const OUTAGE_MS = 5 * 60 * 60_000;

let app: TestApp;
let sandbox: CardSandbox;
let provider: TappedCardProvider;
let close: () => Promise<void>;
const { log, lines } = recordLog();
beforeAll(async () => {
  ({ app, sandbox, provider, close } = await startCardsApp({
    env: { RATE_MAX_AGE_SECONDS: '86400' },
    log,
  }));
});
afterEach(async () => {
  provider.untap();
  await expectBooksBalance(app.deps.config.databaseUrl);
});
afterAll(() => close());

async function listEvents(): Promise<void> {
  await enqueueJob(app.deps.db, 'payment_list_events', {}, { attemptCountMax: 1 });
  await app.runJobs();
}

it('takes all that was missed, even if a newer event was delivered before it ran', async () => {
  await listEvents();
  await sandbox.control('/webhooks', { drop: -1 });
  const missed = await beginOrder(app, await app.createUser(), AMOUNT);
  await sandbox.pay(missed.secret);
  // The event of the fee comes a second after the payment, and must be missed too.
  await sandbox.control('/clock', { advance_ms: 2_000 });
  const feesSeen = () => sandbox.call('GET', '/events?type=charge.updated');
  await expect.poll(feesSeen).toMatchObject({ data: [{ type: 'charge.updated' }] });
  app.clock.advance(OUTAGE_MS);
  await sandbox.control('/clock', { advance_ms: OUTAGE_MS });
  const newer = await beginOrder(app, await app.createUser(), AMOUNT);
  await sandbox.pay(newer.secret);
  const { data } = await sandbox.call('GET', '/events?type=payment_intent.succeeded&limit=1');
  await sandbox.control('/webhooks/resend', { event: data[0].id });
  await sandbox.delivery('payment_intent.succeeded', newer.intentId);
  await app.runJobs();
  const states = () => Promise.all([newer, missed].map(({ id }) => readOrder(app, id)));
  expect(await states()).toMatchObject([{ state: 'credited' }, { state: 'open' }]);
  await listEvents();
  expect(await states()).toMatchObject([{ state: 'credited' }, { state: 'credited' }]);
});

const listedUntil = async (): Promise<number> =>
  (
    await app.deps.db.selectFrom('card_events_listed').selectAll().executeTakeFirstOrThrow()
  ).listed_until.getTime();

/** A payment of which only the list of events tells. Returns its order. */
async function missPayment(): Promise<string> {
  await sandbox.control('/webhooks', { drop: -1 });
  const order = await beginOrder(app, await app.createUser(), AMOUNT);
  await sandbox.pay(order.secret);
  return order.id;
}

/** Makes the provider list these events before its own. */
function listBefore(...events: ProviderEvent[]): void {
  provider.tap({
    async *listEvents(range) {
      yield* events;
      yield* provider.real.listEvents(range);
    },
  });
}

function eventThat(change: Partial<ProviderEvent>): ProviderEvent {
  return {
    eventId: `evt_${crypto.randomUUID()}`,
    type: 'payment_intent.succeeded',
    createdAt: new Date(app.clock.nowMs()),
    isLive: false,
    apiVersion: undefined,
    objectId: undefined,
    intentId: undefined,
    chargeId: undefined,
    environment: undefined,
    ...change,
  };
}

/** The database stores no text with this character. */
const unstorable = () => eventThat({ type: 'of\u0000 no text' });

it('keeps what was listed if the provider fails later, and continues from there', async () => {
  await listEvents();
  const orderId = await missPayment();
  const outageMs = 3 * OUTAGE_MS;
  app.clock.advance(outageMs);
  await sandbox.control('/clock', { advance_ms: outageMs });
  const froms: number[] = [];
  provider.tap({
    listEvents(range) {
      froms.push(range.from.getTime());
      if (froms.length === 2) throw new AppError('provider_unavailable');
      return provider.real.listEvents(range);
    },
  });
  await listEvents();
  expect(froms).toHaveLength(2);
  expect(await listedUntil()).toBe(froms[1]);
  expect(await readOrder(app, orderId)).toMatchObject({ state: 'credited' });
  await listEvents();
  expect(await listedUntil()).toBeGreaterThan(app.clock.nowMs() - 60_000);
});

it('raises an alarm for an event that cannot be stored, and stores the others', async () => {
  const orderId = await missPayment();
  const bad = unstorable();
  listBefore(bad);
  const before = await listedUntil();
  await listEvents();
  const alarms = lines.filter((line) => line.includes(bad.eventId)).map((line) => JSON.parse(line));
  expect(alarms).toEqual([expect.objectContaining({ alarm: 'event_not_stored' })]);
  expect(await readOrder(app, orderId)).toMatchObject({ state: 'credited' });
  expect(await listedUntil()).toBeGreaterThan(before);
});

it.each([
  ['the database is away', () => [eventOfAnOutage()]],
  ['none can be stored', () => Array.from({ length: 11 }, unstorable)],
])('passes over no event while %s', async (_fault, events) => {
  const orderId = await missPayment();
  const before = await listedUntil();
  listBefore(...events());
  await listEvents();
  expect(await listedUntil()).toBe(before);
  provider.untap();
  await listEvents();
  expect(await readOrder(app, orderId)).toMatchObject({ state: 'credited' });
  expect(await listedUntil()).toBeGreaterThan(before);
});

function eventOfAnOutage(): ProviderEvent {
  const event = eventThat({});
  return Object.defineProperty(event, 'objectId', {
    get() {
      throw Object.assign(new Error('the server ends'), { code: '57P01' });
    },
  });
}
