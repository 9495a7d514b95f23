/** Card money in the console: lists, evidence, and money that found no partner. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { buyTokens, refund, type PaidOrder } from '../../../../test/card-refund.ts';
import type { CardSandbox } from '../../../../test/card-sandbox.ts';
import { startCardsApp } from '../../../../test/cards-app.ts';
import { createStaffMember, signInStaff, type ConsoleCaller } from '../../../../test/console.ts';
import { expectBooksBalance } from '../../../../test/expect-books-balance.ts';
import { refusalOf } from '../../../../test/shop.ts';
import type { TestApp } from '../../../../test/test-app.ts';
import { enqueueJob } from '../../../platform/jobs/enqueue.ts';

const DAY_MS = 24 * 60 * 60_000;
const DONE = { outcome: 'done' };
const PNG = Buffer.concat([
  Buffer.from('89504e470d0a1a0a', 'hex'),
  Buffer.from('the rest does not matter'),
]).toString('base64');

let sandbox: CardSandbox;
let app: TestApp;
let close: () => Promise<void>;
let finance: ConsoleCaller;

beforeAll(async () => {
  ({ app, sandbox, close } = await startCardsApp({ env: { RATE_MAX_AGE_SECONDS: '86400' } }));
  finance = await signInStaff(app, await createStaffMember(app, ['finance']));
});
afterAll(() => close());
afterEach(() => expectBooksBalance(app.deps.config.databaseUrl));

async function look(disputeId: string): Promise<void> {
  await enqueueJob(app.deps.db, 'dispute_look', { disputeId });
  await app.runJobs();
}

/** A payment that is disputed, and the dispute's id here and at the provider. */
async function disputed(): Promise<{ order: PaidOrder; id: string; theirId: string }> {
  const order = await buyTokens(app, sandbox);
  const { id: theirId } = await sandbox.control('/disputes/open', {
    payment_intent: order.intentId,
  });
  await look(theirId);
  const { id } = await app.deps.db
    .selectFrom('card_disputes')
    .select('id')
    .where('provider_dispute_id', '=', theirId)
    .executeTakeFirstOrThrow();
  return { order, id, theirId };
}

describe('payments', () => {
  it('are listed and shown with what followed them', async () => {
    const order = await buyTokens(app, sandbox);
    const { body: before } = await finance.call('refundable', { params: { id: order.id } });
    expect(before).toMatchObject({
      low_water_token_amount: '100000000',
      is_disputed: false,
      largest: { token_amount: '100000000', total_usd_cents: '1868', price_usd_cents: '1683' },
    });
    const refundId = await refund(app, order.id);
    await app.runJobs();
    const { body: shown } = await finance.call('consolePayment', { params: { id: order.id } });
    expect(shown).toMatchObject({
      state: 'credited',
      returned_token_amount: '100000000',
      refunds: [{ id: refundId, state: 'succeeded', total_usd_cents: '1868' }],
      disputes: [],
    });
    expect(shown.bookings).toHaveLength(2);
    const { body: list } = await finance.call('consolePayments', {
      query: { customer_uuid: order.user.uuid, state: 'credited' },
    });
    expect(list.items).toMatchObject([{ id: order.id, customer_uuid: order.user.uuid }]);
    expect(list.count).toEqual({ value: 1, is_at_least: false });
    const { body: refunds } = await finance.call('consoleRefunds', { query: { limit: 1 } });
    expect(refunds.items).toMatchObject([{ id: refundId }]);
    expect(
      (await finance.call('refundable', { params: { id: order.id } })).body.largest,
    ).toBeNull();
  });
});

