import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createOffer } from '../../../test/build-catalog.ts';
import { createStaff, createVenue, purchaseCode } from '../../../test/build-redemption.ts';
import { publishTestRate } from '../../../test/card-purchase.ts';
import { consoleAs, type ConsoleCaller } from '../../../test/console.ts';
import { expectBooksBalance } from '../../../test/expect-books-balance.ts';
import { ath, balanceOf, buy, myPurchases, refusalOf, twenty } from '../../../test/shop.ts';
import { createTestApp, type TestApp, type TestUser } from '../../../test/test-app.ts';

const REASON = 'The wrong guest was scanned';
const MINUTE_MS = 60_000;

let test: TestApp;
let support: ConsoleCaller;
let owner: ConsoleCaller;
beforeAll(async () => {
  test = await createTestApp();
  await publishTestRate(test, '0.1683');
});
beforeEach(async () => {
  support = await consoleAs(test, ['support']);
  owner = await consoleAs(test, ['provider_owner']);
});
afterEach(() => expectBooksBalance(test.deps.config.databaseUrl));
afterAll(() => test.close());

type Staff = Awaited<ReturnType<typeof createStaff>>;

const atScanner = (user: TestUser, action: 'scan' | 'redeem', payload: string, key?: string) =>
  test.request({
    method: 'POST',
    url: `/api/scanner/${action}`,
    user,
    payload: { payload },
    ...(action === 'redeem' && { key: key ?? randomUUID() }),
  });

interface Redeemed {
  readonly ada: TestUser;
  readonly staff: Staff;
  readonly purchaseId: number;
  readonly itemIds: readonly number[];
  readonly redemptionId: number;
  readonly code: string;
}

async function redemptionOf(itemId: number | undefined): Promise<number> {
  const row = await test.deps.db
    .selectFrom('purchase_items')
    .select('redemption_id')
    .where('id', '=', BigInt(itemId ?? 0))
    .executeTakeFirstOrThrow();
  return Number(row.redemption_id);
}

/** Buys items of 10 ATH and redeems them. */
async function redeemed(count = 1, staff?: Staff): Promise<Redeemed> {
  const ada = await test.createUser({ balance: ath(200) });
  const at = staff ?? (await createStaff(test));
  const offer = await createOffer(test, { stock_left: 100 });
  await buy(test, ada, [[offer.id, count]]);
  const bought: { id: number; purchase_id: number }[] = (await myPurchases(test, ada)).body
    .purchases;
  const itemIds = bought.map(({ id }) => id);
  const code = purchaseCode(test, ada, itemIds);
  const { body } = await atScanner(at, 'redeem', code);
  expect(body.redeemed_count).toBe(count);
  const redemptionId = await redemptionOf(itemIds[0]);
  return { ada, staff: at, purchaseId: bought[0]?.purchase_id ?? 0, itemIds, redemptionId, code };
}

interface Asked {
  readonly by?: ConsoleCaller;
  readonly key?: string;
  readonly itemIds?: readonly number[];
}

const reverse = (
  { redemptionId, itemIds }: Pick<Redeemed, 'redemptionId' | 'itemIds'>,
  { by = support, key = randomUUID(), itemIds: some = itemIds }: Asked = {},
) =>
  by.call('reverseRedemption', {
    params: { id: redemptionId },
    body: { item_ids: [...some], reason: REASON },
    key,
  });

/** Creates a code with a later time than any earlier one. */
function newCode(user: TestUser, itemIds: readonly number[]): string {
  test.clock.advance(1);
  return purchaseCode(test, user, itemIds);
}

const stateOfItems = async ({ staff, ada, itemIds }: Redeemed): Promise<string[]> => {
  const { body } = await atScanner(staff, 'scan', newCode(ada, itemIds));
  return body.items.map(({ state }: { state: string }) => state);
};

