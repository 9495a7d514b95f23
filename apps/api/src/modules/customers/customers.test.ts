/** Searching, listing and opening customers, and the data that each call shows. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConsoleQueryOf } from '@athos/contract/console/calls';
import { microAth } from '@athos/domain/money';
import { uuidv7 } from '@athos/domain/uuid';
import { createOffer } from '../../../test/build-catalog.ts';
import { consoleAs, type ConsoleCaller } from '../../../test/console.ts';
import { expectBooksBalance } from '../../../test/expect-books-balance.ts';
import { createTestApp, stopClock, type TestApp, type TestUser } from '../../../test/test-app.ts';
import { systemAccountId, TransferKind, userAccountId } from '../../ledger/index.ts';

let test: TestApp;
let support: ConsoleCaller;
let auditor: ConsoleCaller;
beforeAll(async () => {
  test = await createTestApp();
  support = await consoleAs(test, ['support']);
  auditor = await consoleAs(test, ['auditor']);
});
afterAll(() => test.close());

/** Searches are limited per second. */
function freshSeconds(): () => void {
  const advance = stopClock(test);
  return () => advance(1_000);
}

type Query = ConsoleQueryOf<'customers'>;
const list = async (caller: ConsoleCaller, query: Query) => caller.call('customers', { query });
const uuidsOf = ({ body }: { body: { items: { uuid: string }[] } }): string[] =>
  body.items.map(({ uuid }) => uuid);

async function searched(caller: ConsoleCaller, q: string): Promise<string[]> {
  const answer = await list(caller, { q });
  expect(answer.status).toBe(200);
  return uuidsOf(answer);
}

describe('a search', () => {
  let ada: TestUser;
  beforeAll(async () => {
    ada = await test.createUser({ email: 'ada.lovelace_100%@athos.example' });
    await test.createUser({ email: 'adalbert@athos.example' });
    await test.createUser({ email: 'ada.lovelaceX100X@athos.example'.toLowerCase() });
  });

  it('[O-068] finds a customer by the beginning of the e-mail address', async () => {
    const next = freshSeconds();
    expect(await searched(support, 'ADA.lovelace_')).toEqual([ada.uuid]);
    next();
    expect((await searched(support, 'ada')).length).toBe(3);
    expect(await searched(support, ada.email)).toEqual([ada.uuid]);
  });

  it('treats % and _ literally', async () => {
    const next = freshSeconds();
    next();
    expect(await searched(support, 'ada.lovelace_1')).toEqual([ada.uuid]);
    expect(await searched(support, '%')).toEqual([]);
    expect(await searched(support, '_da')).toEqual([]);
    expect(await searched(support, '100%')).toEqual([ada.uuid]);
    next();
    expect(await searched(support, String.raw`ada\.`)).toEqual([]);
  });

  it('finds four letters anywhere before the @, and never in the domain', async () => {
    const next = freshSeconds();
    next();
    expect(await searched(support, 'elace_10')).toEqual([ada.uuid]);
    expect(await searched(support, 'athos')).toEqual([]);
  });

  it('finds a uuid, the beginning of one, and both sides of a movement', async () => {
    const next = freshSeconds();
    next();
    expect(await searched(support, ada.uuid.toUpperCase())).toEqual([ada.uuid]);
    expect(await searched(support, ada.uuid.slice(0, 11))).toContain(ada.uuid);
    const ben = await test.createUser({ balance: microAth(5_000_000n) });
    const sent = await test.deps.ledger.transfer({
      debitAccountId: userAccountId(ben.userId, 'ATH'),
      creditAccountId: userAccountId(ada.userId, 'ATH'),
      amountUnits: microAth(1_000_000n),
      kind: TransferKind.Send,
      key: randomUUID(),
    });
    if (sent.outcome !== 'done') throw new Error(sent.outcome);
    const found = await searched(support, sent.transferId.toString());
    expect(found.toSorted()).toEqual([ada.uuid, ben.uuid].toSorted());
  });

  it.each([
    ["'; drop table users; --", 200],
    ['a\u0000b', 400],
    ['𝒜'.repeat(120), 200],
    ['9'.repeat(18), 200],
    ['xxxx', 200],
    ['----', 200],
    ['a'.repeat(255), 400],
    [' ', 400],
  ])('survives %j', async (q, status) => {
    const next = freshSeconds();
    next();
    const answer = await list(support, { q });
    expect([answer.status, answer.body.items ?? []]).toEqual([status, []]);
  });

  it('does not reveal a masked address letter by letter', async () => {
    const next = freshSeconds();
    next();
    expect(await searched(auditor, 'ada.lovelace_')).toEqual([]);
    expect(await searched(auditor, 'lovelace')).toEqual([]);
    expect(await searched(auditor, ada.email)).toEqual([ada.uuid]);
  });

  it('is refused above five a second', async () => {
    freshSeconds()();
    const answers = await Promise.all(Array.from({ length: 6 }, () => list(support, { q: 'ada' })));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200, 200, 200, 200, 200, 429,
    ]);
  });
});

