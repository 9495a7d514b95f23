import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import {
  forgotPassword,
  makeJobsDue,
  mailsTo,
  openUser,
  PASSWORD,
  register,
  signIn,
} from '../../../../test/accounts.ts';
import { createOffer } from '../../../../test/build-catalog.ts';
import { createItems, createStaff, purchaseCode } from '../../../../test/build-redemption.ts';
import { expectBooksBalance } from '../../../../test/expect-books-balance.ts';
import { readJournal } from '../../../../test/raw-ledger.ts';
import { ath, buy, tip } from '../../../../test/shop.ts';
import { createTestApp, type TestApp, type TestUser } from '../../../../test/test-app.ts';
import { enqueueJob } from '../../../platform/jobs/enqueue.ts';
import type { Mail } from '../../../platform/mail/mailer.ts';

const NAME = 'Wilhelmina Abendroth';
const NOTE = 'Danke, dear Zebulon!';
const DAY_MS = 86_400_000;

let test: TestApp;
/** Errors thrown for the next mails. The mail server accepts mails once the list is empty. */
let mailFaults: Error[] = [];
const mails: Mail[] = [];
beforeAll(async () => {
  const mailer = {
    send: (mail: Mail) => {
      const fault = mailFaults.shift();
      if (fault !== undefined) return Promise.reject(fault);
      mails.push(mail);
      return Promise.resolve();
    },
    close: () => undefined,
  };
  test = await createTestApp({ standIns: { mailer } });
  Object.assign(test, { mails });
});
afterEach(async () => {
  mailFaults = [];
  vi.restoreAllMocks();
  await expectBooksBalance(test.deps.config.databaseUrl);
});
afterAll(() => test.close());

async function remove(user: TestUser): Promise<void> {
  const answer = await test.request({
    method: 'POST',
    url: '/api/account/delete',
    user,
    key: randomUUID(),
    payload: { password: PASSWORD },
  });
  expect(answer.body).toEqual({ success: true });
}

/** Every column of the database, including the queue's tables, that contains one of the texts as text, JSON or bytes. */
async function findText(...texts: string[]): Promise<string[]> {
  const { rows: columns } = await sql<{ place: string; column_name: string; data_type: string }>`
    select quote_ident(c.table_schema) || '.' || quote_ident(c.table_name) as place,
           quote_ident(c.column_name) as column_name, c.data_type
      from information_schema.columns c
      join information_schema.tables t using (table_schema, table_name)
     where t.table_type = 'BASE TABLE' and c.table_schema not in ('pg_catalog', 'information_schema')`.execute(
    test.deps.db,
  );
  expect(columns.length).toBeGreaterThan(150);
  const wanted = sql`${texts.map((text) => `%${text}%`)}::text[]`;
  const looks = columns.map(({ place, column_name: column, data_type: type }) => {
    // Bytes that are not valid text are compared in their escaped form.
    const text = sql.raw(type === 'bytea' ? `encode(${column}, 'escape')` : `${column}::text`);
    return sql`select ${sql.lit(`${place}.${column}`)} as place
      where exists (select from ${sql.raw(place)} where ${text} ilike any (${wanted}))`;
  });
  const { rows } = await sql<{ place: string }>`${sql.join(looks, sql` union all `)}`.execute(
    test.deps.db,
  );
  return rows.map(({ place }) => place);
}