const reversalsOf = ({ redemptionId }: Redeemed) =>
  test.deps.db
    .selectFrom('redemption_reversals as reversal')
    .innerJoin('approvals as act', 'act.id', 'reversal.approval_id')
    .select(['reversal.item_id', 'act.requested_by', 'act.reason'])
    .where('reversal.redemption_id', '=', BigInt(redemptionId))
    .execute();

describe('the reversal of a redemption', () => {
  it('[O-100] makes an item redeemable again, once, and keeps the scan with who undid it and why', async () => {
    const done = await redeemed(2);
    const [one, two] = done.itemIds;
    const answer = await reverse(done, { itemIds: [one ?? 0] });
    expect([answer.status, answer.body]).toEqual([200, { outcome: 'done' }]);
    expect(await stateOfItems(done)).toEqual(['redeemable', 'already_redeemed']);
    expect(await reversalsOf(done)).toEqual([
      { item_id: BigInt(one ?? 0), requested_by: support.staffId, reason: REASON },
    ]);
    const scan = await test.deps.db
      .selectFrom('scans')
      .select(['outcome', 'redeemed_count'])
      .where('user_id', '=', done.staff.userId)
      .where('action', '=', 'redeem')
      .executeTakeFirst();
    expect(scan).toEqual({ outcome: 'ok', redeemed_count: 2 });
    const again = await reverse(done, { itemIds: [one ?? 0] });
    expect(refusalOf(again)).toEqual({ status: 409, code: 'not_reversible' });
    // A reversal is all or nothing.
    expect(refusalOf(await reverse(done))).toEqual({ status: 409, code: 'not_reversible' });
    expect((await reverse(done, { itemIds: [two ?? 0] })).status).toBe(200);
  });

  it('shows the buyer an item that can be redeemed, whose next redemption is another one', async () => {
    const done = await redeemed();
    await reverse(done);
    const { body } = await myPurchases(test, done.ada);
    expect(body.purchases[0]).toMatchObject({ id: done.itemIds[0], redeemed_at: null });
    const content = newCode(done.ada, done.itemIds);
    const { t, d } = JSON.parse(content) as { t: string; d: unknown };
    const signed = await test.request({
      method: 'POST',
      url: '/api/account/sign',
      user: done.ada,
      payload: { data: JSON.stringify({ t, d }) },
    });
    expect(signed.status).toBe(200);
    const next = await atScanner(done.staff, 'redeem', content);
    expect(next.body.results[0].outcome).toBe('redeemed');
    const redemptionId = await redemptionOf(done.itemIds[0]);
    expect(redemptionId).not.toBe(done.redemptionId);
    expect(refusalOf(await reverse(done)).code).toBe('not_reversible');
    expect((await reverse({ ...done, redemptionId })).body).toEqual({ outcome: 'done' });
  });

  it('lets the code that redeemed work once more only as long as any code does', async () => {
    const done = await redeemed();
    await reverse(done);
    const other = await createStaff(test, done.staff.venues);
    expect(refusalOf(await atScanner(other, 'redeem', done.code)).code).toBe('code_replayed');
    const again = await atScanner(done.staff, 'redeem', done.code);
    expect(again.body.results[0].outcome).toBe('redeemed');
    await reverse({ ...done, redemptionId: await redemptionOf(done.itemIds[0]) });
    test.clock.advance(2 * MINUTE_MS);
    expect(refusalOf(await atScanner(done.staff, 'redeem', done.code)).code).toBe('code_expired');
  });

  it('answers the key of the redemption as it did then', async () => {
    const done = await redeemed();
    await reverse(done);
    const key = randomUUID();
    const code = newCode(done.ada, done.itemIds);
    const first = await atScanner(done.staff, 'redeem', code, key);
    await reverse({ ...done, redemptionId: await redemptionOf(done.itemIds[0]) });
    expect((await atScanner(done.staff, 'redeem', code, key)).text).toBe(first.text);
    expect(await stateOfItems(done)).toEqual(['redeemable']);
  });

  it('moves no value', async () => {
    const done = await redeemed(3);
    await reverse(done);
    expect(await balanceOf(test, done.ada)).toBe(ath(170).toString());
  });

  it('is refused for refunded, foreign and unknown items, and for a closed account', async () => {
    const [done, foreign] = [await redeemed(2), await redeemed()];
    const ids = [done.itemIds[0] ?? 0, foreign.itemIds[0] ?? 0];
    expect(refusalOf(await reverse(done, { itemIds: ids })).code).toBe('not_reversible');
    expect(refusalOf(await reverse({ ...done, redemptionId: 999_999 })).code).toBe('not_found');
    expect(refusalOf(await reverse(done, { itemIds: [999_999] })).code).toBe('not_found');
    const twice = [done.itemIds[0] ?? 0, done.itemIds[0] ?? 0];
    expect(refusalOf(await reverse(done, { itemIds: twice })).code).toBe('invalid_request');
    // Items that are reversed and then refunded, which needs a vote, can neither be reversed nor redeemed.
    await reverse(done);
    const refund = await support.call('refundPurchase', {
      params: { id: done.purchaseId },
      body: {
        lines: [{ line: 0, item_count: 2 }],
        is_stock_returned: true,
        reason: REASON,
      },
    });
    expect(refund.body).toMatchObject({ outcome: 'requested' });
    const vote = await owner.call('approveRequest', { params: { id: refund.body.approval_id } });
    expect(vote.body.state).toBe('executed');
    expect(refusalOf(await reverse(done)).code).toBe('not_reversible');
    expect(await stateOfItems(done)).toEqual(['voided', 'voided']);
    await test.deps.db
      .updateTable('users')
      .set({ closed_at: new Date(), email: null, password_hash: null })
      .where('id', '=', foreign.ada.userId)
      .execute();
    expect(refusalOf(await reverse(foreign)).code).toBe('not_found');
  });

  it('concerns nobody who asks for it', async () => {
    const done = await redeemed();
    const self = await consoleAs(test, ['support'], { walletUuid: done.ada.uuid });
    expect(refusalOf(await reverse(done, { by: self })).code).toBe('own_account');
  });
});

