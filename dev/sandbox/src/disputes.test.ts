import type Stripe from 'stripe';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readId } from './ids.ts';
import { expectBooks } from './test/expect-books.ts';
import { fails } from './test/fails.ts';
import { readRequiredFields } from './test/read-required-fields.ts';
import { startTestSandbox } from './test/start-test-sandbox.ts';
import type { TestSandbox } from './test/start-test-sandbox.ts';

let sandbox: TestSandbox;
let stripe: Stripe;

beforeAll(async () => {
  sandbox = await startTestSandbox();
  stripe = sandbox.stripe;
});
afterAll(() => sandbox.end());
beforeEach(() => sandbox.control('POST', 'reset', {}));
afterEach(() => expectBooks(stripe));

const dayMs = 86_400_000;

/** Pays 11.10 USD with a test card. Returns the intent's id. */
async function pay(card = 'visa'): Promise<string> {
  const { id } = await stripe.paymentIntents.create({
    amount: 1110,
    currency: 'usd',
    receipt_email: 'ada@example.com',
    confirm: true,
    payment_method: `pm_card_${card}`,
  });
  return id;
}

/** Pays, and opens a dispute of it. Returns the dispute's id. */
async function dispute(terms: object = {}): Promise<string> {
  const opened = await sandbox.control('POST', 'disputes/open', {
    payment_intent: await pay(),
    ...terms,
  });
  return String(opened['id']);
}

async function decide(id: string, outcome: string): Promise<Record<string, unknown>> {
  return sandbox.control('POST', 'disputes/decide', { dispute: id, outcome });
}

async function advance(byMs: number): Promise<void> {
  await sandbox.control('POST', 'clock', { advance_ms: byMs });
}

async function becomes(id: string, status: string): Promise<Stripe.Dispute> {
  await expect.poll(async () => (await stripe.disputes.retrieve(id)).status).toBe(status);
  return stripe.disputes.retrieve(id);
}

/** The types of the events of disputes, oldest first, without their common prefix. */
async function disputeEvents(): Promise<string[]> {
  const { data } = await stripe.events.list({ limit: 100 });
  const types = data.map(({ type }) => type).filter((type) => type.startsWith('charge.dispute.'));
  return types.map((type) => type.replace('charge.dispute.', '')).reverse();
}

async function movementsOf(id: string): Promise<Partial<Stripe.BalanceTransaction>[]> {
  const { data } = await stripe.balanceTransactions.list({ source: id });
  return data.map(({ type, amount, fee, net, reporting_category }) => ({
    type,
    amount,
    fee,
    net,
    reporting_category,
  }));
}

const withdrawn = {
  type: 'adjustment',
  reporting_category: 'dispute',
  amount: -1110,
  fee: 1500,
  net: -2610,
};
const reinstated = {
  type: 'adjustment',
  reporting_category: 'dispute_reversal',
  amount: 1110,
  fee: 0,
  net: 1110,
};

