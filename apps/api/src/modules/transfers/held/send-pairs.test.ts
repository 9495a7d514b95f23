import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { openUser, PASSWORD } from '../../../../test/accounts.ts';
import { expectBooksBalance } from '../../../../test/expect-books-balance.ts';
import { ath } from '../../../../test/shop.ts';
import {
  createTestApp,
  type TestAnswer,
  type TestApp,
  type TestUser,
} from '../../../../test/test-app.ts';
import { waitForLock } from '../../../../test/wait-for-lock.ts';
import { addImmediateSends } from '../transfers.tasks.ts';
import { postDue } from './post-due.ts';

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});
afterEach(() => expectBooksBalance(test.deps.config.databaseUrl));
afterAll(() => test.close());

const send = (user: TestUser, to: TestUser, more: object = {}): Promise<TestAnswer> =>
  test.request({
    method: 'POST',
    url: '/api/account/transfer',
    payload: { amount: '1000', to_uuid: to.uuid, ...more },
    key: randomUUID(),
    user,
  });

const pastOf = async (user: TestUser, uuid: string) =>
  (await test.request({ method: 'GET', url: `/api/account/recipient/${uuid}/past`, user })).body;

const postAll = async (): Promise<void> => {
  test.clock.advance(60_000);
  await postDue(test.deps);
};

const pair = async (): Promise<[TestUser, TestUser]> => [
  await test.createUser({ balance: ath(10) }),
  await test.createUser(),
];

const FIRST = { is_first_time: true, looks_like: null, warned_seconds: 60 };
const KNOWN = { is_first_time: false, looks_like: null, warned_seconds: 60 };

const pairCountOf = async ({ uuid }: TestUser): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from send_pairs pair join users u on u.id = pair.sender_id where u.uuid = ${uuid}::uuid`.execute(
    test.deps.db,
  );
  return rows[0]?.count ?? 0;
};

const close = (user: TestUser): Promise<TestAnswer> =>
  test.request({
    method: 'POST',
    url: '/api/account/delete',
    user,
    payload: { password: PASSWORD },
  });

/** Gives the user an address with these digits, as a forger would search for one. */
async function readdress(user: TestUser, uuid: string): Promise<TestUser> {
  await sql`update users set uuid = ${uuid}::uuid where uuid = ${user.uuid}::uuid`.execute(
    test.deps.db,
  );
  return { ...user, uuid };
}

it('[W-074] knows a receiver once a send has arrived, and not before', async () => {
  const [ada, ben] = await pair();
  expect(await pastOf(ada, ben.uuid)).toEqual(FIRST);
  await send(ada, ben, { undo_seconds: 10 });
  expect(await pastOf(ada, ben.uuid)).toEqual(FIRST);
  await postAll();
  expect(await pastOf(ada, ben.uuid)).toEqual(KNOWN);
  expect(await pastOf(ben, ada.uuid)).toEqual(FIRST);
});

it('[W-074] does not know a receiver from whom the amount was taken back, or who never got it', async () => {
  const [ada, ben] = await pair();
  const { body } = await send(ada, ben, { undo_seconds: 10 });
  const url = `/api/account/holds/${body.hold.id}/undo`;
  await test.request({ method: 'POST', url, key: randomUUID(), user: ada });
  await postAll();
  expect(await pastOf(ada, ben.uuid)).toEqual(FIRST);
  const gone = await openUser(test);
  await send(ada, gone, { undo_seconds: 10 });
  expect((await close(gone)).status).toBe(200);
  await postAll();
  expect(await pastOf(ada, gone.uuid)).toEqual(FIRST);
});

it('learns from the journal of sends that arrived at once, each of them once', async () => {
  const [ada, ben] = await pair();
  await send(ada, ben);
  await send(ada, ben, { amount: '2000' });
  expect(await pastOf(ada, ben.uuid)).toEqual(FIRST);
  await Promise.all([addImmediateSends(test.deps.db), addImmediateSends(test.deps.db)]);
  await addImmediateSends(test.deps.db);
  expect(await pastOf(ada, ben.uuid)).toEqual(KNOWN);
  await send(ada, ben, { undo_seconds: 10 });
  await postAll();
  await addImmediateSends(test.deps.db);
  const { rows } = await sql<{ send_count: number }>`
    select send_count from send_pairs pair join users u on u.id = pair.recipient_id where u.uuid = ${ben.uuid}::uuid`.execute(
    test.deps.db,
  );
  expect(rows).toEqual([{ send_count: 3 }]);
});

it('[W-075] names a known address that begins or ends like a new one, of own sends only', async () => {
  const [ada, ben] = await pair();
  const eve = await test.createUser({ balance: ath(1) });
  await send(ada, ben, { undo_seconds: 10 });
  await postAll();
  const start = ben.uuid.slice(0, 6) + randomUUID().slice(6);
  const end = randomUUID().slice(0, -6) + ben.uuid.slice(-6);
  for (const forged of [start, end, start.toUpperCase()]) {
    expect(await pastOf(ada, forged)).toEqual({ ...FIRST, looks_like: ben.uuid });
    expect(await pastOf(eve, forged)).toEqual(FIRST);
  }
});

it('[W-076] names none for an address that is known itself', async () => {
  const [ada, ben] = await pair();
  const other = await readdress(
    await test.createUser(),
    ben.uuid.slice(0, 6) + randomUUID().slice(6),
  );
  for (const to of [ben, other]) await send(ada, to, { undo_seconds: 10 });
  await postAll();
  expect(await pastOf(ada, ben.uuid)).toEqual(KNOWN);
  expect(await pastOf(ada, other.uuid)).toEqual(KNOWN);
});

it('tells nothing of whether anybody has an address', async () => {
  const [ada, ben] = await pair();
  expect(await pastOf(ada, randomUUID())).toEqual(await pastOf(ada, ben.uuid));
  const { status } = await test.request({
    method: 'GET',
    url: '/api/account/recipient/ben/past',
    user: ada,
  });
  expect(status).toBe(400);
});

it('forgets to whom somebody sent when they delete their account', async () => {
  const ada = await openUser(test);
  const ben = await test.createUser();
  const bank = await test.createUser({ balance: ath(1) });
  await send(bank, ada);
  await send(ada, ben, { undo_seconds: 1 });
  await postAll();
  expect(await pairCountOf(ada)).toBe(1);
  expect((await close(ada)).status).toBe(200);
  await test.runJobs();
  expect(await pairCountOf(ada)).toBe(0);
});

it('learns nothing of an account that was deleted before the journal was read', async () => {
  const [ada, ben] = [await openUser(test), await test.createUser()];
  const bank = await test.createUser({ balance: ath(1) });
  await send(bank, ada);
  await send(ada, ben);
  expect((await close(ada)).status).toBe(200);
  await test.runJobs();
  await addImmediateSends(test.deps.db);
  expect(await pairCountOf(ada)).toBe(0);
  expect(await pairCountOf(bank)).toBe(1);
});

it('learns nothing of an account that is deleted while the journal is read', async () => {
  const [ada, ben] = await pair();
  await send(ada, ben);
  const closing = await test.deps.db.startTransaction().execute();
  await closing
    .updateTable('users')
    .set({ email: null, password_hash: null, closed_at: new Date() })
    .where('id', '=', ada.userId)
    .execute();
  const added = addImmediateSends(test.deps.db);
  await waitForLock(test);
  await closing.commit().execute();
  await added;
  expect(await pairCountOf(ada)).toBe(0);
});