describe('the e-mail address', () => {
  it('[O-036] is masked everywhere, and shown by an audited call to staff with customers.contact', async () => {
    freshSeconds()();
    const user = await test.createUser({ email: `masked-${randomUUID()}@athos.example` });
    const params = { uuid: user.uuid };
    for (const caller of [auditor, support]) {
      const { text } = await list(caller, {});
      expect(text).not.toContain(user.email);
      const opened = await caller.call('customer', { params });
      expect(opened.body.email).toBe('m•••@a•••.example');
      expect(opened.text).not.toContain(user.email);
    }
    const refused = await auditor.call('customerContact', { params });
    expect([refused.status, refused.body.permission]).toEqual([403, 'customers.contact']);
    expect((await support.call('customerContact', { params })).body.email).toBe(user.email);
    const owner = await consoleAs(test, ['provider_owner']);
    const { body } = await owner.call('auditEntries', {
      query: { subject_type: 'customer', subject_id: user.uuid },
    });
    expect(
      body.items.map((entry: { action: string; staff: { id: string } }) => [
        entry.action,
        entry.staff.id,
      ]),
    ).toEqual([
      ['customer.contact', support.staffId],
      ['customer.open', support.staffId],
      ['customer.open', auditor.staffId],
    ]);
  });
});

describe('the list', () => {
  it('[O-045] pages without gaps or duplicates while customers are added', async () => {
    const next = freshSeconds();
    const users: TestUser[] = [];
    for (let index = 0; index < 7; index++) users.push(await test.createUser());
    const from = (
      await test.deps.db
        .selectFrom('users')
        .select('created_at')
        .where('id', '=', users[0]?.userId ?? 0n)
        .executeTakeFirstOrThrow()
    ).created_at.toISOString();
    for (const sort of ['newest', 'oldest'] as const) {
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        next();
        const { body } = await list(support, { sort, limit: 2, from, cursor });
        seen.push(...uuidsOf({ body }));
        cursor = body.next_cursor ?? undefined;
        if (sort === 'newest') await test.createUser();
      } while (cursor !== undefined);
      const own = users.map(({ uuid }) => uuid);
      const expected = sort === 'newest' ? own.toReversed() : own;
      expect(seen.filter((uuid) => own.includes(uuid))).toEqual(expected);
      expect(new Set(seen).size).toBe(seen.length);
    }
  });

  it('[O-046] refuses a cursor of other filters or another sort, and a tampered one', async () => {
    const next = freshSeconds();
    next();
    const { body } = await list(support, { limit: 1 });
    const cursor: string = body.next_cursor;
    for (const query of [
      { cursor, sort: 'oldest' as const },
      { cursor, state: 'open' as const },
      { cursor, q: 'ada' },
      { cursor: `X${cursor.slice(1)}` },
    ]) {
      const answer = await list(support, query);
      expect([answer.status, answer.body.code]).toEqual([400, 'invalid_cursor']);
      next();
    }
  });
});