async function reverseByVote(done: Redeemed, itemIds: readonly number[]): Promise<void> {
  const { body } = await reverse(done, { itemIds });
  expect(body).toMatchObject({ outcome: 'requested' });
  const vote = await owner.call('approveRequest', { params: { id: body.approval_id } });
  expect(vote.body.state).toBe('executed');
}

describe('a reversal under its policy', () => {
  it('waits for a vote above 100 ATH of one customer in 30 days, however it is parted', async () => {
    const done = await redeemed(11);
    const [last = 0, ...most] = done.itemIds;
    const half = most.slice(0, 5);
    expect((await reverse(done, { itemIds: half })).body).toMatchObject({ outcome: 'done' });
    expect((await reverse(done, { itemIds: most.slice(5) })).body).toMatchObject({
      outcome: 'done',
    });
    const other = await consoleAs(test, ['support']);
    const more = await reverse(done, { itemIds: [last], by: other });
    expect(more.body).toMatchObject({ outcome: 'requested' });
    expect((await reverse(await redeemed())).body).toMatchObject({ outcome: 'done' });
  });

  it('above 100 ATH waits for a vote, which fails if it was redeemed anew meanwhile', async () => {
    const done = await redeemed(11);
    const { body } = await reverse(done);
    expect(body).toMatchObject({ outcome: 'requested' });
    expect(await stateOfItems(done)).not.toContain('redeemable');
    await reverseByVote(done, done.itemIds.slice(0, 1));
    const late = await owner.call('approveRequest', { params: { id: body.approval_id } });
    expect(late.body.state).toBe('failed');
    const rest = done.itemIds.slice(1);
    const asked = await consoleAs(test, ['scanner_lead']);
    await reverseByVote(done, rest);
    await atScanner(done.staff, 'redeem', newCode(done.ada, done.itemIds));
    const anew = { ...done, redemptionId: await redemptionOf(done.itemIds[0]) };
    const second = await reverse(anew, { by: asked });
    expect(second.body).toMatchObject({ outcome: 'requested' });
    const vote = await owner.call('approveRequest', { params: { id: second.body.approval_id } });
    expect(vote.body.state).toBe('executed');
    expect(new Set(await stateOfItems(done))).toEqual(new Set(['redeemable']));
  });

  it('is done at once by a lead only within 30 minutes, and at all only at venues of theirs', async () => {
    const [here, there] = [await createVenue(test), await createVenue(test)];
    const [atHere, atThere] = [await createStaff(test, [here]), await createStaff(test, [there])];
    const bound = async () => {
      const lead = await consoleAs(test, ['scanner_lead']);
      const { staffId } = lead;
      await test.deps.db
        .insertInto('staff_venues')
        .values({ staff_id: staffId, venue_id: here.id })
        .execute();
      return lead;
    };
    const [lead, unbound] = [await bound(), await consoleAs(test, ['scanner_lead'])];
    const foreign = await redeemed(1, atThere);
    expect((await reverse(await redeemed(1, atHere), { by: lead })).body).toMatchObject({
      outcome: 'done',
    });
    expect(refusalOf(await reverse(foreign, { by: lead })).code).toBe('not_found');
    const hidden = await lead.call('redemption', { params: { id: foreign.redemptionId } });
    expect(refusalOf(hidden).code).toBe('not_found');
    const asked = { query: { venue_id: there.id } };
    expect((await lead.call('redemptions', asked)).body.items).toEqual([]);
    expect((await lead.call('redemptions', {})).body.items).toHaveLength(1);
    expect((await lead.call('venueNames', {})).body.items).toEqual([
      { id: here.id, name: here.name },
    ]);
    expect((await reverse(foreign, { by: unbound })).body).toMatchObject({ outcome: 'done' });
    const [late, later] = [await redeemed(1, atHere), await redeemed(1, atHere)];
    test.clock.advance(31 * MINUTE_MS);
    expect((await reverse(late, { by: await bound() })).body).toMatchObject({
      outcome: 'requested',
    });
    const supporter = await consoleAs(test, ['support']);
    expect((await reverse(later, { by: supporter })).body).toMatchObject({ outcome: 'done' });
  });
});

