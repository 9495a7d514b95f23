/** The hourly list of the provider's events after an outage of the webhooks. */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { microAth } from '@athos/domain/money';
import { beginOrder, readOrder } from '../../../../test/card-purchase.ts';
import type { CardSandbox } from '../../../../test/card-sandbox.ts';
import { startCardsApp } from '../../../../test/cards-app.ts';
import { expectBooksBalance } from '../../../../test/expect-books-balance.ts';
import type { TestApp } from '../../../../test/test-app.ts';
import { enqueueJob } from '../../../platform/jobs/enqueue.ts';

const AMOUNT = microAth(100_000_000n);
/** Far longer than the two hours that a list overlaps the one before. */
const OUTAGE_MS = 5 * 60 * 60_000;

let app: TestApp;
let sandbox: CardSandbox;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ app, sandbox, close } = await startCardsApp({ env: { RATE_MAX_AGE_SECONDS: '86400' } }));
});
afterEach(() => expectBooksBalance(app.deps.config.databaseUrl));
afterAll(() => close());

async function listEvents(): Promise<void> {
  await enqueueJob(app.deps.db, 'payment_list_events', {});
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
