/** Evidence that is gathered automatically for a new dispute. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createOffer } from '../../../test/build-catalog.ts';
import { buyTokens, type PaidOrder } from '../../../test/card-refund.ts';
import type { CardSandbox } from '../../../test/card-sandbox.ts';
import { startCardsApp } from '../../../test/cards-app.ts';
import { consoleAs } from '../../../test/console.ts';
import { expectBooksBalance } from '../../../test/expect-books-balance.ts';
import { buy } from '../../../test/shop.ts';
import type { TestApp, TestUser } from '../../../test/test-app.ts';
import { enqueueJob } from '../../platform/jobs/enqueue.ts';
import { insertAcceptance } from '../legal/index.ts';

let sandbox: CardSandbox;
let app: TestApp;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ app, sandbox, close } = await startCardsApp({ env: { RATE_MAX_AGE_SECONDS: '86400' } }));
});
afterEach(() => expectBooksBalance(app.deps.config.databaseUrl));
afterAll(() => close());

/** Opens a dispute at the provider and makes the app look it up. */
async function dispute({ intentId }: PaidOrder, body: object = {}): Promise<string> {
  const { id } = await sandbox.control('/disputes/open', { payment_intent: intentId, ...body });
  await enqueueJob(app.deps.db, 'dispute_look', { disputeId: id });
  await app.runJobs();
  return id;
}

const readEvidence = async (providerDisputeId: string) =>
  app.deps.db
    .selectFrom('card_disputes')
    .select(['id', 'evidence', 'version', 'evidence_state'])
    .where('provider_dispute_id', '=', providerDisputeId)
    .executeTakeFirstOrThrow();

const DAY_MS = 24 * 60 * 60_000;

const accepted = (
  { user }: { readonly user: TestUser },
  acceptance: { readonly label: string; readonly at: Date },
): Promise<void> =>
  app.deps.db.transaction().execute((tx) => insertAcceptance(tx, user.userId, acceptance));

it('says what was paid, credited, bought and sent, who signed in, and which terms were accepted', async () => {
  const order = await buyTokens(app, sandbox);
  const now = app.clock.nowMs();
  await accepted(order, { label: '2025-06', at: new Date(now - 2 * DAY_MS) });
  await accepted(order, { label: '2026-01', at: new Date(now - DAY_MS) });
  await accepted(order, { label: '2026-02', at: new Date(now + DAY_MS) });
  const offer = await createOffer(app, { title: 'Meridian Night', price_ath_hundredths: 500 });
  expect((await buy(app, order.user, [[offer.id, 2]])).status).toBe(200);
  const friend = await app.createUser();
  await app.request({
    method: 'POST',
    url: '/api/account/transfer',
    payload: { amount: '3000000', to_uuid: friend.uuid },
    user: order.user,
    key: randomUUID(),
  });
  const { evidence, evidence_state: state } = await readEvidence(await dispute(order));
  expect(state).toBe('draft');
  expect(evidence).toMatchObject({
    customer_email_address: order.user.email,
    access_activity_log: expect.stringMatching(/^\S+Z The customer signed in to the wallet\.$/),
    // Not the terms that applied before, nor those that were accepted after the payment.
    refund_policy_disclosure: expect.stringContaining('accepted version 2026-01 of the terms'),
    service_date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
  });
  const lines = (evidence['uncategorized_text'] ?? '').split('\n');
  expect(lines[0]).toContain(`Receipt of card payment ${order.id}: 100 ATH for $16.83`);
  expect(lines[1]).toContain('100 ATH were credited');
  expect(lines.slice(2).map((line) => line.replace(/^\S+ /, ''))).toEqual([
    'The customer bought 2 x Meridian Night with the tokens.',
    'The customer sent 3 ATH to another user.',
  ]);
});

it("masks the customer's address for staff who may not see it, and keeps it when they save", async () => {
  const order = await buyTokens(app, sandbox);
  const { id } = await readEvidence(await dispute(order));
  const params = { id };
  const [finance, owner] = [
    await consoleAs(app, ['finance']),
    await consoleAs(app, ['provider_owner']),
  ];
  const { text, body: shown } = await finance.call('consoleDispute', { params });
  expect(text).not.toContain(order.user.email);
  expect(shown.evidence.customer_email_address).toContain('•••@');
  const evidence = { ...shown.evidence, customer_name: 'Ada' };
  const late = await finance.call('saveEvidence', { params, version: 99, body: { evidence } });
  expect(late.status).toBe(412);
  expect(late.text).not.toContain(order.user.email);
  const { version } = shown;
  expect((await finance.call('saveEvidence', { params, version, body: { evidence } })).status).toBe(
    200,
  );
  const { body } = await owner.call('consoleDispute', { params });
  expect(body.evidence).toMatchObject({
    customer_email_address: order.user.email,
    customer_name: 'Ada',
  });
});

it('replaces nothing that somebody wrote', async () => {
  const theirs = await dispute(await buyTokens(app, sandbox));
  const { id } = await readEvidence(theirs);
  const evidence = JSON.stringify({ uncategorized_text: 'Written by hand.' });
  await app.deps.db.updateTable('card_disputes').set({ evidence }).where('id', '=', id).execute();
  await enqueueJob(app.deps.db, 'dispute_gather', { disputeId: id });
  await app.runJobs();
  expect((await readEvidence(theirs)).evidence).toEqual({ uncategorized_text: 'Written by hand.' });
});

it('a lost dispute proposes to refund what was bought and not redeemed, up to what is owed', async () => {
  const order = await buyTokens(app, sandbox);
  const offer = await createOffer(app, { price_ath_hundredths: 3_000 });
  expect((await buy(app, order.user, [[offer.id, 3]])).status).toBe(200);
  const theirs = await dispute(order);
  const { id } = await readEvidence(theirs);
  const finance = await consoleAs(app, ['finance']);
  const { body } = await finance.call('voidable', { params: { id } });
  expect(body).toMatchObject({
    owed_token_amount: '90000000',
    lines: [{ line: 0, price: '30000000', open_count: 3, proposed_count: 3 }],
  });
  const [line] = body.lines;
  await finance.prove();
  const refunded = await finance.call('refundPurchase', {
    params: { id: line.purchase_id },
    body: {
      lines: [{ line: line.line, item_count: 2 }],
      is_stock_returned: false,
      reason: 'Bought with disputed money',
    },
  });
  expect(refunded.body.outcome).toBe('done');
  await enqueueJob(app.deps.db, 'debt_collect', { isAgain: true });
  await app.runJobs();
  expect((await finance.call('voidable', { params: { id } })).body).toMatchObject({
    owed_token_amount: '30000000',
    lines: [{ open_count: 1, proposed_count: 1 }],
  });
  const unknown = await finance.call('voidable', { params: { id: randomUUID() } });
  expect(unknown.status).toBe(404);
});

it(
  'stays within what the provider takes, whatever the customer did',
  { tags: 'long' },
  async () => {
    const order = await buyTokens(app, sandbox);
    const title = 'An evening with a very long name '.repeat(6).trim();
    const offer = await createOffer(app, { title, price_ath_hundredths: 1 });
    for (let count = 0; count < 110; count += 1) {
      expect((await buy(app, order.user, [[offer.id, 1]])).status).toBe(200);
    }
    const { evidence } = await readEvidence(await dispute(order));
    const text = evidence['uncategorized_text'] ?? '';
    expect(text.length).toBeGreaterThan(19_000);
    expect(text.length).toBeLessThanOrEqual(20_000);
    expect(text.endsWith('with the tokens.')).toBe(true);
  },
);