describe('test cards', () => {
  it.each([
    ['createDispute', 'needs_response', 'fraudulent', 'chargeback', '10.4', [withdrawn]],
    [
      'createDisputeProductNotReceived',
      'needs_response',
      'product_not_received',
      'chargeback',
      '13.1',
      [withdrawn],
    ],
    ['createDisputeInquiry', 'warning_needs_response', 'fraudulent', 'inquiry', '10', []],
  ])(
    '[O-142] %s opens a dispute after a minute',
    async (card, status, reason, type, code, moved) => {
      const intent = await pay(card);
      await advance(60_000);
      await expect
        .poll(async () => (await stripe.disputes.list({ payment_intent: intent })).data)
        .toHaveLength(1);
      const [found] = (
        await stripe.disputes.list({
          payment_intent: intent,
          expand: ['data.charge', 'data.payment_intent'],
        })
      ).data;
      const required = readRequiredFields('Disputes', 'Dispute');
      expect(required.length).toBeGreaterThanOrEqual(17);
      expect(Object.keys(found ?? {})).toEqual(expect.arrayContaining(required));
      expect(Object.keys(found?.evidence ?? {}).length).toBe(28);
      expect(found).toMatchObject({
        amount: 1110,
        reason,
        status,
        is_charge_refundable: type === 'inquiry',
        charge: { disputed: true },
        payment_intent: { id: intent },
        payment_method_details: {
          card: { brand: 'visa', case_type: type, network_reason_code: code },
        },
        evidence: { customer_email_address: 'ada@example.com', receipt: null },
        evidence_details: { has_evidence: false, submission_count: 0 },
      });
      expect(await movementsOf(found?.id ?? '')).toEqual(moved);
      expect(found?.balance_transactions).toMatchObject(moved);
    },
  );

  it('[O-142] createIssuerFraudRecord warns, until the payment is refunded', async () => {
    const intent = await pay('createIssuerFraudRecord');
    await advance(60_000);
    const list = (): Promise<Stripe.Radar.EarlyFraudWarning[]> =>
      stripe.radar.earlyFraudWarnings
        .list({ payment_intent: intent, expand: ['data.charge'] })
        .then(({ data }) => data);
    await expect.poll(list).toHaveLength(1);
    const [warning] = await list();
    const required = readRequiredFields('Radar/EarlyFraudWarnings', 'EarlyFraudWarning');
    expect(Object.keys(warning ?? {})).toEqual(expect.arrayContaining(required));
    expect(warning).toMatchObject({
      object: 'radar.early_fraud_warning',
      actionable: true,
      fraud_type: 'made_with_stolen_card',
      charge: { payment_intent: intent },
    });
    await stripe.refunds.create({ payment_intent: intent });
    const closed = await stripe.radar.earlyFraudWarnings.retrieve(warning?.id ?? '');
    expect(closed.actionable).toBe(false);
    const type = 'radar.early_fraud_warning.updated';
    expect((await stripe.events.list({ type })).data).toHaveLength(1);
    const error = await fails(stripe.radar.earlyFraudWarnings.retrieve('issfr_none'));
    expect(error).toMatchObject({ statusCode: 404, code: 'resource_missing' });
  });
});