describe('evidence', () => {
  const text = 'The tokens were delivered and spent at the venue.';

  it('[O-134] is saved, and submitted once', async () => {
    const { id, theirId } = await disputed();
    const { body: shown } = await finance.call('consoleDispute', { params: { id } });
    expect(shown).toMatchObject({ phase: 'open', evidence_state: 'draft', evidence: {} });
    const save = (evidence: Record<string, string>, version: number) =>
      finance.call('saveEvidence', { params: { id }, version, body: { evidence } });
    const { version } = shown;
    const saved = await save({ uncategorized_text: text }, version);
    expect(saved.body).toEqual({ version: version + 1 });
    expect(refusalOf(await save({}, version)).code).toBe('version_conflict');
    const file = { field: 'receipt', name: 'receipt.png', base64: PNG } as const;
    expect((await finance.call('addEvidenceFile', { params: { id }, body: file })).body).toEqual(
      DONE,
    );
    await finance.prove();
    const submit = () => finance.call('submitEvidence', { params: { id } });
    expect((await submit()).body).toEqual(DONE);
    expect(refusalOf(await submit()).code).toBe('state_changed');
    await app.runJobs();
    const theirs = await sandbox.call('GET', `/disputes/${theirId}`);
    expect(theirs).toMatchObject({
      status: 'under_review',
      evidence: { uncategorized_text: text, receipt: expect.stringMatching(/^file_/) },
      evidence_details: { submission_count: 1 },
    });
    const { body: after } = await finance.call('consoleDispute', { params: { id } });
    expect(after).toMatchObject({
      status: 'under_review',
      evidence_state: 'submitted',
      files: [{ field: 'receipt', is_sent: true }],
    });
    expect(refusalOf(await submit()).code).toBe('state_changed');
    expect(refusalOf(await save({}, after.version)).code).toBe('state_changed');
  });

  it('[O-134] is not submitted after its due date', async () => {
    const { id } = await disputed();
    app.clock.advance(11 * DAY_MS);
    const late = await signInStaff(app, finance);
    await late.prove();
    expect(refusalOf(await late.call('submitEvidence', { params: { id } }))).toEqual({
      status: 409,
      code: 'state_changed',
    });
    app.clock.advance(-11 * DAY_MS);
  });

  it('has limits for each text and all together, and takes only files that the bank reads', async () => {
    const { id } = await disputed();
    const { body: shown } = await finance.call('consoleDispute', { params: { id } });
    const save = (evidence: Record<string, string>) =>
      finance.call('saveEvidence', { params: { id }, version: shown.version, body: { evidence } });
    const long = 'x'.repeat(20_000);
    expect((await save({ uncategorized_text: `${long}x` })).status).toBe(400);
    const fields = [
      'access_activity_log',
      'cancellation_policy_disclosure',
      'cancellation_rebuttal',
      'duplicate_charge_explanation',
      'product_description',
      'refund_policy_disclosure',
      'refund_refusal_explanation',
      'uncategorized_text',
    ];
    const all = Object.fromEntries(fields.map((field) => [field, long]));
    expect((await save(all)).status).toBe(400);
    const base64 = Buffer.from('<script>alert(1)</script>').toString('base64');
    const file = { field: 'receipt', name: 'receipt.pdf', base64 } as const;
    const added = await finance.call('addEvidenceFile', { params: { id }, body: file });
    expect(refusalOf(added).code).toBe('invalid_request');
  });

  it('is not needed to accept a dispute, which is lost then', async () => {
    const { id } = await disputed();
    await finance.prove();
    const body = { reason: 'The customer is right.' };
    expect((await finance.call('acceptDispute', { params: { id }, body })).body).toEqual(DONE);
    await app.runJobs();
    const { body: after } = await finance.call('consoleDispute', { params: { id } });
    expect(after).toMatchObject({ status: 'lost', phase: 'lost', evidence_state: 'submitted' });
  });
});

describe('money without a partner', () => {
  it('is joined by hand if the amounts agree, and explained otherwise', async () => {
    const order = await buyTokens(app, sandbox);
    const unpair = async () => {
      await app.deps.db
        .updateTable('card_transactions')
        .set({ booking_id: null })
        .where('booking_id', '=', order.id)
        .execute();
      await app.deps.db
        .updateTable('card_bookings')
        .set({ matched_at: null })
        .where('id', '=', order.id)
        .execute();
    };
    const { id: transactionId } = await app.deps.db
      .selectFrom('card_transactions')
      .select('id')
      .where('booking_id', '=', order.id)
      .executeTakeFirstOrThrow();
    await unpair();
    const { body: days } = await finance.call('reconciliationDays');
    expect(days.items).toEqual([]);
    const body = { transaction_id: transactionId, booking_id: order.id };
    await finance.prove();
    expect((await finance.call('matchMoney', { body })).body).toEqual(DONE);
    expect(refusalOf(await finance.call('matchMoney', { body })).code).toBe('state_changed');
    await unpair();
    app.clock.advance(2 * 60 * 60_000);
    const again = await signInStaff(app, finance);
    const { body: unmatched } = await again.call('unmatchedMoney');
    const ids = (rows: { id: string }[]) => rows.map(({ id }) => id);
    expect(ids(unmatched.transactions)).toContain(transactionId);
    expect(ids(unmatched.bookings)).toContain(order.id);
    const explanation = 'A test payment of the provider.';
    for (const one of [{ transaction_id: transactionId }, { booking_id: order.id }]) {
      const answer = await again.call('explainMoney', { body: { ...one, explanation } });
      expect(answer.body).toEqual(DONE);
    }
    const { body: after } = await again.call('unmatchedMoney');
    expect(ids(after.transactions)).not.toContain(transactionId);
    expect(ids(after.bookings)).not.toContain(order.id);
  });
});
