/** Disputes of payments that are being refunded. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { microAth, usdCents } from '@athos/domain/money';
import { balanceOf } from '../../../../test/card-purchase.ts';
import { buyTokens, refund } from '../../../../test/card-refund.ts';
import {
  decideDispute,
  openDispute,
  refreshDispute,
  readDispute,
} from '../../../../test/card-disputes.ts';
import type { CardSandbox } from '../../../../test/card-sandbox.ts';
import { startCardsApp } from '../../../../test/cards-app.ts';
import { expectBooksBalance } from '../../../../test/expect-books-balance.ts';
import type { TappedCardProvider } from '../../../../test/tapped-card-provider.ts';
import type { TestApp } from '../../../../test/test-app.ts';
import type { CardDispute } from '../provider/card-disputes.ts';
import { giveUpRefund } from '../refunds/request-refund.ts';

let sandbox: CardSandbox;
let provider: TappedCardProvider;
let app: TestApp;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ app, sandbox, provider, close } = await startCardsApp({
    env: { RATE_MAX_AGE_SECONDS: '86400' },
    startsAtOne: true,
  }));
});
afterEach(async () => {
  provider.untap();
  await expectBooksBalance(app.deps.config.databaseUrl);
});
afterAll(() => close());

it('a refund that comes back after a chargeback gives its tokens to the dispute', async () => {
  const order = await buyTokens(app, sandbox, { card: 'refundFail' });
  await refund(app, order.id);
  await app.runJobs();
  provider.tap({
    // The provider refuses disputes of refunded payments, but the bank may open one before the provider learns of the refund.
    retrieveDispute: () => Promise.resolve(theirs),
  });
  const at = new Date(app.clock.nowMs());
  const theirs: CardDispute = {
    disputeId: `dp_${randomUUID()}`,
    intentId: order.intentId,
    status: 'lost',
    reason: 'fraudulent',
    amountUsdCents: usdCents(1_868n),
    createdAt: at,
    dueAt: undefined,
    submissionCount: 0,
    transactions: [
      {
        transactionId: `txn_${randomUUID()}`,
        type: 'adjustment',
        sourceId: undefined,
        amountUsdCents: usdCents(-1_868n),
        feeUsdCents: usdCents(0n),
        netUsdCents: usdCents(-1_868n),
        currency: 'usd',
        createdAt: at,
      },
    ],
  };
  await refreshDispute(app, theirs.disputeId);
  expect(await readDispute(app, theirs.disputeId)).toMatchObject({ taken_micro_ath: 0n });
  await sandbox.control('/clock', { advance_ms: 60_000 });
  await sandbox.delivery('refund.failed', order.intentId);
  await app.runJobs();
  await app.runJobs();
  expect(await readDispute(app, theirs.disputeId)).toMatchObject({ taken_micro_ath: 100_000_000n });
  expect(await balanceOf(app, order.user)).toBe('0');
});

it('a refund that ends after its dispute was lost gives its tokens to the dispute', async () => {
  const order = await buyTokens(app, sandbox);
  const refundId = await refund(app, order.id, {
    amount: microAth(60_000_000n),
    isApproved: false,
  });
  const id = await openDispute(app, sandbox, order);
  await decideDispute(app, sandbox, id, 'lost');
  expect(await readDispute(app, id)).toMatchObject({ taken_micro_ath: 40_000_000n });
  await app.deps.db.transaction().execute((tx) => giveUpRefund(app.deps, tx, refundId, 'expired'));
  await app.runJobs();
  expect(await readDispute(app, id)).toMatchObject({ taken_micro_ath: 100_000_000n });
  expect(await balanceOf(app, order.user)).toBe('0');
});