const countOf = async (table: string, column: string, userId: bigint): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${sql.table(table)} where ${sql.ref(column)} = ${userId}`.execute(
    test.deps.db,
  );
  return rows[0]?.count ?? -1;
};

/** The address for the last mail, which `findText` cannot find since it is sealed. */
const sealedAddressOf = async (userId: bigint): Promise<Buffer | null> => {
  const { mail_to: sealed } = await test.deps.db
    .selectFrom('account_closures')
    .select('mail_to')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return sealed;
};

it(
  '[D-107] [D-106] leaves no personal data anywhere in the database and the journal unchanged',
  { tags: 'long' },
  async () => {
    const user = await openUser(test, ath(50));
    const friend = await test.createUser();
    const artist = await test.createUser();
    const staff = await createStaff(test);
    const tipOffer = await createOffer(test, { kind: 3, beneficiary_user_id: artist.userId });
    const ownOffer = await createOffer(test, { kind: 3, beneficiary_user_id: user.userId });
    await tip(test, user, { amount: '2000000', offer_id: tipOffer.id, tip_from: NAME, note: NOTE });
    await buy(test, user, [[(await createOffer(test)).id, 2]]);
    const { itemIds } = await createItems(test, user);
    await test.request({
      method: 'POST',
      url: '/api/scanner/scan',
      user: staff,
      payload: { payload: purchaseCode(test, user, itemIds), venue_id: staff.venues[0]?.id },
    });
    await test.request({
      method: 'POST',
      url: '/api/account/transfer',
      user,
      key: randomUUID(),
      payload: { amount: '1000000', to_uuid: friend.uuid },
    });
    await signIn(test, user.email, PASSWORD, { headers: { 'x-device-id': 'a'.repeat(32) } });
    await signIn(test, user.email, 'Wrong-Password-1');
    await test.request({
      method: 'PUT',
      url: '/api/account/update_password',
      user,
      key: randomUUID(),
      payload: { old_password: PASSWORD, password: `${PASSWORD}x` },
    });
    await test.request({
      method: 'PUT',
      url: '/api/account/update_password',
      user,
      key: randomUUID(),
      payload: { old_password: `${PASSWORD}x`, password: PASSWORD },
    });
    await forgotPassword(test, user.email);
    await register(test, user.email);
    await test.runJobs();
    // Before the erasure, the search finds the address.
    expect((await findText(user.email)).toSorted()).toEqual([
      'public.sign_ups.email',
      'public.users.email',
    ]);
    expect((await findText(NAME, NOTE)).toSorted()).toEqual([
      'public.tips.note',
      'public.tips.tip_from',
    ]);
    expect(await countOf('scans', 'holder_user_id', user.userId)).toBe(1);
    const journal = await readJournal(test.deps.db);

    await remove(user);
    // Until the last mail is sent, the address is stored with the closure, sealed, and nowhere else.
    expect(await sealedAddressOf(user.userId)).toBeInstanceOf(Buffer);
    expect(await findText(user.email)).toEqual([]);
    await test.runJobs();

    expect(mailsTo(test, user.email).filter(({ subject }) => /deleted/.test(subject))).toHaveLength(
      1,
    );
    expect(await sealedAddressOf(user.userId)).toBeNull();
    expect(await findText(user.email, user.email.split('@')[0] ?? '', NAME, NOTE)).toEqual([]);
    for (const table of [
      'sessions',
      'known_devices',
      'password_changes',
      'link_codes',
      'totp_secrets',
      'recovery_codes',
      'sign_in_challenges',
    ]) {
      expect(await countOf(table, 'user_id', user.userId), table).toBe(0);
    }
    for (const table of ['card_quotes', 'card_declines']) {
      expect(await countOf(table, 'user_id', user.userId), table).toBe(0);
    }
    expect(await countOf('scans', 'holder_user_id', user.userId)).toBe(0);
    const { rows: jobs } = await sql`select 1 from graphile_worker._private_jobs
    where payload ->> 'userId' = ${user.userId.toString()}`.execute(test.deps.db);
    expect(jobs).toEqual([]);

    const after = await readJournal(test.deps.db);
    expect(after.slice(0, journal.length)).toEqual(journal);
    expect(after).toHaveLength(journal.length + 1);
    const withdrawn = await test.deps.db
      .selectFrom('offers')
      .select('active')
      .where('id', '=', ownOffer.id)
      .executeTakeFirst();
    expect(withdrawn).toEqual({ active: false });

    const historyOf = async (reader: TestUser) =>
      (await test.request({ method: 'GET', url: '/api/all_history', user: reader })).body.history;
    expect(await historyOf(friend)).toEqual([
      expect.objectContaining({
        type: 'Receive',
        data: expect.objectContaining({ amount: '1000000', counterparty: user.uuid }),
      }),
    ]);
    expect(await historyOf(artist)).toEqual([
      expect.objectContaining({
        type: 'Receive',
        data: expect.objectContaining({
          amount: '2000000',
          counterparty: null,
          tip_from: '',
          note: '',
        }),
      }),
    ]);
  },
);

it("deletes declined cards and the provider's messages about them, and keeps the order", async () => {
  const user = await openUser(test, ath(50));
  const { db } = test.deps;
  const now = new Date(test.clock.nowMs());
  const id = randomUUID();
  await db
    .insertInto('card_orders')
    .values({
      id,
      user_id: user.userId,
      state: 'canceled',
      amount_micro_ath: 1_000_000n,
      usd_per_ath: '0.1683',
      price_usd_cents: 1000n,
      product_fee_usd_cents: 50n,
      processing_fee_usd_cents: 60n,
      total_usd_cents: 1110n,
      intent_id: `pi_${id}`,
      error_message: `${NAME}'s card was declined`,
      created_at: now,
      expires_at: now,
      closed_at: now,
    })
    .execute();
  const own = { user_id: user.userId, order_id: id };
  await db
    .insertInto('card_quotes')
    .values({ ...own, key: randomUUID(), body_hash: Buffer.alloc(32), created_at: now })
    .execute();
  await db
    .insertInto('card_declines')
    .values({ ...own, charge_id: `ch_${id}`, declined_at: now })
    .execute();
  await remove(user);
  await test.runJobs();
  expect(await findText(NAME, `ch_${id}`)).toEqual([]);
  expect(await countOf('card_quotes', 'user_id', user.userId)).toBe(0);
  expect(await countOf('card_orders', 'user_id', user.userId)).toBe(1);
});

