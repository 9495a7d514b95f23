/** Card money in the console: lists, evidence, and unmatched money. */
import { EVIDENCE_FILE_FIELDS, type EvidenceFileField } from '@athos/contract/console/evidence';
import type { ConsoleAnswerOf, ConsoleQueryOf } from '@athos/contract/console/calls';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { beginOrder, payAndDeliver } from '../../../../test/card-purchase.ts';
import { refreshDispute } from '../../../../test/card-disputes.ts';
import { buyTokens, readRefund, refund, type PaidOrder } from '../../../../test/card-refund.ts';
import type { CardSandbox } from '../../../../test/card-sandbox.ts';
import { startCardsApp } from '../../../../test/cards-app.ts';
import { createStaffMember, signInStaff, type ConsoleCaller } from '../../../../test/console.ts';
import { expectBooksBalance } from '../../../../test/expect-books-balance.ts';
import { ath, refusalOf } from '../../../../test/shop.ts';
import type { TappedCardProvider } from '../../../../test/tapped-card-provider.ts';
import type { TestApp } from '../../../../test/test-app.ts';
import { AppError } from '../../../platform/errors.ts';

const DAY_MS = 24 * 60 * 60_000;
const DONE = { outcome: 'done' };
const PNG = Buffer.concat([
  Buffer.from('89504e470d0a1a0a', 'hex'),
  Buffer.from('the rest does not matter'),
]).toString('base64');

let sandbox: CardSandbox;
let app: TestApp;
let provider: TappedCardProvider;
let close: () => Promise<void>;
let finance: ConsoleCaller;

beforeAll(async () => {
  ({ app, sandbox, provider, close } = await startCardsApp({
    env: { RATE_MAX_AGE_SECONDS: '86400' },
  }));
  finance = await signInStaff(app, await createStaffMember(app, ['finance']));
});
afterAll(() => close());
// One person makes more calls here than the limit per second allows.
beforeEach(() => app.clock.advance(1_000));
afterEach(() => expectBooksBalance(app.deps.config.databaseUrl));

const look = (disputeId: string) => refreshDispute(app, disputeId);

