/** Chargebacks that come weeks after the payment, with their events or without. */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { buyTokens } from '../../../../test/card-refund.ts';
import type { CardSandbox } from '../../../../test/card-sandbox.ts';
import { startCardsApp } from '../../../../test/cards-app.ts';
import { expectBooksBalance } from '../../../../test/expect-books-balance.ts';
import type { TestApp, TestUser } from '../../../../test/test-app.ts';
import { userAccountId } from '../../../ledger/index.ts';
import { enqueueJob } from '../../../platform/jobs/enqueue.ts';

/** The balance, read from the ledger, because the sessions have ended when the bank takes its money back. */
async function unitsOf({ deps }: TestApp, { userId }: TestUser): Promise<bigint | undefined> {
  const id = userAccountId(userId, 'ATH');
  return (await deps.ledger.balances([id])).get(id);
}

const DAY_MS = 24 * 60 * 60_000;

let sandbox: CardSandbox;
let app: TestApp;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ app, sandbox, close } = await startCardsApp({ env: { RATE_MAX_AGE_SECONDS: '86400' } }));
});
afterEach(() => expectBooksBalance(app.deps.config.databaseUrl));
afterAll(() => close());

it(
  'a dispute that comes sixty days after the payment is booked by its events, and found without them',
  { tags: 'long' },
  async () => {
    const told = await buyTokens(app, sandbox);
    const untold = await buyTokens(app, sandbox);
    await sandbox.control('/clock', { advance_ms: 60 * DAY_MS });
    app.clock.advance(60 * DAY_MS);

    await sandbox.control('/disputes/open', { payment_intent: told.intentId });
    await sandbox.delivery('charge.dispute.funds_withdrawn', told.intentId);
    await app.runJobs();
    expect(await unitsOf(app, told.user)).toBe(0n);

    await sandbox.control('/webhooks', { lose: 100 });
    await sandbox.control('/disputes/open', { payment_intent: untold.intentId });
    await app.runJobs();
    expect(await unitsOf(app, untold.user)).toBe(100_000_000n);
    await enqueueJob(app.deps.db, 'payment_compare', {});
    await app.runJobs();
    expect(await unitsOf(app, untold.user)).toBe(0n);
  },
);