it('an erasure that fails erases nothing and is retried', async () => {
  const user = await openUser(test, ath(50));
  await remove(user);
  await sql`create function refuse() returns trigger language plpgsql as
    $$ begin raise exception 'out of order'; end $$`.execute(test.admin);
  await sql`create trigger refuse before update on venue_staff for each statement execute function refuse()`.execute(
    test.admin,
  );
  await test.runJobs();
  expect(await countOf('sessions', 'user_id', user.userId)).toBe(1);
  await sql`drop trigger refuse on venue_staff`.execute(test.admin);
  await sql`drop function refuse`.execute(test.admin);
  await makeJobsDue(test);
  await test.runJobs();
  expect(await countOf('sessions', 'user_id', user.userId)).toBe(0);
});

it('an erasure whose job has failed for good is enqueued again within an hour', async () => {
  const user = await openUser(test, ath(50));
  await remove(user);
  await sql`delete from graphile_worker._private_jobs`.execute(test.deps.db);
  const finish = async (laterMs: number) => {
    const nowMs = test.clock.nowMs() + laterMs;
    vi.spyOn(test.clock, 'nowMs').mockReturnValue(nowMs);
    await enqueueJob(test.deps.db, 'auth_finish_deletions', {});
    await test.runJobs();
    vi.restoreAllMocks();
  };
  await finish(0);
  expect(await countOf('sessions', 'user_id', user.userId)).toBe(1);
  await finish(3_600_000);
  expect(await countOf('sessions', 'user_id', user.userId)).toBe(0);
  // The mail was lost with the queue, so its address must not stay stored for it.
  expect(await sealedAddressOf(user.userId)).toBeInstanceOf(Buffer);
  await finish(3 * DAY_MS);
  expect(await sealedAddressOf(user.userId)).toBeNull();
});

it('a mail server outage delays the last mail but not the erasure', async () => {
  const user = await openUser(test, ath(50));
  mailFaults = [new Error('the mail server is away')];
  await remove(user);
  await test.runJobs();
  expect(await countOf('sessions', 'user_id', user.userId)).toBe(0);
  const deletedMails = () =>
    mailsTo(test, user.email).filter(({ subject }) => /deleted/.test(subject));
  expect(deletedMails()).toHaveLength(0);
  await makeJobsDue(test);
  await test.runJobs();
  expect(deletedMails()).toHaveLength(1);
  expect(await findText(user.email)).toEqual([]);
});