describe('one customer', () => {
  it('[O-070] is shown with a negative balance as such', async () => {
    freshSeconds()();
    const user = await test.createUser({ balance: microAth(3_000_000n) });
    const { ledger, db } = test.deps;
    await db.transaction().execute((tx) =>
      ledger.clawBackInTx(tx, [
        {
          debitAccountId: userAccountId(user.userId, 'ATH'),
          creditAccountId: systemAccountId('issuance', 'ATH'),
          amountUnits: microAth(5_000_000n),
          kind: TransferKind.Adjustment,
          key: randomUUID(),
          line: 0,
        },
      ]),
    );
    const { body } = await support.call('customer', { params: { uuid: user.uuid } });
    expect(body).toMatchObject({
      balances: { ATH: '-2000000', ATH2: '0', ATH3: '0' },
      owed: ['ATH'],
      state: 'open',
      is_own: false,
    });
    expect(body.sessions).toHaveLength(1);
    await expectBooksBalance(test.deps.config.databaseUrl);
  });

  it('is not found for an unknown uuid', async () => {
    freshSeconds()();
    for (const name of ['customer', 'customerContact', 'customerTimeline'] as const) {
      const { status } = await support.call(name, { params: { uuid: randomUUID() } });
      expect(status).toBe(404);
    }
  });
});

describe('the palette', () => {
  it("[O-067] finds an order by the provider's id, and shows only what the person may read", async () => {
    const next = freshSeconds();
    next();
    const user = await test.createUser();
    const id = uuidv7(test.clock.nowMs(), (bytes) => crypto.getRandomValues(bytes));
    const intentId = `pi_${randomUUID()}`;
    const at = new Date(test.clock.nowMs());
    await test.deps.db
      .insertInto('card_orders')
      .values({
        id,
        user_id: user.userId,
        state: 'open',
        intent_id: intentId,
        amount_micro_ath: 1_000_000n,
        usd_per_ath: '0.1683',
        price_usd_cents: 17n,
        product_fee_usd_cents: 1n,
        processing_fee_usd_cents: 31n,
        total_usd_cents: 49n,
        created_at: at,
        expires_at: at,
      } as never)
      .execute();
    const order = { id, provider_id: intentId, state: 'open', customer_uuid: user.uuid };
    for (const q of [intentId, id]) {
      const { body } = await support.call('search', { query: { q } });
      expect(body).toMatchObject({ orders: [order], customers: [{ uuid: user.uuid }], offers: [] });
      expect(body.transfers).toBeUndefined();
    }
    const editor = await consoleAs(test, ['catalogue_editor']);
    const offer = await createOffer(test, { title: 'Ice cream 100%' });
    const { body } = await editor.call('search', { query: { q: 'cream 100%' } });
    expect(body).toEqual({ offers: [{ id: offer.id, title: offer.title }] });
    // An offer found by its id comes before those whose title contains the id.
    const other = await createOffer(test, { title: `A ${offer.id} for two` });
    const byId = await editor.call('search', { query: { q: `${offer.id}` } });
    expect(byId.body.offers.map(({ id }: { id: number }) => id)).toEqual([offer.id, other.id]);
  });
});

// Runs last, because its 10,000 customers stay in the database.
describe('a long list', () => {
  it('[O-047] counts exactly up to 10,000 rows', async () => {
    const next = freshSeconds();
    next();
    const { db } = test.deps;
    const before = (await list(auditor, {})).body.count;
    const { count } = await db
      .selectFrom('users')
      .select(({ fn }) => fn.countAll<bigint>().as('count'))
      .executeTakeFirstOrThrow();
    expect(before).toEqual({ value: Number(count), is_at_least: false });
    const wanted = 10_001n - count;
    await sql`
      insert into users (email, password_hash) select 'many-' || n || '@athos.example', 'none'
        from generate_series(1, ${wanted}::bigint) n`.execute(db);
    next();
    const after = (await list(auditor, {})).body.count;
    expect(after).toMatchObject({ value: 10_000, is_at_least: true });
  });
});