/** Creates a disputed payment, with the dispute's id here and at the provider. */
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
  it(
    'tell what waits for a vote from what went back, and from what a bank took',
    { tags: 'long' },
    async () => {
      const [waiting, back] = [await buyTokens(app, sandbox), await buyTokens(app, sandbox)];
      await refund(app, waiting.id, { isApproved: false });
      await refund(app, back.id);
      const lost = await disputed();
      await sandbox.control('/disputes/decide', { dispute: lost.theirId, outcome: 'lost' });
      await look(lost.theirId);
      await app.runJobs();
      const whole = { returned_token_amount: '100000000' };
      const nothing = {
        refunding_token_amount: '0',
        charged_back_token_amount: '0',
        is_refund_under_way: false,
        is_charged_back: false,
      };
      const expected = [
        [
          waiting,
          { ...whole, ...nothing, refunding_token_amount: '100000000', is_refund_under_way: true },
        ],
        [back, { ...whole, ...nothing }],
        [
          lost.order,
          { ...whole, ...nothing, charged_back_token_amount: '100000000', is_charged_back: true },
        ],
      ] as const;
      for (const [order, shown] of expected) {
        const { body: one } = await finance.call('consolePayment', { params: { id: order.id } });
        expect(one).toMatchObject(shown);
        const { body: list } = await finance.call('consolePayments', { query: { q: order.id } });
        expect(list.items).toMatchObject([shown]);
      }
    },
  );

  it('are listed and shown with what followed them', { tags: 'long' }, async () => {
    const order = await buyTokens(app, sandbox);
    const { body: before } = await finance.call('refundable', { params: { id: order.id } });
    expect(before).toMatchObject({
      low_water_token_amount: '100000000',
      is_disputed: false,
      largest: { token_amount: '100000000', total_usd_cents: '1868', price_usd_cents: '1683' },
      largest_at_cost: { total_usd_cents: '1868' },
      asked: null,
    });
    const refundId = await refund(app, order.id);
    await app.runJobs();
    const { body: shown } = await finance.call('consolePayment', { params: { id: order.id } });
    expect(shown).toMatchObject({
      state: 'credited',
      card: { brand: 'visa', last_four: '4242' },
      price_usd_cents: '1683',
      received_usd_cents: '1868',
      returned_token_amount: '100000000',
      refunds: [{ id: refundId, state: 'succeeded', total_usd_cents: '1868' }],
      disputes: [],
    });
    expect(shown.events.map(({ type }: { type: string }) => type)).toContain(
      'payment_intent.succeeded',
    );
    expect(shown.bookings).toHaveLength(2);
    const { body: list } = await finance.call('consolePayments', {
      query: { customer_uuid: order.user.uuid, state: 'credited' },
    });
    expect(list.items).toMatchObject([{ id: order.id, customer_uuid: order.user.uuid }]);
    expect(list.count).toEqual({ value: 1, is_at_least: false });
    const { body: refunds } = await finance.call('consoleRefunds', { query: { limit: 1 } });
    expect(refunds.items).toMatchObject([{ id: refundId }]);
    expect((await finance.call('consoleRefund', { params: { id: refundId } })).body).toMatchObject({
      card: { last_four: '4242' },
      price_usd_cents: '1683',
      is_uncredited: false,
      requested_by: null,
    });
    const { body: after } = await finance.call('refundable', { params: { id: order.id } });
    expect(after).toMatchObject({ largest: null, largest_at_cost: null });
    const keys = [order.id, refundId].join(',');
    const { body: journal }: { body: ConsoleAnswerOf<'ledgerTransfers'> } = await finance.call(
      'ledgerTransfers',
      { query: { key: keys } },
    );
    expect(new Set(journal.items.map(({ object }) => object?.type))).toEqual(
      new Set(['card_order', 'card_refund']),
    );
  });

  it('are found by each id of ours and of the provider, by the card, and by time', async () => {
    await buyTokens(app, sandbox);
    const order = await buyTokens(app, sandbox, { card: 'mastercard' });
    const refundId = await refund(app, order.id);
    await app.runJobs();
    const { charge_id: chargeId, created_at: at } = (
      await finance.call('consolePayment', { params: { id: order.id } })
    ).body;
    const theirs = (await readRefund(app, refundId)).provider_refund_id;
    const find = async (query: ConsoleQueryOf<'consolePayments'>) =>
      (await finance.call('consolePayments', { query })).body.items.map(
        ({ id }: { id: string }) => id,
      );
    for (const q of [order.id, refundId, order.intentId, chargeId ?? '', theirs ?? '', '4444']) {
      expect(await find({ q }), q).toEqual([order.id]);
    }
    expect(await find({ q: 'pi_unknown' })).toEqual([]);
    expect(await find({ from: at, customer_uuid: order.user.uuid })).toEqual([order.id]);
    expect(await find({ to: at, customer_uuid: order.user.uuid })).toEqual([]);
    const { body: oldest } = await finance.call('consolePayments', {
      query: { sort: 'oldest', limit: 1 },
    });
    const rest = await find({ sort: 'oldest', limit: 100, cursor: oldest.next_cursor ?? '' });
    expect(rest).not.toContain(oldest.items[0]?.id);
    expect(rest.at(-1)).toBe(order.id);
    const refunds = async (q: string) =>
      (await finance.call('consoleRefunds', { query: { q } })).body.items.map(
        ({ id }: { id: string }) => id,
      );
    for (const q of [refundId, order.id, theirs ?? ''])
      expect(await refunds(q)).toEqual([refundId]);
  });

  it('show each card that was tried, as the provider knows it, or say that it cannot be asked', async () => {
    const buyer = await app.createUser();
    const order = await beginOrder(app, buyer, ath(100));
    const attempts = () => finance.call('paymentAttempts', { params: { id: order.id } });
    expect((await attempts()).body.items).toEqual([]);
    await sandbox.pay(order.secret, 'chargeDeclinedInsufficientFunds');
    await payAndDeliver(sandbox, order, 'authenticationRequired');
    const visa = { brand: 'visa', country: 'US', funding: 'credit' };
    expect((await attempts()).body.items).toMatchObject([
      { state: 'succeeded', failure: null, authentication: 'authenticated', card: visa },
      { state: 'failed', failure: { code: 'insufficient_funds' }, authentication: null },
    ]);
    provider.tap({ listAttempts: () => Promise.reject(new AppError('provider_unavailable')) });
    expect(refusalOf(await attempts()).status).toBe(503);
    provider.untap();
  });

  it('tell the money of a part, and why it is too little', async () => {
    const order = await buyTokens(app, sandbox);
    const ask = async (tokenAmount: string) =>
      (
        await finance.call('refundable', {
          params: { id: order.id },
          query: { token_amount: tokenAmount },
        })
      ).body.asked;
    expect(await ask('40000000')).toEqual({
      token_amount: '40000000',
      price_usd_cents: '674',
      product_fee_usd_cents: '33',
      processing_fee_usd_cents: '40',
      total_usd_cents: '747',
      fault: null,
    });
    expect((await ask('1000000'))?.fault).toBe('below_minimum');
    expect((await ask('96000000'))?.fault).toBe('leaves_too_little');
    expect(await ask('100000001')).toBeNull();
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
    const added = await finance.call('addEvidenceFile', { params: { id }, body: file });
    expect(added.body).toEqual({ version: version + 2 });
    const params = { id, field: 'receipt' } as const;
    expect((await finance.call('evidenceFile', { params })).body).toEqual({
      ...file,
      type: 'image/png',
    });
    await finance.prove();
    const submit = (seen = version + 2) =>
      finance.call('submitEvidence', { params: { id }, version: seen });
    const unseen = await submit(version + 1);
    expect(refusalOf(unseen).code).toBe('version_conflict');
    expect(unseen.body).toMatchObject({ present: { evidence: { uncategorized_text: text } } });
    expect((await submit()).body).toEqual({ version: version + 3 });
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
    const { body: shown } = await late.call('consoleDispute', { params: { id } });
    const submitted = await late.call('submitEvidence', {
      params: { id },
      version: shown.version,
    });
    expect(refusalOf(submitted)).toEqual({
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

  it('can be changed again after the provider refused a file', async () => {
    const { id } = await disputed();
    const file = { field: 'receipt', name: 'receipt.png', base64: PNG } as const;
    const added = await finance.call('addEvidenceFile', { params: { id }, body: file });
    provider.tap({
      uploadEvidence: () =>
        Promise.resolve({ outcome: 'refused', code: 'file_invalid', message: 'It is no picture.' }),
    });
    await finance.prove();
    const { version } = added.body;
    expect((await finance.call('submitEvidence', { params: { id }, version })).status).toBe(200);
    await app.runJobs();
    provider.untap();
    const { body: shown } = await finance.call('consoleDispute', { params: { id } });
    expect(shown).toMatchObject({
      evidence_state: 'refused',
      evidence_failure: 'file_invalid: receipt.png: It is no picture.',
    });
    expect((await finance.call('addEvidenceFile', { params: { id }, body: file })).status).toBe(
      200,
    );
  });

  it('has files of 4.5 MB together at most', async () => {
    const { id } = await disputed();
    const base64 = Buffer.concat([Buffer.from('%PDF-'), Buffer.alloc(980_000)]).toString('base64');
    const add = (field: EvidenceFileField) =>
      finance.call('addEvidenceFile', {
        params: { id },
        body: { field, name: 'policy.pdf', base64 },
      });
    const [last = 'receipt', ...others] = EVIDENCE_FILE_FIELDS.slice(0, 5);
    for (const field of others) expect((await add(field)).status).toBe(200);
    expect(refusalOf(await add(last)).code).toBe('body_too_large');
  });

  it('is not touched by whoever is the customer', async () => {
    const { id, order } = await disputed();
    const person = await createStaffMember(app, ['finance'], { walletUuid: order.user.uuid });
    const self = await signInStaff(app, person);
    const params = { id };
    const answers = [
      await self.call('saveEvidence', { params, version: 1, body: { evidence: {} } }),
      await self.call('submitEvidence', { params, version: 1 }),
      await self.call('acceptDispute', { params, body: { reason: 'The customer is right.' } }),
    ];
    for (const answer of answers) expect(refusalOf(answer).code).toBe('own_account');
  });

  it('is not needed to accept a dispute, which is lost then', async () => {
    const { id } = await disputed();
    await finance.prove();
    const body = { reason: 'The customer is right.' };
    expect((await finance.call('acceptDispute', { params: { id }, body })).body).toEqual(DONE);
    await app.runJobs();
    const { body: after } = await finance.call('consoleDispute', { params: { id } });
    expect(after).toMatchObject({
      status: 'lost',
      phase: 'lost',
      evidence_state: 'submitted',
      evidence_act: 'accept',
      awaits_evidence: false,
      payment: { token_amount: '100000000', total_usd_cents: '1868' },
    });
    const flows = after.journal.map(
      ({ kind, debit, credit }: Record<string, string | null>) =>
        `${kind} ${debit ?? 'customer'} ${credit}`,
    );
    // The amounts that the provider withdrew with its fee, and those that the loss moved on.
    for (const flow of [
      'chargeback disputed card_provider',
      'provider_fee dispute_fees card_provider',
      'chargeback customer dispute_hold',
      'chargeback dispute_hold issuance',
      'chargeback chargeback_loss disputed',
    ]) {
      expect(flows).toContain(flow);
    }
    const { body: transfer } = await finance.call('ledgerTransfer', {
      params: { id: after.journal[0].id },
    });
    expect(transfer.object).toEqual({ type: 'dispute', id });
  });
});

describe('the list of disputes', () => {
  it(
    'leads to those to answer by their due dates, page by page, and to all of them newest first',
    { tags: 'long' },
    async () => {
      const mine = [await disputed(), await disputed(), await disputed()];
      const [first, second, third] = mine.map(({ id }) => id);
      const days = new Map([
        [first, 9],
        [second, 2],
        [third, undefined],
      ]);
      for (const [id, day] of days) {
        await app.deps.db
          .updateTable('card_disputes')
          .set({ due_at: day === undefined ? null : new Date(app.clock.nowMs() + day * DAY_MS) })
          .where('id', '=', id ?? '')
          .execute();
      }
      const reader = await signInStaff(app, await createStaffMember(app, ['support']));
      const listed = async (query: object, limit = 100) => {
        const seen: string[] = [];
        for (let cursor: string | undefined; ;) {
          const { body } = await reader.call('consoleDisputes', {
            query: { ...query, limit, ...(cursor !== undefined && { cursor }) },
          });
          seen.push(...body.items.map(({ id }: { id: string }) => id));
          if (body.next_cursor === null) return seen.filter((id) => days.has(id));
          cursor = body.next_cursor;
        }
      };
      expect(await listed({ view: 'answer' }, 2)).toEqual([second, first, third]);
      await finance.prove();
      const body = { reason: 'The customer is right.' };
      await finance.call('acceptDispute', { params: { id: second ?? '' }, body });
      expect(await listed({ view: 'answer' })).toEqual([first, third]);
      expect(await listed({ view: 'undecided' })).toEqual([second, first, third]);
      expect(new Set(await listed({ view: 'all' }))).toEqual(new Set(days.keys()));
      const uuid = mine[0]?.order.user.uuid ?? '';
      expect(await listed({ customer_uuid: uuid })).toEqual([first]);
      await app.runJobs();
      expect(await listed({ view: 'undecided' })).toEqual([first, third]);
    },
  );
});

/** Separates a payment from its transaction, as if they had never been joined. */
async function unpair(orderId: string): Promise<void> {
  await app.deps.db
    .updateTable('card_transactions')
    .set({ booking_id: null })
    .where('booking_id', '=', orderId)
    .execute();
  await app.deps.db
    .updateTable('card_bookings')
    .set({ matched_at: null })
    .where('id', '=', orderId)
    .execute();
}

const transactionOf = async (orderId: string): Promise<string> =>
  (
    await app.deps.db
      .selectFrom('card_transactions')
      .select('id')
      .where('booking_id', '=', orderId)
      .executeTakeFirstOrThrow()
  ).id;

describe('money without a partner', () => {
  it('is joined by hand if the amounts agree, and explained otherwise', async () => {
    const order = await buyTokens(app, sandbox);
    const transactionId = await transactionOf(order.id);
    await unpair(order.id);
    const { body: days } = await finance.call('reconciliationDays');
    expect(days.items).toEqual([]);
    const body = { transaction_id: transactionId, booking_id: order.id };
    await finance.prove();
    expect((await finance.call('matchMoney', { body })).body).toEqual(DONE);
    expect(refusalOf(await finance.call('matchMoney', { body })).code).toBe('state_changed');
    await unpair(order.id);
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

describe('the erasure of a customer', () => {
  it('[O-161] empties the texts of staff about their payments, and what was explained stays so', async () => {
    const text = 'Wilhelmina wrote that she had paid twice.';
    const order = await buyTokens(app, sandbox);
    const transactionId = await transactionOf(order.id);
    const staff = await signInStaff(app, await createStaffMember(app, ['finance']));
    await staff.prove();
    const asked = await staff.call('refundPayment', {
      params: { id: order.id },
      body: { token_amount: ath(60).toString(), reason: text },
    });
    expect(asked.body).toEqual(DONE);
    await app.runJobs();
    await unpair(order.id);
    for (const one of [{ transaction_id: transactionId }, { booking_id: order.id }]) {
      const explained = await staff.call('explainMoney', { body: { ...one, explanation: text } });
      expect(explained.body).toEqual(DONE);
    }

    const support = await signInStaff(app, await createStaffMember(app, ['support']));
    const owner = await signInStaff(app, await createStaffMember(app, ['provider_owner']));
    await support.prove();
    await owner.prove();
    const { body: booking } = await staff.call('bookMoney', {
      body: { transaction_id: transactionId, account: 'suspense', reason: text },
    });
    const { approval_id: bookingId } = booking;
    const { body: known } = await owner.call('approval', { params: { id: bookingId } });
    expect(known.customer_uuid).toBe(order.user.uuid);
    await owner.call('rejectRequest', { params: { id: bookingId }, body: { reason: text } });
    const { body } = await support.call('eraseCustomer', {
      params: { uuid: order.user.uuid },
      body: { reason: text },
    });
    const vote = await owner.call('approveRequest', { params: { id: body.approval_id } });
    expect(vote.body.state).toBe('executed');
    await app.runJobs();
    const { rows } = await sql`
      select 'refund' as place from card_refunds where reason ilike '%wilhelmina%'
      union all select 'transaction' from card_transactions where explanation ilike '%wilhelmina%'
      union all select 'booking' from card_bookings where explanation ilike '%wilhelmina%'
      union all select 'audit' from audit_details where details ilike '%wilhelmina%'
      union all select 'request' from approvals where reason ilike '%wilhelmina%'
      union all select 'vote' from approval_votes where reason ilike '%wilhelmina%'
      union all select 'payload' from approvals where payload <> '' and customer_id = ${order.user.userId}`.execute(
      app.deps.db,
    );
    expect(rows).toEqual([]);
    // The request's payload is erased, and the request still counts as ended.
    const late = await owner.call('approveRequest', { params: { id: bookingId } });
    expect(refusalOf(late).code).toBe('request_ended');
    app.clock.advance(2 * 60 * 60_000);
    const again = await signInStaff(app, staff);
    const { body: unmatched } = await again.call('unmatchedMoney');
    const ids = [...unmatched.transactions, ...unmatched.bookings].map(({ id }) => id);
    expect(ids).not.toContain(transactionId);
    expect(ids).not.toContain(order.id);
  });
});
