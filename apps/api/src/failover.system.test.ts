/** The behaviour of calls while the database changes its primary, loses its standby or has no space left. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { atCommit } from '../test/at-commit.ts';
import { createOffer } from '../test/build-catalog.ts';
import { ath, balanceOf, buy } from '../test/shop.ts';
import { createFreezableProxy, type FreezableProxy } from '../test/freezable-proxy.ts';
import { recordLog } from '../test/recorded-log.ts';
import { openSecondApp, type SecondApp } from '../test/second-app.ts';
import { createTestApp, type TestAnswer, type TestApp, type TestUser } from '../test/test-app.ts';

/** P-004. A heartbeat is sent every 2.5 s and times out after 2 s. */
const NOTICED_WITHIN_MS = 5_000;
/** P-016. */
const STALL_MAX_MS = 1_500;

const { log, lines } = recordLog();
let test: TestApp;
beforeAll(async () => {
  test = await createTestApp({ log });
});
afterAll(() => test.close());

const send = (app: Pick<TestApp, 'request'>, from: TestUser, to: TestUser, key = randomUUID()) =>
  app.request({
    method: 'POST',
    url: '/api/account/transfer',
    user: from,
    key,
    payload: { amount: '1000000', to_uuid: to.uuid },
  });

const outcomeOf = ({ status, body, headers }: TestAnswer) => [
  status,
  body.code,
  headers['retry-after'],
];
const TRY_AGAIN = [503, 'try_again', '1'];

describe('a commit of which the server says that it was not replicated', () => {
  it('[P-007] has an unknown outcome: 503, and the same key tells it', async () => {
    const offer = await createOffer(test);
    const [ada, ben] = [
      await test.createUser({ balance: ath(100) }),
      await test.createUser({ balance: ath(100) }),
    ];
    const warning = `raise warning 'canceling wait for synchronous replication'`;
    const endWarning = await atCommit(test, 'purchases', warning);
    const key = randomUUID();
    expect(outcomeOf(await buy(test, ada, [[offer.id, 1]], key))).toEqual(TRY_AGAIN);
    await endWarning();
    // The transfer was committed, so the replay moves nothing.
    const before = await balanceOf(test, ada);
    expect((await buy(test, ada, [[offer.id, 1]], key)).body.balance).toBe(before);
    expect((await buy(test, ben, [[offer.id, 1]])).status).toBe(200);
  });
});

describe('a server without room', () => {
  it('[P-006] is answered with 503 and Retry-After, and alarms', async () => {
    const offer = await createOffer(test);
    const [ada, ben] = [
      await test.createUser({ balance: ath(100) }),
      await test.createUser({ balance: ath(100) }),
    ];
    const fault = `raise sqlstate '53100' using message = 'No space left on device'`;
    const makeRoom = await atCommit(test, 'transfers', fault);
    lines.length = 0;
    expect(outcomeOf(await buy(test, ada, [[offer.id, 1]]))).toEqual(TRY_AGAIN);
    expect(outcomeOf(await send(test, ada, ben))).toEqual(TRY_AGAIN);
    expect(lines.filter((line) => JSON.parse(line).alarm === 'database_disk_full')).toHaveLength(2);
    await makeRoom();
    expect((await send(test, ada, ben)).status).toBe(200);
  });
});

describe('a server that has become a standby', () => {
  it('is left at once by the connection that posts, and nothing is lost', async () => {
    const [ada, ben] = [await test.createUser({ balance: ath(100) }), await test.createUser()];
    const postingPids = async () => {
      const { rows } = await sql<{ pid: number }>`
        select pid from pg_stat_activity
         where datname = current_database() and application_name like 'athos-ledger %' order by pid`.execute(
        test.admin,
      );
      return rows.map(({ pid }) => pid);
    };
    const before = await postingPids();
    const endRecovery = await atCommit(test, 'transfers', `raise sqlstate '25006'`);
    const answer = send(test, ada, ben);
    await expect.poll(postingPids).not.toEqual(before);
    await endRecovery();
    expect((await answer).status).toBe(200);
    expect(await balanceOf(test, ben)).toBe(ath(1).toString());
  });
});