describe('reversals at once', () => {
  it('[O-100] of one redemption by twenty people reverse it once', async () => {
    const done = await redeemed();
    const people = await Promise.all(twentyTimes(() => consoleAs(test, ['support'])));
    const answers = await twenty((index) => reverse(done, { by: people[index] ?? support }));
    const won = answers.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    const lost = new Set(
      answers.filter(({ status }) => status !== 200).map(({ body }) => body.code),
    );
    expect([...lost]).toEqual(['not_reversible']);
    expect(await reversalsOf(done)).toHaveLength(1);
  });

  it('under one key answer once more without doing it again', async () => {
    const done = await redeemed();
    const key = randomUUID();
    const answers = await twenty(() => reverse(done, { key }));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers[0]?.body).toEqual({ outcome: 'done' });
    // Advances past the limit of calls of one person.
    test.clock.advance(MINUTE_MS);
    await atScanner(done.staff, 'redeem', newCode(done.ada, done.itemIds));
    expect((await reverse(done, { key })).body).toEqual({ outcome: 'done' });
    expect(await stateOfItems(done)).toEqual(['already_redeemed']);
    const otherBody = await reverse({ ...done, itemIds: [1] }, { key });
    expect(refusalOf(otherBody).code).toBe('idempotency_key_reused');
  });

  it('and scans of the same item leave it redeemed by one of them, or redeemable', async () => {
    const done = await redeemed();
    const scanners = await Promise.all(twentyTimes(() => createStaff(test, done.staff.venues)));
    const codes = scanners.map(() => newCode(done.ada, done.itemIds));
    const [undone, ...answers] = await Promise.all([
      reverse(done),
      ...scanners.map((user, index) => atScanner(user, 'redeem', codes[index] ?? '')),
    ]);
    expect(undone.status).toBe(200);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const outcomes: string[] = answers.map(({ body }) => body.results[0].outcome);
    const redeemedCount = outcomes.filter((outcome) => outcome === 'redeemed').length;
    expect(redeemedCount).toBeLessThanOrEqual(1);
    expect(outcomes.filter((outcome) => outcome === 'already_redeemed')).toHaveLength(
      20 - redeemedCount,
    );
    expect(await stateOfItems(done)).toEqual([
      redeemedCount === 1 ? 'already_redeemed' : 'redeemable',
    ]);
  });
});

