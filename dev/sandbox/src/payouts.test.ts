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
const daySeconds = 86_400;

/** Pays 11.10 USD, of which 10.48 are left. Returns the charge's id. */
async function pay(card = 'bypassPending'): Promise<string> {
  const intent = await stripe.paymentIntents.create({
    amount: 1110,
    currency: 'usd',
    capture_method: 'automatic',
    confirm: true,
    payment_method: `pm_card_${card}`,
  });
  return readId(intent.latest_charge);
}

async function advance(byMs: number): Promise<void> {
  await sandbox.control('POST', 'clock', { advance_ms: byMs });
}

async function payOut(): Promise<Stripe.Payout[]> {
  const { payouts } = await sandbox.control('POST', 'payouts');
  return payouts as Stripe.Payout[];
}

async function end(payout: string, outcome: string): Promise<Record<string, unknown>> {
  return sandbox.control('POST', 'payouts/end', { payout, outcome });
}

async function payoutEvents(): Promise<string[]> {
  const { data } = await stripe.events.list({ limit: 100 });
  const types = data.map(({ type }) => type).filter((type) => type.startsWith('payout.'));
  return types.reverse();
}

describe('payouts', () => {
  it('[O-142] happen at midnight, arrive a day later, and name their movements', async () => {
    const charge = await pay();
    const pending = await pay('visa');
    await advance(dayMs);
    await expect.poll(async () => (await stripe.payouts.list()).data).toHaveLength(1);
    const [payout] = (await stripe.payouts.list({ expand: ['data.balance_transaction'] })).data;
    const required = readRequiredFields('Payouts', 'Payout');
    expect(required.length).toBeGreaterThanOrEqual(25);
    expect(Object.keys(payout ?? {})).toEqual(expect.arrayContaining(required));
    expect(payout).toMatchObject({
      amount: 1048,
      automatic: true,
      status: 'in_transit',
      reconciliation_status: 'in_progress',
      balance_transaction: { type: 'payout', amount: -1048, source: payout?.id },
    });
    expect((payout?.arrival_date ?? 1) % daySeconds).toBe(0);
    const { data } = await stripe.balanceTransactions.list({ payout: payout?.id ?? '' });
    expect(data.map(({ source }) => source)).toEqual([payout?.id, charge]);
    expect((await stripe.balance.retrieve()).available).toMatchObject([{ amount: 0 }]);
    await advance(dayMs);
    const read = (): Promise<Stripe.Payout> => stripe.payouts.retrieve(payout?.id ?? '');
    await expect.poll(async () => (await read()).status).toBe('paid');
    expect((await read()).reconciliation_status).toBe('completed');
    expect((await payoutEvents()).slice(0, 1)).toEqual(['payout.created']);
    expect(await payoutEvents()).toEqual(
      expect.arrayContaining(['payout.paid', 'payout.reconciliation_completed']),
    );
    const expanded = await stripe.balanceTransactions.list({
      source: pending,
      expand: ['data.source'],
    });
    expect(expanded.data[0]?.source).toMatchObject({ object: 'charge', id: pending });
  });

  it('go on after a restart, once a day', async () => {
    sandbox = await sandbox.restart();
    stripe = sandbox.stripe;
    expect(await sandbox.control('GET', 'state')).toMatchObject({ timers: { pay_out: 1 } });
    await pay();
    await advance(dayMs);
    await expect.poll(async () => (await stripe.payouts.list()).data).toHaveLength(1);
    await advance(dayMs);
    await expect
      .poll(async () => (await stripe.payouts.list({ status: 'paid' })).data)
      .toHaveLength(1);
    expect((await stripe.payouts.list()).data).toHaveLength(1);
  });

  it('come back when they fail, even after they were paid, and go out again', async () => {
    await pay();
    const [first] = await payOut();
    expect(await payOut()).toEqual([]);
    expect(await end(first?.id ?? '', 'paid')).toMatchObject({ status: 'paid' });
    expect(await end(first?.id ?? '', 'failed')).toMatchObject({
      status: 'failed',
      failure_code: 'account_closed',
      failure_balance_transaction: expect.stringMatching(/^txn_/),
    });
    await expect(end(first?.id ?? '', 'paid')).rejects.toThrow('is failed.');
    const [second] = await payOut();
    expect(second?.amount).toBe(1048);
    const movements = await stripe.balanceTransactions.list({ payout: second?.id ?? '' });
    expect(movements.data.map(({ type }) => type)).toEqual(['payout', 'payout_failure']);
    expect((await payoutEvents()).at(-2)).toBe('payout.failed');
  });

  it('wait until refunds and disputes are earned back', async () => {
    const charge = await pay();
    await sandbox.control('POST', 'disputes/open', { charge });
    expect(await payOut()).toEqual([]);
    for (let count = 0; count < 2; count += 1) await pay();
    const [payout] = await payOut();
    expect(payout?.amount).toBe(3 * 1048 - 1110 - 1500);
  });

  it('are refused where they are unknown', async () => {
    const missing = { statusCode: 404, code: 'resource_missing' };
    expect(await fails(stripe.payouts.retrieve('po_none'))).toMatchObject(missing);
    const list = stripe.balanceTransactions.list({ payout: 'po_none' });
    expect(await fails(Promise.resolve(list))).toMatchObject({ ...missing, param: 'payout' });
    await expect(end('po_none', 'paid')).rejects.toThrow('No payout po_none.');
  });
});