describe('a failover', () => {
  let proxy: FreezableProxy;
  let far: SecondApp;
  beforeAll(async () => {
    proxy = await createFreezableProxy(test.deps.config.databaseUrl);
    far = await openSecondApp(test, { databaseUrl: proxy.url });
  });
  afterAll(async () => {
    await far.close();
    await proxy.close();
  });

  it('[P-004] without a word costs an idle process its old connections within 5 s, and nobody a 503', async () => {
    const offer = await createOffer(test);
    const [ada, ben] = [
      await test.createUser({ balance: ath(100) }),
      await test.createUser({ balance: ath(100) }),
    ];
    const readBalance = () =>
      far.request({ method: 'GET', url: '/api/account/balance', user: ada });
    const everything = () =>
      Promise.all([
        send(far, ada, ben),
        buy(far, ben, [[offer.id, 1]]),
        readBalance(),
        far.request({ method: 'GET', url: '/api/all_history', user: ada }),
        far.request({ method: 'GET', url: '/api/categories' }),
      ]);
    const before = await everything();
    expect(before.map(({ status }) => status)).toEqual(before.map(() => 200));
    const frozenAtMs = performance.now();
    proxy.freezeOpen();
    // The heartbeats of the idle process notice the loss.
    await new Promise<number>((resolve) => far.deps.notifications.onGap(resolve));
    // The ledger has heartbeats of its own, and answers this after it has noticed too.
    expect((await readBalance()).status).toBe(200);
    expect(performance.now() - frozenAtMs).toBeLessThan(NOTICED_WITHIN_MS);
    const after = await everything();
    expect(after.map(({ status }) => status)).toEqual(before.map(() => 200));
  });

  it('is waited for: while connections are refused, requests are not', async () => {
    const offer = await createOffer(test);
    const [ada, ben] = [
      await test.createUser({ balance: ath(100) }),
      await test.createUser({ balance: ath(100) }),
    ];
    // Each connection of the requests and each lasting connection is refused once.
    const refused = proxy.refuse(5);
    // Before this, a request could still be sent on a connection that has just ended.
    await expect.poll(() => far.deps.notifications.isListening()).toBe(false);
    const answers = Promise.all([
      send(far, ada, ben),
      buy(far, ben, [[offer.id, 1]]),
      far.request({ method: 'GET', url: '/api/account/balance', user: ada }),
      far.request({ method: 'GET', url: '/api/categories' }),
    ]);
    await refused;
    proxy.cutAndHeal();
    expect((await answers).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });

  it('that ends the connection of a request costs the request time and no error', async () => {
    const offer = await createOffer(test);
    const [ada, ben] = [
      await test.createUser({ balance: ath(100) }),
      await test.createUser({ balance: ath(100) }),
    ];
    const purchase = () => buy(far, ada, [[offer.id, 1]], randomUUID());
    const cutAt = async (isReached: Promise<void>, answer: Promise<TestAnswer>) => {
      await isReached;
      proxy.cutAndHeal();
      return answer;
    };
    const price = ath(100) - BigInt((await purchase()).body.balance);
    const cuts = [
      () => proxy.freezeBefore('insert_purchases'),
      () => proxy.freezeBefore('commit'),
      // It is committed, and the repeat finds its key.
      () => proxy.swallowAnswersTo('commit'),
    ];
    for (const [index, cut] of cuts.entries()) {
      const { status, body } = await cutAt(cut(), purchase());
      expect([status, BigInt(body.balance)]).toEqual([200, ath(100) - price * BigInt(index + 2)]);
    }
    const read = (request: Parameters<TestApp['request']>[0]) =>
      cutAt(proxy.freezeBefore('select'), far.request(request));
    const url = '/api/all_history';
    expect((await read({ method: 'GET', url, user: ben })).status).toBe(200);
    const lookUp = { method: 'POST', url: '/api/account/recipient', user: ben } as const;
    const found = await read({ ...lookUp, payload: { text: ada.uuid } });
    expect(found.status).toBe(200);
  });

  it('in which a request loses one connection after the other refuses it after the fourth', async () => {
    const offer = await createOffer(test);
    const ada = await test.createUser({ balance: ath(100) });
    const buyWithCuts = async (cutCount: number) => {
      let isReached = proxy.freezeBefore('insert_purchases');
      const answer = buy(far, ada, [[offer.id, 1]], randomUUID());
      for (let cut = 1; cut <= cutCount; cut++) {
        await Promise.race([isReached, answer]);
        proxy.cutAndHeal();
        if (cut < cutCount) isReached = proxy.freezeBefore('insert_purchases');
      }
      return answer;
    };
    expect((await buyWithCuts(3)).status).toBe(200);
    expect(outcomeOf(await buyWithCuts(4))).toEqual(TRY_AGAIN);
  });

  it('[P-005] to a standby is not followed: nothing is written there, and no balance read', async () => {
    const [ada, ben] = [
      await test.createUser({ balance: ath(100) }),
      await test.createUser({ balance: ath(100) }),
    ];
    const setStandby = (is: boolean) =>
      sql`${sql.raw(`
        create schema if not exists standby;
        grant usage on schema standby to public;
        create or replace function standby.pg_is_in_recovery() returns boolean language sql as 'select ${is}'`)}`.execute(
        test.admin,
      );
    await setStandby(true);
    const standby = await openSecondApp(test, {
      databaseUrl: `${test.deps.config.databaseUrl}&options=-c%20search_path%3Dstandby,pg_catalog,public`,
    });
    try {
      const answers = await Promise.all([
        send(standby, ada, ben),
        standby.request({ method: 'GET', url: '/api/account/balance', user: ada }),
        standby.request({ method: 'GET', url: '/api/categories' }),
      ]);
      expect(answers.map(outcomeOf)).toEqual([TRY_AGAIN, TRY_AGAIN, TRY_AGAIN]);
      await setStandby(false);
      await expect
        .poll(async () => (await send(standby, ada, ben)).status, { timeout: 15_000 })
        .toBe(200);
    } finally {
      await standby.close();
    }
  });
});

it('[P-016] an API that freezes before its COMMIT holds the ledger for 1 s, and others stall for at most 1.5 s', async () => {
  const { config } = test.deps;
  const database = new URL(config.databaseUrl).pathname.slice(1);
  // Test servers allow more idle time than production servers. Without a setting, the limit is the product's own.
  await sql
    .raw(`alter database ${database} set ledger.idle_while_posting = ''`)
    .execute(test.admin);
  const offer = await createOffer(test);
  const [ada, ben] = [
    await test.createUser({ balance: ath(100) }),
    await test.createUser({ balance: ath(100) }),
  ];
  const proxy = await createFreezableProxy(config.databaseUrl);
  const frozen = await openSecondApp(test, { databaseUrl: proxy.url });
  const limit = await frozen.deps.db.transaction().execute(async (tx) => {
    await frozen.deps.ledger.lockInTx(tx);
    return sql`show idle_in_transaction_session_timeout`.execute(tx);
  });
  expect(limit.rows).toEqual([{ idle_in_transaction_session_timeout: '1s' }]);
  const isFrozen = proxy.freezeBefore('set local synchronous_commit');
  const bought = buy(frozen, ada, [[offer.id, 1]]);
  await isFrozen;
  const frozenAtMs = performance.now();
  expect((await send(test, ben, ada)).status).toBe(200);
  const stalledMs = performance.now() - frozenAtMs;
  // It did wait for the lock of the frozen purchase.
  expect(stalledMs).toBeGreaterThan(STALL_MAX_MS / 2);
  expect(stalledMs).toBeLessThan(STALL_MAX_MS);
  proxy.cutAndHeal();
  expect([200, 503]).toContain((await bought).status);
  await frozen.close();
  await proxy.close();
});
