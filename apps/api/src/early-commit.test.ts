/** Transactions that move value commit before they are stored safely, and no answer is sent before they are. */
import { randomUUID } from 'node:crypto';
import { CompiledQuery, sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { atCommit } from '../test/at-commit.ts';
import { createOffer, type OfferRow } from '../test/build-catalog.ts';
import { createItems, createStaff, purchaseCode } from '../test/build-redemption.ts';
import { createCampaign, drawCode, redeem as claim } from '../test/build-reward.ts';
import { holdPostings } from '../test/raw-ledger.ts';
import { openSecondApp, type SecondApp } from '../test/second-app.ts';
import { ath, balanceOf, buy, tip } from '../test/shop.ts';
import { createTestApp, type TestAnswer, type TestApp, type TestUser } from '../test/test-app.ts';
import { openDatabase } from './platform/database/database.ts';
import { executeEarly } from './platform/database/early-commit.ts';
import { createLog } from './platform/log/log.ts';

let test: TestApp;
/** An API whose barriers the test controls. */
let far: SecondApp;
let offer: OfferRow;
let tipOffer: OfferRow;
beforeAll(async () => {
  test = await createTestApp();
  await sql`create schema trouble; grant usage on schema trouble to public; alter default privileges in schema trouble grant usage on sequences to public`.execute(
    test.admin,
  );
  await atBarrier('perform 1');
  far = await openSecondApp(test, { databaseUrl: troubled() });
  offer = await createOffer(test);
  tipOffer = await createOffer(test, { kind: 3 });
});
afterEach(() => atBarrier('perform 1'));
afterAll(async () => {
  await far.close();
  await test.close();
});

/** The address of the database with barriers that the test controls. */
const troubled = (): string =>
  `${test.deps.config.databaseUrl}&options=-c%20search_path%3Dtrouble,pg_catalog,public`;

/** Replaces every barrier after the first `passedCount` by a statement of plpgsql. */
async function atBarrier(statement: string, passedCount = 0): Promise<void> {
  await sql
    .raw(
      `drop sequence if exists trouble.barriers;
       create sequence trouble.barriers;
       create or replace function trouble.pg_logical_emit_message(boolean, text, text, flush boolean default false)
         returns pg_lsn language plpgsql as $$
         begin
           if nextval('trouble.barriers') > ${passedCount} then ${statement}; end if;
           return null;
         end $$`,
    )
    .execute(test.admin);
}

type Caller = Pick<TestApp, 'request'>;
interface Movement {
  readonly name: string;
  /** The number of barriers before the movement's own. Default: 0. */
  readonly earlierCount?: number;
  /** Returns a function that repeats the request with the same key on each call. */
  readonly prepare: (user: TestUser) => Promise<(to: Caller) => Promise<TestAnswer>>;
}

const MOVEMENTS: readonly Movement[] = [
  {
    name: 'a send',
    async prepare(user) {
      const [other, key] = [await test.createUser(), randomUUID()];
      const payload = { amount: '1000000', to_uuid: other.uuid };
      return ({ request }) =>
        request({ method: 'POST', url: '/api/account/transfer', user, key, payload });
    },
  },
  {
    name: 'a purchase',
    prepare(user) {
      const key = randomUUID();
      return Promise.resolve((to) => buy(to, user, [[offer.id, 1]], key));
    },
  },
  {
    name: 'a send that can be undone',
    async prepare(user) {
      const [other, key] = [await test.createUser(), randomUUID()];
      const payload = { amount: '1000000', to_uuid: other.uuid, undo_seconds: 60 };
      return ({ request }) =>
        request({ method: 'POST', url: '/api/account/transfer', user, key, payload });
    },
  },
  {
    name: 'taking a send back',
    async prepare(user) {
      const payload = { amount: '1', to_uuid: (await test.createUser()).uuid, undo_seconds: 60 };
      const url = '/api/account/transfer';
      const sent = await test.request({ method: 'POST', url, user, key: randomUUID(), payload });
      const { id } = sent.body.hold;
      return ({ request }) =>
        request({
          method: 'POST',
          url: `/api/account/holds/${id}/undo`,
          user,
          key: randomUUID(),
        });
    },
  },
  {
    name: 'a tip',
    prepare(user) {
      const key = randomUUID();
      return Promise.resolve((to) =>
        tip(to, user, { offer_id: tipOffer.id, amount: '1000000' }, key),
      );
    },
  },
  {
    name: 'a reward claim',
    // The counter of guesses passes a barrier first.
    earlierCount: 1,
    async prepare(user) {
      const [[code = ''], key] = [await createCampaign(test), randomUUID()];
      return (to) => claim(to, user, code, { key });
    },
  },
  {
    name: 'a redemption',
    async prepare(user) {
      const [staff, { itemIds }] = [await createStaff(test), await createItems(test, user)];
      const payload = { payload: purchaseCode(test, user, itemIds) };
      const key = randomUUID();
      return ({ request }) =>
        request({ method: 'POST', url: '/api/scanner/redeem', user: staff, key, payload });
    },
  },
];

const BARRIER_LOCK = 41;

/** Holds the barriers of the far API until `work` is done. Resolves with the answer that `ask` gets afterwards. */
async function holdBarrier<T>(ask: () => Promise<T>, work: () => Promise<void>): Promise<T> {
  let isAnswered = false;
  const { answer } = await test.deps.db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${BARRIER_LOCK})`.execute(tx);
    const asked = ask().finally(() => (isAnswered = true));
    const isHeld = async (): Promise<boolean> => {
      const { rows } = await sql`
        select from pg_locks where locktype = 'advisory' and not granted
           and database = (select oid from pg_database where datname = current_database())`.execute(
        tx,
      );
      return rows.length > 0;
    };
    await expect.poll(isHeld, { timeout: 15_000 }).toBe(true);
    await work();
    expect(isAnswered).toBe(false);
    return { answer: asked };
  });
  return answer;
}

describe.each(MOVEMENTS)('$name', ({ prepare, earlierCount }) => {
  let ada: TestUser;
  beforeAll(async () => {
    ada = await test.createUser({ balance: ath(1_000) });
  });

  it('[P-008] [P-009] is committed and holds up nobody while it waits, and is answered after its barrier', async () => {
    const ask = await prepare(ada);
    await atBarrier(`perform pg_advisory_xact_lock(${BARRIER_LOCK})`, earlierCount);
    const answer = await holdBarrier(
      () => ask(far),
      async () => {
        const [ben, cid] = [await test.createUser({ balance: ath(1) }), await test.createUser()];
        const payload = { amount: '1000000', to_uuid: cid.uuid };
        const sent = await test.request({
          method: 'POST',
          url: '/api/account/transfer',
          user: ben,
          key: randomUUID(),
          payload,
        });
        expect(sent.status).toBe(200);
      },
    );
    expect(answer.status).toBe(200);
  });

  it.each([
    ['fails', `raise exception 'no'`],
    ['is late', `raise query_canceled`],
    ['brings notice 01000', `raise warning 'canceling wait for synchronous replication'`],
  ])(
    '[P-010] is answered 503 if its barrier %s, and the same key tells the outcome',
    { tags: 'long' },
    async (_name, trouble) => {
      const ask = await prepare(ada);
      await atBarrier(trouble, earlierCount);
      const { status, body, headers } = await ask(far);
      expect([status, body.code, headers['retry-after']]).toEqual([503, 'try_again', '1']);
      await atBarrier('perform 1');
      const moved = await balanceOf(test, ada);
      expect((await ask(test)).status).toBe(200);
      expect((await ask(far)).status).toBe(200);
      expect(await balanceOf(test, ada)).toBe(moved);
    },
  );
});

describe('a batch of sends', () => {
  let ada: TestUser;
  let ben: TestUser;
  const sendOne = () =>
    far.request({
      method: 'POST',
      url: '/api/account/transfer',
      user: ada,
      key: randomUUID(),
      payload: { amount: '1000000', to_uuid: ben.uuid },
    });
  beforeAll(async () => {
    [ada, ben] = [await test.createUser({ balance: ath(10) }), await test.createUser()];
  });

  it('[P-008] is executed while the barrier of the one before is under way', async () => {
    await atBarrier(`perform pg_advisory_xact_lock(${BARRIER_LOCK})`);
    let second: ReturnType<typeof sendOne> | undefined;
    const first = await holdBarrier(sendOne, async () => {
      second = sendOne();
      await expect.poll(() => balanceOf(test, ben)).toBe('2000000');
    });
    expect([first.status, (await second)?.status]).toEqual([200, 200]);
  });

  it('does not queue behind the barrier of one that is being executed, once barriers take long', async () => {
    await atBarrier('perform pg_sleep(0.1)');
    expect((await sendOne()).status).toBe(200);
    await atBarrier('perform 1');
    const sent = await test.admin.transaction().execute(async (tx) => {
      await holdPostings(tx);
      const countExecuted = async (): Promise<number> => {
        const { rows } = await sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
             and application_name like 'athos-ledger %'`.execute(test.admin);
        return rows.length;
      };
      const first = sendOne();
      await expect.poll(countExecuted).toBe(1);
      const second = sendOne();
      await expect.poll(countExecuted).toBe(2);
      return [first, second];
    });
    expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([200, 200]);
  });
});

