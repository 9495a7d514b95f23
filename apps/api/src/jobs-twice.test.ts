/** Work that moves value is done twice: by two workers at once, and again by a worker that takes over a job that had already finished. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { microAth } from '@athos/domain/money';
import { balanceOf, beginOrder, payAndDeliver, readOrder } from '../test/card-purchase.ts';
import { buyTokens, FEE, readRefund, refund, watchCardBooks } from '../test/card-refund.ts';
import type { CardSandbox } from '../test/card-sandbox.ts';
import { startCardsApp } from '../test/cards-app.ts';
import { expectBooksBalance } from '../test/expect-books-balance.ts';
import { ath } from '../test/shop.ts';
import { issueTo, type TestApp } from '../test/test-app.ts';
import { createCardTasks } from './modules/cards/cards.tasks.ts';
import { postDue } from './modules/transfers/held/post-due.ts';

const UNDO_SECONDS = 10;
const AFTER_LOOKS_MS = 10 * 60_000;
const BOUGHT = microAth(100_000_000n);

let app: TestApp;
let sandbox: CardSandbox;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ app, sandbox, close } = await startCardsApp({ env: { RATE_MAX_AGE_SECONDS: '86400' } }));
});
afterEach(() => expectBooksBalance(app.deps.config.databaseUrl));
afterAll(() => close());

const atOnce = (work: () => unknown) => Promise.all([work(), work()]);

/** Runs a job of card money twice at once. */
const run = (task: string, payload: object = {}) => {
  const { money = {} } = createCardTasks({ ...app.deps, headReaders: [] });
  return atOnce(() => money[task]?.(payload, {} as never));
};

describe('a job that runs twice', () => {
  it('[P-039] credits a card payment once, whichever job finds it', async () => {
    const user = await app.createUser();
    const order = await beginOrder(app, user, BOUGHT);
    await payAndDeliver(sandbox, order);
    const { id: eventId } = await app.deps.db
      .selectFrom('card_events')
      .select('id')
      .where('intent_id', '=', order.intentId)
      .where('type', '=', 'payment_intent.succeeded')
      .executeTakeFirstOrThrow();
    await run('payment_event', { eventId });
    expect(await balanceOf(app, user)).toBe(BOUGHT.toString());
    await run('payment_event', { eventId });
    await run('payment_look', { orderId: order.id });
    app.clock.advance(AFTER_LOOKS_MS);
    await run('payment_reconcile');
    await app.runJobs();
    expect(await balanceOf(app, user)).toBe(BOUGHT.toString());
    expect(await readOrder(app, order.id)).toMatchObject({ state: 'credited' });
  });

  it('[P-039] credits a card payment once that only the reconciliation finds', async () => {
    const user = await app.createUser();
    const order = await beginOrder(app, user, BOUGHT);
    await sandbox.control('/webhooks', { lose: 10 });
    await sandbox.pay(order.secret);
    await sandbox.control('/webhooks', { lose: 0 });
    app.clock.advance(AFTER_LOOKS_MS);
    for (let turn = 0; turn < 2; turn += 1) {
      await run('payment_reconcile');
      await app.runJobs();
    }
    expect(await balanceOf(app, user)).toBe(BOUGHT.toString());
  });

  it('[P-039] makes a refund once, at the provider and in the books', async () => {
    const order = await buyTokens(app, sandbox);
    const refundId = await refund(app, order.id);
    for (const task of ['refund_send', 'refund_send', 'refund_look']) await run(task, { refundId });
    const made = await sandbox.call('GET', `/refunds?payment_intent=${order.intentId}`);
    expect(made.data).toHaveLength(1);
    expect(await readRefund(app, refundId)).toMatchObject({ state: 'succeeded' });
    expect(await balanceOf(app, order.user)).toBe('0');
  });

  it('[P-039] takes the tokens of a dispute once, collects its debt once, and books its money once', async () => {
    // The fee of a payment above is recorded a second after it, and its event may have been one of the lost ones.
    await run('card_transactions_list');
    const gained = await watchCardBooks(app);
    const order = await buyTokens(app, sandbox);
    const friend = await app.createUser();
    await app.request({
      method: 'POST',
      url: '/api/account/transfer',
      user: order.user,
      payload: { amount: ath(60).toString(), to_uuid: friend.uuid },
    });
    const { id: disputeId } = await sandbox.control('/disputes/open', {
      payment_intent: order.intentId,
    });
    await run('dispute_look', { disputeId });
    await run('dispute_look', { disputeId });
    expect(await balanceOf(app, order.user)).toBe('-60000000');
    await sandbox.control('/disputes/decide', { dispute: disputeId, outcome: 'lost' });
    await run('dispute_look', { disputeId });
    await issueTo(app.deps, order.user.userId, ath(100));
    await run('debt_collect');
    await run('debt_collect');
    expect(await balanceOf(app, order.user)).toBe(ath(40).toString());
    await run('card_transactions_list');
    await run('card_transactions_list');
    expect(await gained()).toEqual({
      card_provider: FEE + 1_500n,
      provider_fees: -FEE,
      dispute_fees: -1_500n,
    });
  });

  it('[P-039] posts a held send once', async () => {
    const [ada, ben] = [await app.createUser({ balance: ath(10) }), await app.createUser()];
    const answer = await app.request({
      method: 'POST',
      url: '/api/account/transfer',
      user: ada,
      key: randomUUID(),
      payload: {
        amount: ath(4).toString(),
        to_uuid: ben.uuid,
        undo_seconds: UNDO_SECONDS,
      },
    });
    expect(answer.status).toBe(200);
    app.clock.advance((UNDO_SECONDS + 1) * 1_000);
    const counts = await Promise.all([postDue(app.deps), postDue(app.deps)]);
    expect(counts.toSorted()).toEqual([0, 1]);
    expect(await postDue(app.deps)).toBe(0);
    expect(await balanceOf(app, ada)).toBe(ath(6).toString());
    expect(await balanceOf(app, ben)).toBe(ath(4).toString());
  });
});