describe('a chargeback', () => {
  it('is won by winning evidence: the money comes back and the fee stays', async () => {
    const id = await dispute();
    const before = await fails(
      stripe.refunds.create({ charge: readId((await stripe.disputes.retrieve(id)).charge) }),
    );
    expect(before).toMatchObject({ statusCode: 400, code: 'charge_disputed' });
    const sent = await stripe.disputes.update(id, {
      evidence: { uncategorized_text: 'winning_evidence' },
    });
    expect(sent).toMatchObject({
      status: 'under_review',
      evidence_details: { has_evidence: true, submission_count: 1, submission_method: 'manual' },
    });
    await advance(5000);
    const won = await becomes(id, 'won');
    expect(won.is_charge_refundable).toBe(true);
    expect(won.balance_transactions).toMatchObject([withdrawn, reinstated]);
    expect(await disputeEvents()).toEqual([
      'created',
      'funds_withdrawn',
      'updated',
      'funds_reinstated',
      'closed',
    ]);
  });

  it('is lost by losing evidence, and no money moves again', async () => {
    const id = await dispute();
    await stripe.disputes.update(id, { evidence: { uncategorized_text: 'losing_evidence' } });
    await advance(5000);
    const lost = await becomes(id, 'lost');
    expect(lost.balance_transactions).toMatchObject([withdrawn]);
    const late = await fails(stripe.disputes.update(id, { evidence: { receipt: '' } }));
    expect(late.message).toContain('already closed');
    expect((await fails(stripe.disputes.close(id))).message).toContain('already closed');
  });

  it('is lost when it is accepted, or not answered by its date', async () => {
    const accepted = await stripe.disputes.close(await dispute());
    expect(accepted.status).toBe('lost');
    const id = await dispute();
    const { due_by } = (await stripe.disputes.retrieve(id)).evidence_details;
    const { now_ms } = await sandbox.control('GET', 'state');
    await advance((due_by ?? 0) * 1000 - Number(now_ms) - 1000);
    expect((await stripe.disputes.retrieve(id)).status).toBe('needs_response');
    await advance(1000);
    const lost = await becomes(id, 'lost');
    expect(lost.evidence_details).toMatchObject({ past_due: true, submission_count: 0 });
  });

  it('keeps other evidence under review until the bank decides', async () => {
    const id = await dispute();
    await stripe.disputes.update(id, { evidence: { product_description: 'Tokens' } });
    await advance(30 * dayMs);
    expect((await stripe.disputes.retrieve(id)).status).toBe('under_review');
    const again = await fails(stripe.disputes.update(id, { evidence: { customer_name: 'Ada' } }));
    expect(again.message).toContain('submitted already');
    expect(await decide(id, 'won')).toMatchObject({ status: 'won' });
    await expect(decide(id, 'won')).rejects.toThrow('is won.');
  });

  it('takes and returns the fees that the control sets', async () => {
    await sandbox.control('POST', 'disputes/fees', {
      opened: 2000,
      countered: 1500,
      returned: 1500,
    });
    const id = await dispute({ amount: 500 });
    await stripe.disputes.update(id, { evidence: { uncategorized_text: 'winning_evidence' } });
    await advance(5000);
    const won = await becomes(id, 'won');
    expect(won.balance_transactions.map(({ net }) => net)).toEqual([-2500, 2000]);
    expect(await movementsOf(id)).toMatchObject([
      { reporting_category: 'dispute_reversal', amount: 500, fee: -1500 },
      { type: 'stripe_fee', reporting_category: 'fee', amount: -1500, fee: 0 },
      { reporting_category: 'dispute', amount: -500, fee: 2000 },
    ]);
  });

  it('returns pending refunds of its charge', async () => {
    const intent = await pay('pendingRefund');
    const refund = await stripe.refunds.create({ payment_intent: intent, amount: 300 });
    const opened = await sandbox.control('POST', 'disputes/open', { payment_intent: intent });
    expect(opened).toMatchObject({ amount: 810 });
    expect(await stripe.refunds.retrieve(refund.id)).toMatchObject({
      status: 'failed',
      failure_reason: 'charge_for_pending_refund_disputed',
    });
  });

  it('changes its end by appeal, in both directions', async () => {
    const id = await dispute();
    await decide(id, 'lost');
    expect(await decide(id, 'reopened')).toMatchObject({ status: 'appeal_needs_response' });
    const appealed = await stripe.disputes.update(id, {
      evidence: {
        uncategorized_text: 'winning_evidence',
        appeal: { card: { reason_for_filing: 'The cardholder confirmed the payment.' } },
      },
    });
    expect(appealed.status).toBe('appeal_under_review');
    await advance(5000);
    await becomes(id, 'won');
    const insisted = await decide(id, 'reopened');
    expect(insisted).toMatchObject({
      status: 'needs_response',
      balance_transactions: [{ amount: -1110 }, { amount: 1110 }, { amount: -1110 }],
    });
    expect(await decide(id, 'lost')).toMatchObject({ status: 'lost' });
    expect(await decide(id, 'won')).toMatchObject({ status: 'won' });
    expect(await movementsOf(id)).toEqual([reinstated, withdrawn, reinstated, withdrawn]);
  });
});

