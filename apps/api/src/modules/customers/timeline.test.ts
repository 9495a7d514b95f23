/** The events of a customer, and the acts of staff for them. */
import { legal } from '@athos/brand/legal';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConsoleQueryOf } from '@athos/contract/console/calls';
import { TIMELINE_KINDS, type TimelineEntry } from '@athos/contract/console/customers';
import { uuidv7 } from '@athos/domain/uuid';
import { mailsTo, register } from '../../../test/accounts.ts';
import { createOffer } from '../../../test/build-catalog.ts';
import { createVenue } from '../../../test/build-redemption.ts';
import { consoleAs, type ConsoleCaller } from '../../../test/console.ts';
import { ath, buy } from '../../../test/shop.ts';
import { createTestApp, type TestApp, type TestUser } from '../../../test/test-app.ts';
import { customers } from './index.ts';

let test: TestApp;
let support: ConsoleCaller;
beforeAll(async () => {
  test = await createTestApp();
  support = await consoleAs(test, ['support']);
});
afterAll(() => test.close());

async function send(from: TestUser, to: TestUser): Promise<void> {
  const { status } = await test.request({
    method: 'POST',
    url: '/api/account/transfer',
    user: from,
    key: randomUUID(),
    payload: { to_uuid: to.uuid, amount: '1000000' },
  });
  expect(status).toBe(200);
}

/** A card payment that was tried and canceled. */
async function addCanceledPayment({ userId }: TestUser): Promise<void> {
  const { db, ledger, clock } = test.deps;
  const at = new Date(clock.nowMs());
  await db.transaction().execute(async (tx) => {
    await tx
      .insertInto('card_orders')
      .values({
        id: uuidv7(clock.nowMs(), (bytes) => crypto.getRandomValues(bytes)),
        user_id: userId,
        state: 'canceled',
        amount_micro_ath: 1_000_000n,
        usd_per_ath: '0.1683',
        price_usd_cents: 17n,
        product_fee_usd_cents: 1n,
        processing_fee_usd_cents: 31n,
        total_usd_cents: 49n,
        was_attempted: true,
        history_id: await ledger.drawTransferId(tx),
        created_at: at,
        expires_at: at,
        closed_at: at,
      } as never)
      .execute();
  });
}

async function addScan({ userId }: TestUser): Promise<void> {
  const { id } = await createVenue(test);
  await test.deps.db
    .insertInto('scans')
    .values({
      user_id: userId,
      holder_user_id: userId,
      venue_id: id,
      at: new Date(test.clock.nowMs()),
      action: 'scan',
      outcome: 'ok',
      titles: ['=cmd|x', '<script>'],
    } as never)
    .execute();
}

type Query = ConsoleQueryOf<'customerTimeline'>;
/** Each call is made by a different person, because calls are limited per person. */
const page = async (user: TestUser, query: Query = {}) =>
  (await consoleAs(test, ['auditor'])).call('customerTimeline', {
    params: { uuid: user.uuid },
    query,
  });

const keysOf = (items: readonly TimelineEntry[]): string[] =>
  items.map(({ kind, id }) => `${kind} ${id}`);