it('a scan is logged and holds up nobody while it waits, and is answered after its barrier', async () => {
  const [staff, ada] = [await createStaff(test), await test.createUser()];
  const { itemIds } = await createItems(test, ada);
  const payload = { payload: purchaseCode(test, ada, itemIds) };
  const scan = { method: 'POST', url: '/api/scanner/scan', user: staff, payload } as const;
  await atBarrier(`perform pg_advisory_xact_lock(${BARRIER_LOCK})`);
  const answer = await holdBarrier(
    () => far.request(scan),
    async () => expect((await test.request(scan)).status).toBe(200),
  );
  expect(answer.status).toBe(200);
});

it('statements that arrive together share a barrier, and one that fails fails alone', async () => {
  const database = openDatabase(troubled(), createLog('silent'));
  const statements = ['select 1 as one', 'select 1 / 0', 'select 2 as two'];
  const settled = await Promise.allSettled(
    statements.map((text) => executeEarly(database.db, CompiledQuery.raw(text))),
  );
  await database.close();
  expect(settled).toMatchObject([
    { value: [{ one: 1 }] },
    { reason: { code: '22012' } },
    { value: [{ two: 2 }] },
  ]);
  const { rows } = await sql`select last_value from trouble.barriers`.execute(test.admin);
  expect(rows).toEqual([{ last_value: 1n }]);
});