describe('balance transactions', () => {
  it('are listed by type, source and time', async () => {
    const charge = await pay();
    const refund = await stripe.refunds.create({ charge, amount: 100 });
    const list = async (filter: Stripe.BalanceTransactionListParams): Promise<string[]> =>
      (await stripe.balanceTransactions.list(filter)).data.map(({ type }) => type);
    expect(await list({ type: 'refund' })).toEqual(['refund']);
    expect(await list({ source: refund.id })).toEqual(['refund']);
    expect(await list({ created: { lt: refund.created - 100 } })).toEqual([]);
    expect(await list({ created: { gte: refund.created - 100 } })).toEqual(['refund', 'charge']);
  });
});

const past = (more: object): object => ({
  amount: 1110,
  created: Math.floor(Date.now() / 1000) - 5 * daySeconds,
  ...more,
});

describe('import', () => {
  it('replays past payments with their movements and payouts, and reports nothing', async () => {
    const now = Math.floor(Number((await sandbox.control('GET', 'state'))['now_ms']) / 1000);
    const ago = (days: number): number => now - days * daySeconds;
    const answer = await sandbox.control('POST', 'import', {
      payouts: true,
      payments: [
        { amount: 1110, created: ago(30), metadata: { order_id: 'o1' } },
        { amount: 2220, created: ago(20), refunds: [{ amount: 220, created: ago(19) }] },
        {
          amount: 3330,
          created: ago(18),
          refunds: [{ created: ago(17), outcome: 'failed', ended: ago(16) }],
          disputes: [{ created: ago(12), outcome: 'won', ended: ago(5) }],
        },
        { amount: 4440, created: ago(9), disputes: [{ created: ago(3), kind: 'inquiry' }] },
        { amount: 5550, created: ago(8), warnings: [{ created: ago(2) }] },
        { amount: 6660, created: ago(7), card: 'chargeDeclined' },
        { amount: 7770, created: ago(1) },
      ],
    });
    const payments = answer['payments'] as { payment_intent: string; charge: string }[];
    expect((await stripe.events.list()).data).toEqual([]);
    const first = await stripe.paymentIntents.retrieve(payments[0]?.payment_intent ?? '', {
      expand: ['latest_charge.balance_transaction'],
    });
    expect(first).toMatchObject({
      created: ago(30),
      metadata: { order_id: 'o1' },
      status: 'succeeded',
      latest_charge: { created: ago(30), balance_transaction: { fee: 62, status: 'available' } },
    });
    const intents = await stripe.paymentIntents.list({ limit: 100 });
    expect(intents.data.map(({ amount }) => amount)).toEqual([
      7770, 6660, 5550, 4440, 3330, 2220, 1110,
    ]);
    const statuses = (await stripe.disputes.list()).data.map(({ status }) => status);
    expect(statuses).toEqual(['warning_needs_response', 'won']);
    expect((await stripe.radar.earlyFraudWarnings.list()).data).toMatchObject([
      { actionable: true, created: ago(2) },
    ]);
    const payouts = (await stripe.payouts.list({ limit: 100 })).data;
    expect(payouts.map(({ id }) => id).toReversed()).toEqual(answer['payouts']);
    expect(payouts.length).toBeGreaterThanOrEqual(5);
    expect(payouts.at(-1)).toMatchObject({ amount: 1048, status: 'paid' });
    const pendingCharge = await stripe.charges.retrieve(payments[6]?.charge ?? '', {
      expand: ['balance_transaction'],
    });
    expect(pendingCharge.balance_transaction).toMatchObject({ status: 'pending' });
  });

  it('gives objects the ids that the caller stored, once', async () => {
    const { now_ms } = await sandbox.control('GET', 'state');
    const created = Math.floor(Number(now_ms) / 1000) - 5 * daySeconds;
    const payment = {
      payment_intent: 'pi_past',
      charge: 'ch_past',
      transaction: 'txn_past',
      amount: 1110,
      created,
      refunds: [
        { id: 're_1', transaction: 'txn_re_1', created: created + 9, amount: 110 },
        {
          id: 're_2',
          transaction: 'txn_re_2',
          failure_transaction: 'txn_re_2f',
          created: created + 10,
          outcome: 'failed',
        },
      ],
      warnings: [{ id: 'issfr_past', created: created + 11 }],
      disputes: [
        {
          id: 'du_past',
          transactions: ['txn_du', 'txn_du_won'],
          created: created + 12,
          answered: created + 13,
          outcome: 'won',
        },
      ],
    };
    const ids = { payment_intent: 'pi_past', charge: 'ch_past' };
    const first = await sandbox.control('POST', 'import', { payments: [payment], payouts: true });
    expect(first['payments']).toMatchObject([{ ...ids, refunds: ['re_1', 're_2'] }]);
    const again = await sandbox.control('POST', 'import', { payments: [payment], payouts: true });
    expect(again).toEqual({ payments: [{ payment_intent: 'pi_past' }], payouts: [] });
    const intent = await stripe.paymentIntents.retrieve('pi_past', {
      expand: ['latest_charge.balance_transaction'],
    });
    expect(intent.client_secret).toMatch(/^pi_past_secret_/);
    expect(intent.latest_charge).toMatchObject({
      id: 'ch_past',
      balance_transaction: { id: 'txn_past', source: 'ch_past' },
    });
    const disputed = await stripe.disputes.retrieve('du_past');
    expect(disputed).toMatchObject({
      charge: 'ch_past',
      status: 'won',
      evidence_details: { submission_count: 1 },
      balance_transactions: [{ id: 'txn_du' }, { id: 'txn_du_won', source: 'du_past' }],
    });
    expect(await stripe.refunds.retrieve('re_2')).toMatchObject({
      status: 'failed',
      balance_transaction: 'txn_re_2',
      failure_balance_transaction: 'txn_re_2f',
    });
    expect(await stripe.radar.earlyFraudWarnings.retrieve('issfr_past')).toMatchObject({
      charge: 'ch_past',
      actionable: false,
    });
  });

  it.each([
    [{ payments: [past({ payment_intent: 'ch_1' })] }, 'begins with pi_.'],
    [{ payments: [past({ charge: "ch_1' or 1" })] }, 'begins with ch_.'],
    [{ payments: [past({ charge: 'ch_1' }), past({ charge: 'ch_1' })] }, 'ch_1 exists already.'],
    [{}, 'payments is empty.'],
    [{ payments: 'all' }, 'payments is not a list.'],
    [{ payments: [1] }, 'payments is not a list of objects.'],
    [{ payments: [{ amount: 1110 }] }, 'created is not a whole number'],
    [{ payments: [{ amount: 1110, created: 4e9 }] }, 'created is not a whole number'],
    [{ payments: Array.from({ length: 501 }, () => ({})) }, 'At most 500'],
  ])('refuses %j', async (body, text) => {
    await expect(sandbox.control('POST', 'import', body)).rejects.toThrow(text);
    expect((await stripe.paymentIntents.list()).data).toEqual([]);
  });
});