/** Starts twenty promises one after the other. */
const twentyTimes = <T>(make: () => Promise<T>): Promise<T>[] => Array.from({ length: 20 }, make);

describe('a redemption whose facts change in every round', () => {
  it('ends with try_again, and the same key redeems later', async () => {
    const { admin } = test;
    const ada = await test.createUser({ balance: ath(20) });
    const staff = await createStaff(test);
    const offer = await createOffer(test);
    await buy(test, ada, [[offer.id, 1]]);
    const [item] = (await myPurchases(test, ada)).body.purchases as { id: number }[];
    const code = newCode(ada, [item?.id ?? 0]);
    const key = randomUUID();
    // Simulates facts that have always changed by the time the statement runs.
    await sql`create function keep_nothing() returns trigger language plpgsql as 'begin return null; end'`.execute(
      admin,
    );
    await sql`create trigger keep_nothing before insert on redemptions for each row execute function keep_nothing()`.execute(
      admin,
    );
    try {
      expect(refusalOf(await atScanner(staff, 'redeem', code, key))).toEqual({
        status: 503,
        code: 'try_again',
      });
    } finally {
      await sql`drop function keep_nothing cascade`.execute(admin);
    }
    expect((await atScanner(staff, 'redeem', code, key)).body.redeemed_count).toBe(1);
  });
});

describe('the list of redemptions', () => {
  it('is narrowed by venue, customer and time, and shows what was reversed, by whom and why', async () => {
    const [one, two] = [await redeemed(2), await redeemed()];
    await reverse(one, { itemIds: one.itemIds.slice(0, 1) });
    const lead = await consoleAs(test, ['scanner_lead']);
    const list = async (query: object) => {
      const { body } = await lead.call('redemptions', { query });
      return body as { items: { id: number }[]; next_cursor: string | null; looked_until: null };
    };
    const venueId = one.staff.venues[0]?.id ?? 0;
    const atVenue = await list({ venue_id: venueId });
    expect(atVenue.items).toMatchObject([
      { id: one.redemptionId, item_count: 2, reversed_count: 1, customer_uuid: one.ada.uuid },
    ]);
    expect([atVenue.next_cursor, atVenue.looked_until]).toEqual([null, null]);
    const oneByOne = await list({ limit: 1 });
    expect(oneByOne.items.map(({ id }) => id)).toEqual([two.redemptionId]);
    const next = await list({ limit: 1, cursor: oneByOne.next_cursor });
    expect(next.items.map(({ id }) => id)).toEqual([one.redemptionId]);
    const ofAda = await list({ customer_uuid: two.ada.uuid });
    expect(ofAda.items.map(({ id }) => id)).toEqual([two.redemptionId]);
    const from = new Date(test.clock.nowMs() + MINUTE_MS).toISOString();
    expect((await list({ from })).items).toEqual([]);
    const { body } = await lead.call('redemption', { params: { id: one.redemptionId } });
    expect(body.items).toMatchObject([
      { purchase_id: one.purchaseId, reversal: { by: { id: support.staffId }, reason: REASON } },
      { purchase_id: one.purchaseId, reversal: null },
    ]);
    const venues = await lead.call('venueNames', {});
    expect(venues.body.items).toContainEqual({ id: venueId, name: one.staff.venues[0]?.name });
    const finance = await consoleAs(test, ['finance']);
    expect(refusalOf(await finance.call('redemptions', {})).code).toBe('permission_missing');
  });
});