it('a guess at a reward code is counted and holds up no other while it waits, and is answered after its barrier', async () => {
  const [ada, ben] = [await test.createUser(), await test.createUser()];
  const [code = ''] = await createCampaign(test);
  await atBarrier(`perform pg_advisory_xact_lock(${BARRIER_LOCK})`);
  const guess = await holdBarrier(
    () => claim(far, ada, drawCode()),
    async () => {
      const counted = await test.deps.db
        .selectFrom('attempt_counters')
        .select('subject')
        .where('attempt_count', '=', 1)
        .execute();
      // One counter each for the account, its network place and all callers together.
      expect(counted).toHaveLength(3);
      expect((await claim(test, ben, code)).status).toBe(200);
    },
  );
  expect([guess.status, guess.body.code]).toEqual([422, 'invalid_reward_code']);
});

it('[P-008] what moves value commits with synchronous_commit off, and everything else with it on', async () => {
  await sql`create table commits (setting text)`.execute(test.admin);
  const note = `insert into commits values (current_setting('synchronous_commit'))`;
  const ada = await test.createUser({ balance: ath(100) });
  for (const table of ['transfers', 'purchases'] as const) {
    const stop = await atCommit(test, table, note);
    for (const { name, prepare } of MOVEMENTS.slice(0, 2)) {
      const ask = await prepare(ada);
      expect((await ask(test)).status, name).toBe(200);
    }
    await stop();
  }
  const [staff, { itemIds }] = [await createStaff(test), await createItems(test, ada)];
  const stop = await atCommit(test, 'scans', note);
  for (const url of ['/api/scanner/scan', '/api/scanner/redeem']) {
    const payload = { payload: purchaseCode(test, ada, itemIds) };
    const key = randomUUID();
    const { status } = await test.request({ method: 'POST', url, user: staff, key, payload });
    expect(status, url).toBe(200);
  }
  await stop();
  const { rows } = await sql`select setting, count(*)::integer from commits group by 1`.execute(
    test.admin,
  );
  // Two transfers, a purchase, a scan and a redemption.
  expect(rows).toEqual([{ setting: 'off', count: 5 }]);
  const { rows: plain } = await sql`show synchronous_commit`.execute(test.deps.db);
  expect(plain).toEqual([{ synchronous_commit: 'on' }]);
});