describe('an inquiry', () => {
  it('moves no money, allows a refund, and ends with a refund in full', async () => {
    const id = await dispute({ kind: 'inquiry' });
    const found = await stripe.disputes.retrieve(id);
    expect(found.balance_transactions).toEqual([]);
    const close = await fails(stripe.disputes.close(id));
    expect(close.message).toContain('cannot be closed');
    await expect(decide(id, 'lost')).rejects.toThrow('is warning_needs_response.');
    await stripe.refunds.create({ charge: readId(found.charge), amount: 110 });
    expect((await stripe.disputes.retrieve(id)).status).toBe('warning_needs_response');
    await stripe.refunds.create({ charge: readId(found.charge) });
    expect((await stripe.disputes.retrieve(id)).status).toBe('warning_closed');
    await expect(decide(id, 'escalated')).rejects.toThrow('refunded in full.');
    expect(await movementsOf(id)).toEqual([]);
  });

  it('becomes a chargeback over what is left, by its evidence or by the control', async () => {
    const id = await dispute({ kind: 'inquiry' });
    const { charge } = await stripe.disputes.retrieve(id);
    await stripe.refunds.create({ charge: readId(charge), amount: 110 });
    const evidence = { uncategorized_text: 'escalate_inquiry_evidence' };
    const sent = await stripe.disputes.update(id, { evidence });
    expect(sent.status).toBe('warning_under_review');
    await advance(5000);
    const escalated = await becomes(id, 'needs_response');
    expect(escalated).toMatchObject({
      amount: 1000,
      is_charge_refundable: false,
      balance_transactions: [{ amount: -1000, fee: 1500 }],
      payment_method_details: { card: { case_type: 'chargeback', network_reason_code: '10.4' } },
    });
    const other = await dispute({ kind: 'inquiry' });
    expect(await decide(other, 'escalated')).toMatchObject({ status: 'needs_response' });
    await expect(decide(other, 'escalated')).rejects.toThrow('is needs_response.');
  });

  it.each(['winning_evidence', 'losing_evidence'])('is closed by %s', async (text) => {
    const id = await dispute({ kind: 'inquiry' });
    await stripe.disputes.update(id, { evidence: { uncategorized_text: text } });
    await advance(5000);
    expect((await becomes(id, 'warning_closed')).is_charge_refundable).toBe(true);
  });

  it('stays open past its date, and closes by itself after 120 days', async () => {
    const id = await dispute({ kind: 'inquiry' });
    await advance(11 * dayMs);
    await expect
      .poll(async () => (await stripe.disputes.retrieve(id)).evidence_details.past_due)
      .toBe(true);
    expect((await stripe.disputes.retrieve(id)).status).toBe('warning_needs_response');
    await advance(110 * dayMs);
    await becomes(id, 'warning_closed');
  });
});