describe('the timeline', () => {
  let ada: TestUser;
  let ben: TestUser;
  const SCRIPT = '<script>alert(1)</script> ${7*7} =1+1';
  beforeAll(async () => {
    ada = await test.createUser({ balance: ath(100) });
    ben = await test.createUser({ balance: ath(100) });
    const offer = await createOffer(test, { price_ath_hundredths: 100 });
    await send(ben, ada);
    expect((await buy(test, ada, [[offer.id, 1]])).status).toBe(200);
    await addCanceledPayment(ada);
    await addScan(ada);
    const payload = { version: legal.terms.version };
    await test.request({ method: 'POST', url: '/api/account/terms', user: ada, payload });
    const params = { uuid: ada.uuid };
    expect((await support.call('addNote', { params, body: { text: SCRIPT } })).status).toBe(200);
    const body = { template: 'reset' as const };
    expect((await support.call('sendCustomerMail', { params, body })).status).toBe(200);
    await test.runJobs();
    await send(ada, ben);
  });

  it('[O-069] merges movements, sign-ins, payments, purchases, scans, accepted terms, mails, notes and acts of staff, newest first', async () => {
    const { body } = await page(ada);
    const items = body.items as TimelineEntry[];
    expect(items.map(({ kind }) => kind).toSorted()).toEqual(
      // A note and a mail by staff, and the customer's initial credit.
      [...TIMELINE_KINDS, 'staff', 'movement', 'movement'].toSorted(),
    );
    expect([items[0]?.kind, items.at(-1)?.kind]).toEqual(['movement', 'sign_in']);
    expect(body.next_cursor).toBeNull();
    const times = items.map(({ at }) => at);
    expect(times).toEqual(times.toSorted().toReversed());
    const note = items.find(({ kind }) => kind === 'note');
    const { staffId: id, name } = support;
    expect(note?.data).toEqual({ text: SCRIPT, staff: { id, name } });
    const purchase = items.find(({ kind }) => kind === 'purchase');
    const { body: purchases } = await support.call('purchases', {
      query: { customer_uuid: ada.uuid },
    });
    const object = { type: 'purchase', id: String(purchases.items[0].id) };
    expect(purchase).toMatchObject({ object });
  });

  it('pages without gaps or duplicates while movements are added', async () => {
    const { body: whole } = await page(ada);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const { body } = await page(ada, { limit: 3, cursor });
      seen.push(...keysOf(body.items));
      cursor = body.next_cursor ?? undefined;
      await send(ben, ada);
    } while (cursor !== undefined);
    expect(seen).toEqual(keysOf(whole.items));
  });

  it.each(TIMELINE_KINDS)('shows only %s', async (kind) => {
    const { body: whole } = await page(ada);
    const expected = (whole.items as TimelineEntry[]).filter((entry) => entry.kind === kind);
    const seen: TimelineEntry[] = [];
    let cursor: string | undefined;
    do {
      const { body } = await page(ada, { kind, limit: 1, cursor });
      seen.push(...body.items);
      cursor = body.next_cursor ?? undefined;
    } while (cursor !== undefined);
    expect(expected.length).toBeGreaterThan(0);
    expect(keysOf(seen)).toEqual(keysOf(expected));
  });

  it('refuses the cursor of another customer', async () => {
    const { body } = await page(ada, { limit: 1 });
    const { status, body: refusal } = await page(ben, { limit: 1, cursor: body.next_cursor });
    expect([status, refusal.code]).toEqual([400, 'invalid_cursor']);
  });
});

describe('staff', () => {
  it('[O-079] end every session of a customer at once', async () => {
    const user = await test.createUser();
    const second = await test.deps.sessions.open(test.deps.db, {
      userId: user.userId,
      userUuid: user.uuid,
    });
    const params = { uuid: user.uuid };
    const body = { reason: 'the telephone was stolen' };
    expect((await support.call('endCustomerSessions', { params, body })).status).toBe(200);
    for (const token of [user.token, second]) {
      const signedIn = { ...user, token };
      const { status } = await test.request({
        method: 'GET',
        url: '/api/account/balance',
        user: signedIn,
      });
      expect(status).toBe(401);
    }
    expect((await support.call('customer', { params })).body.sessions).toEqual([]);
  });

  it('cannot act on their own wallet', async () => {
    const user = await test.createUser();
    const own = await consoleAs(test, ['support'], { walletUuid: user.uuid });
    const params = { uuid: user.uuid };
    for (const answer of [
      await own.call('addNote', { params, body: { text: 'a fine person' } }),
      await own.call('endCustomerSessions', { params, body: { reason: 'to see what happens' } }),
      await own.call('sendCustomerMail', { params, body: { template: 'reset' } }),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([403, 'own_account']);
    }
  });

  it('can send the verification mail of an unfinished sign-up again, and receipts of the customer’s own orders only', async () => {
    const email = `late-${randomUUID()}@athos.example`;
    await register(test, email);
    await test.runJobs();
    test.clock.advance(61_000);
    const sent = await support.call('sendVerificationMail', { body: { email } });
    expect(sent.status).toBe(200);
    await test.runJobs();
    expect(mailsTo(test, email)).toHaveLength(2);
    const unknown = { email: 'nobody@athos.example' };
    expect((await support.call('sendVerificationMail', { body: unknown })).status).toBe(404);
    const user = await test.createUser();
    const body = { template: 'receipt' as const, order_id: randomUUID() };
    const foreign = await support.call('sendCustomerMail', { params: { uuid: user.uuid }, body });
    expect(foreign.status).toBe(404);
  });

  it('write notes that are erased with the customer and leave no text in the audit', async () => {
    const user = await test.createUser();
    const body = { text: 'called twice about a lost ticket' };
    await support.call('addNote', { params: { uuid: user.uuid }, body });
    const owner = await consoleAs(test, ['provider_owner']);
    const { body: list } = await owner.call('auditEntries', {
      query: { subject_id: user.uuid, action: 'customer.note' },
    });
    const entry = await owner.call('auditEntry', { params: { id: list.items[0].id } });
    expect(entry.text).not.toContain('lost ticket');
    const { db } = test.deps;
    await db.transaction().execute((tx) => customers.eraseUser(tx, user.userId));
    const { body: after } = await page(user, { kind: 'note' });
    expect(after.items).toEqual([]);
    const emptied = await owner.call('auditEntry', { params: { id: list.items[0].id } });
    expect(emptied.body).toMatchObject({ is_emptied: true, after: null });
  });
});
