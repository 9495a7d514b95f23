/** Concurrent purchases and tips in two API processes, and while the database connection breaks. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createOffer } from '../../../../test/build-catalog.ts';
import { expectBooksBalance } from '../../../../test/expect-books-balance.ts';
import { createFreezableProxy, type FreezableProxy } from '../../../../test/freezable-proxy.ts';
import { openSecondApp, type SecondApp } from '../../../../test/second-app.ts';
import { ath, balanceOf, buy, myPurchases, refusalOf, tip, twenty } from '../../../../test/shop.ts';
import {
  createTestApp,
  requestTo,
  type TestApp,
  type TestUser,
} from '../../../../test/test-app.ts';
import { waitForLock } from '../../../../test/wait-for-lock.ts';

let test: TestApp;
let second: SecondApp;
/** Alternates between the two processes. */
let processes: readonly Pick<TestApp, 'request'>[];
beforeAll(async () => {
  test = await createTestApp();
  second = await openSecondApp(test);
  processes = [test, { request: requestTo(second.app) }];
});
afterEach(() => expectBooksBalance(test.deps.config.databaseUrl));
afterAll(async () => {
  await second.close();
  await test.close();
});

const either = (index: number): Pick<TestApp, 'request'> => processes[index % 2] ?? test;
const usersWith = (whole: number) => twenty(() => test.createUser({ balance: ath(whole) }));

/** The complete 11-byte wire message, since `commit` alone also matches the `synchronous_commit` sent on connect. */
const COMMIT = 'Q\0\0\0\vcommit\0';

const itemCountOf = async (user: TestUser): Promise<number> =>
  (await myPurchases(test, user)).body.purchases.length;

async function stockOf(offerId: number): Promise<number | null> {
  const { stock_left } = await test.deps.db
    .selectFrom('offers')
    .select('stock_left')
    .where('id', '=', offerId)
    .executeTakeFirstOrThrow();
  return stock_left;
}

describe('twenty at once', () => {
  it('sells the last item to one of twenty buyers', async () => {
    const offer = await createOffer(test, { stock_left: 1 });
    const users = await usersWith(10);
    const answers = await Promise.all(
      users.map((user, index) => buy(either(index), user, [[offer.id, 1]])),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.code === 'sold_out')).toHaveLength(19);
    expect(await stockOf(offer.id)).toBe(0);
    const balances = await Promise.all(users.map((user) => balanceOf(test, user)));
    expect(balances.filter((balance) => balance === '0')).toHaveLength(1);
    expect(balances.filter((balance) => balance === '10000000')).toHaveLength(19);
  });

  it('buys once when twenty requests carry one key', async () => {
    const offer = await createOffer(test, { stock_left: 30 });
    const user = await test.createUser({ balance: ath(100) });
    const key = randomUUID();
    const answers = await twenty((index) => buy(either(index), user, [[offer.id, 1]], key));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await balanceOf(test, user)).toBe('90000000');
    expect(await stockOf(offer.id)).toBe(29);
  });

  it('buys one of two carts under one key and refuses the other with 409', async () => {
    const offer = await createOffer(test);
    const user = await test.createUser({ balance: ath(100) });
    const key = randomUUID();
    const answers = await twenty((index) =>
      buy(either(index), user, [[offer.id, 1 + (index % 3 === 0 ? 1 : 0)]], key),
    );
    const bought = answers.filter(({ status }) => status === 200);
    expect(new Set(bought.map(({ text }) => text)).size).toBe(1);
    const refused = answers.filter(({ body }) => body.code === 'idempotency_key_reused');
    expect(bought.length + refused.length).toBe(20);
    expect(bought[0]?.body.items).toHaveLength(bought.length === 13 ? 1 : 2);
  });

  it('spends a balance that covers one of twenty carts only once', async () => {
    const offer = await createOffer(test);
    const user = await test.createUser({ balance: ath(19) });
    const answers = await twenty((index) => buy(either(index), user, [[offer.id, 1]]));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.code === 'insufficient_balance')).toHaveLength(19);
    expect(await balanceOf(test, user)).toBe('9000000');
  });

  it('enforces the limit per user', async () => {
    const offer = await createOffer(test, { user_count_max: 3 });
    const user = await test.createUser({ balance: ath(1_000) });
    const answers = await twenty((index) => buy(either(index), user, [[offer.id, 1]]));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(answers.filter(({ body }) => body.code === 'offer_limit_reached')).toHaveLength(17);
    expect((await myPurchases(test, user)).body.purchases).toHaveLength(3);
  });

  it('does not let the purchase reads of one user delay others', async () => {
    const [user, other] = [await test.createUser(), await test.createUser()];
    await Promise.all([myPurchases(test, user), myPurchases(test, other)]);
    let answeredCount = 0;
    const asking = Array.from({ length: 90 }, async () => {
      const { status } = await myPurchases(test, user);
      answeredCount += 1;
      return status;
    });
    expect((await myPurchases(test, other)).status).toBe(200);
    expect(answeredCount).toBeLessThan(60);
    expect(await Promise.all(asking)).toEqual(Array(90).fill(200));
  });

  it('never deadlocks on carts that list the same offers in different orders', async () => {
    const [left, right] = [
      await createOffer(test, { stock_left: 1_000 }),
      await createOffer(test, { stock_left: 1_000 }),
    ];
    const users = await usersWith(100);
    for (let round = 1; round <= 3; round += 1) {
      const answers = await Promise.all(
        users.map((user, index) => {
          const there = [left.id, 1] as const;
          const back = [right.id, 1] as const;
          return buy(either(index), user, index % 4 < 2 ? [there, back] : [back, there]);
        }),
      );
      expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    }
    expect([await stockOf(left.id), await stockOf(right.id)]).toEqual([940, 940]);
  });

  it('tips once when twenty requests carry one key', async () => {
    const offer = await createOffer(test, { kind: 3 });
    const user = await test.createUser({ balance: ath(100) });
    const key = randomUUID();
    const answers = await twenty((index) =>
      tip(either(index), user, { offer_id: offer.id, amount: '1000000' }, key),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await balanceOf(test, user)).toBe('99000000');
  });
});