describe('evidence', () => {
  it('is staged without submit, and sent as staged', async () => {
    const id = await dispute();
    const staged = await stripe.disputes.update(id, {
      evidence: { customer_name: 'Ada', product_description: 'Tokens' },
      submit: false,
    });
    expect(staged).toMatchObject({
      status: 'needs_response',
      evidence: { customer_name: 'Ada' },
      evidence_details: { has_evidence: true, submission_count: 0 },
    });
    const noted = await stripe.disputes.update(id, { metadata: { case: 'c1' } });
    expect(noted).toMatchObject({ status: 'needs_response', metadata: { case: 'c1' } });
    const sent = await stripe.disputes.update(id, {
      evidence: { customer_name: '' },
      submit: true,
    });
    expect(sent).toMatchObject({
      status: 'under_review',
      evidence: { customer_name: null, product_description: 'Tokens' },
    });
  });

  it('has 150,000 characters in all, in any script', async () => {
    const id = await dispute();
    const half = 'ü'.repeat(74_990);
    const staged = await stripe.disputes.update(id, {
      evidence: { access_activity_log: half, uncategorized_text: '値'.repeat(74_990) },
      submit: false,
    });
    expect(staged.evidence.access_activity_log).toBe(half);
    const more = { evidence: { product_description: 'x'.repeat(21) }, submit: false };
    const error = await fails(stripe.disputes.update(id, more));
    expect(error).toMatchObject({ statusCode: 400, param: 'evidence' });
    expect((await stripe.disputes.retrieve(id)).evidence.product_description).toBeNull();
    const huge = { evidence: { uncategorized_text: 'x'.repeat(3_000_000) } };
    expect((await fails(stripe.disputes.update(id, huge))).statusCode).toBe(413);
  });

  it.each([
    [{ evidence: { receipt: 'file_none' } }, 'resource_missing', 'evidence[receipt]'],
    [{ evidence: { confession: 'x' } }, 'parameter_unknown', 'evidence[confession]'],
    [{ evidence: { receipt: ['file_1'] } }, undefined, 'evidence[receipt]'],
    [{ submit: 'perhaps' }, undefined, 'submit'],
    [{ status: 'won' }, 'parameter_unknown', 'status'],
  ])('refuses %j', async (params: object, code, param) => {
    const id = await dispute();
    const error = await fails(stripe.disputes.update(id, params));
    expect(error).toMatchObject({ statusCode: 400, code, param });
    expect((await stripe.disputes.retrieve(id)).status).toBe('needs_response');
  });

  it('of an unknown dispute is refused', async () => {
    for (const call of [
      stripe.disputes.retrieve('du_none'),
      stripe.disputes.update('du_none', { submit: true }),
      stripe.disputes.close('../charges'),
    ]) {
      expect((await fails(call)).statusCode).toBe(404);
    }
  });

  it('is sent once among twenty requests at once', async () => {
    await sandbox.control('POST', 'disputes/fees', { countered: 1500 });
    const id = await dispute();
    const evidence = { uncategorized_text: 'x' };
    const calls = Array.from({ length: 20 }, () => stripe.disputes.update(id, { evidence }));
    const outcomes = await Promise.allSettled(calls);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await stripe.disputes.retrieve(id)).evidence_details.submission_count).toBe(1);
    expect(await movementsOf(id)).toHaveLength(2);
  });
});

describe('the controls', () => {
  it('prevent a dispute, and set a status that nobody knows', async () => {
    const prevented = await dispute({ kind: 'prevented' });
    expect(await stripe.disputes.retrieve(prevented)).toMatchObject({
      status: 'prevented',
      balance_transactions: [],
      evidence_details: { due_by: null },
      payment_method_details: { card: { case_type: 'block' } },
    });
    await expect(decide(prevented, 'won')).rejects.toThrow('is prevented.');
    const id = await dispute();
    const status = 'arbitration_pending';
    await sandbox.control('POST', 'disputes/status', { dispute: id, status });
    expect((await stripe.disputes.retrieve(id)).status).toBe(status);
    expect((await disputeEvents()).at(-1)).toBe('updated');
    expect(await decide(id, 'won')).toMatchObject({ status: 'won' });
  });

  it.each([
    ['disputes/open', { charge: 'ch_none' }],
    ['disputes/open', { charge: 'ch_none', kind: 'quarrel' }],
    ['disputes/decide', { dispute: 'du_none' }],
    ['disputes/decide', { outcome: 'drawn' }],
    ['disputes/status', { status: 'Won!' }],
    ['disputes/fees', { opened: -1 }],
    ['warnings', { fraud_type: 'rumour' }],
    ['warnings', {}],
  ])('refuse %s with %j', async (path, body) => {
    await expect(sandbox.control('POST', path, body)).rejects.toThrow(/\.$/);
  });

  it('open a dispute of a part, and none of more than the charge', async () => {
    const payment_intent = await pay();
    const open = (amount: number): Promise<unknown> =>
      sandbox.control('POST', 'disputes/open', { payment_intent, amount });
    await expect(open(1111)).rejects.toThrow('amount is not a whole number from 1 to 1110.');
    await expect(open(500)).resolves.toMatchObject({ amount: 500 });
  });
});