describe('when the connection to the database is slow or breaks', () => {
  let proxy: FreezableProxy;
  let cutOff: SecondApp;
  let far: Pick<TestApp, 'request'>;
  beforeAll(async () => {
    proxy = await createFreezableProxy(test.deps.config.databaseUrl);
    cutOff = await openSecondApp(test, { databaseUrl: proxy.url });
    far = { request: requestTo(cutOff.app) };
  });
  afterAll(async () => {
    await cutOff.close();
    await proxy.close();
  });

  it('enforces the limit per user while another process is in the middle of a purchase', async () => {
    const offer = await createOffer(test, { user_count_max: 1 });
    const user = await test.createUser({ balance: ath(1_000) });
    await Promise.all([far, test].map((process) => balanceOf(process, user)));
    // The proxy pauses after the limit is checked and before anything is written.
    const held = proxy.holdBefore('insert_purchases');
    const first = buy(far, user, [[offer.id, 1]]);
    const goOn = await held;
    const second = buy(test, user, [[offer.id, 1]]);
    await waitForLock(test);
    goOn();
    expect((await first).status).toBe(200);
    expect(refusalOf(await second)).toEqual({ status: 409, code: 'offer_limit_reached' });
    expect(await itemCountOf(user)).toBe(1);
  });

  // Each row breaks the connection at a different statement of the transaction, the last one after PostgreSQL has committed.
  it.each([
    ['before the buyer is locked', 'lock_users', false],
    ['before the items are made', 'insert_purchases', false],
    ['before the ledger moves', 'post_in_transaction', false],
    ['before the commit', COMMIT, false],
    ['after the commit', COMMIT, true],
  ])(
    'buys once if it breaks %s, and every repeat of the key is answered alike',
    async (_when, text, isHeard) => {
      const offer = await createOffer(test, { stock_left: 5 });
      const user = await test.createUser({ balance: ath(100) });
      // Caches the session in that process, so that the broken connection affects only the purchase.
      expect(await balanceOf(far, user)).toBe('100000000');
      const key = randomUUID();
      const reached = isHeard ? proxy.swallowAnswersTo(text) : proxy.freezeBefore(text);
      const pending = buy(far, user, [[offer.id, 2]], key);
      await reached;
      if (isHeard) await expect.poll(() => itemCountOf(user)).toBe(2);
      proxy.cutAndHeal();
      // The process repeats the request on another connection, with the same key.
      expect(await pending).toMatchObject({ status: 200, body: { balance: '80000000' } });
      expect(await itemCountOf(user)).toBe(2);
      expect(await stockOf(offer.id)).toBe(3);
      expect(await balanceOf(test, user)).toBe('80000000');
      const again = await buy(test, user, [[offer.id, 2]], key);
      expect(again).toMatchObject({ status: 200, body: { balance: '80000000' } });
      expect((await myPurchases(test, user)).body.purchases).toEqual(again.body.items);
      expect(await stockOf(offer.id)).toBe(3);
    },
  );
});
