import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApiProcess, type ApiProcess } from '../../../../test/api-process.ts';
import { createOffer } from '../../../../test/build-catalog.ts';
import { expectBooksBalance } from '../../../../test/expect-books-balance.ts';
import {
  ath,
  balanceOf,
  buy,
  cartBody,
  myPurchases,
  type CartLine,
} from '../../../../test/shop.ts';
import { createTestApp, type TestApp, type TestUser } from '../../../../test/test-app.ts';

const BUYERS = 12;
const KILLED_AFTER_COUNT = 60;
const STOCK = 10_000;

let test: TestApp;
let api: ApiProcess;
beforeAll(async () => {
  test = await createTestApp();
  api = await startApiProcess(test.deps.config.databaseUrl);
});
afterAll(async () => {
  await api.kill();
  await test.close();
});

it('a purchase is complete or absent after the API is killed, and its key tells which', async () => {
  const scarce = await createOffer(test, { stock_left: STOCK, price_ath_hundredths: 100 });
  const plenty = await createOffer(test, { price_ath_hundredths: 200 });
  const lines: CartLine[] = [
    [scarce.id, 2],
    [plenty.id, 1],
  ];
  const users = await Promise.all(
    Array.from({ length: BUYERS }, () => test.createUser({ balance: ath(10_000) })),
  );
  const answers = new Map<string, unknown>();
  const asked: { user: TestUser; key: string }[] = [];
  let killed: Promise<void> | undefined;

  /** Buys until the API is killed. Requests without a response were in progress at that moment. */
  async function keepBuying(user: TestUser): Promise<void> {
    while (killed === undefined) {
      const key = randomUUID();
      asked.push({ user, key });
      try {
        const answering = api.post('/api/purchase', { user, key, payload: cartBody(lines) });
        // The kill happens at the moment of a request, so that at least this one gets no answer.
        if (asked.length === KILLED_AFTER_COUNT) killed = api.kill();
        const answer = await answering;
        expect(answer.status).toBe(200);
        answers.set(key, await answer.json());
      } catch (error) {
        if (killed === undefined) throw error;
        return;
      }
    }
  }
  await Promise.all(users.map(keepBuying));
  await killed;
  const unanswered = asked.filter(({ key }) => !answers.has(key));
  expect(unanswered.length).toBeGreaterThan(0);

  for (const user of users) {
    const { body } = await myPurchases(test, user);
    const purchases = Map.groupBy(
      body.purchases,
      ({ purchase_id: id }: { purchase_id: number }) => id,
    );
    expect([...purchases.values()].map((items) => items.length)).toEqual(
      Array(purchases.size).fill(3),
    );
    expect(await balanceOf(test, user)).toBe(String(ath(10_000) - ath(4) * BigInt(purchases.size)));
  }
  await expectBooksBalance(test.deps.config.databaseUrl);

  for (const { user, key } of asked) {
    const again = await buy(test, user, lines, key);
    expect(again.status).toBe(200);
    expect(again.body).toEqual(answers.get(key) ?? again.body);
  }
  for (const user of users) {
    const own = asked.filter(({ user: { uuid } }) => uuid === user.uuid);
    expect((await myPurchases(test, user)).body.purchases).toHaveLength(3 * own.length);
    expect(await balanceOf(test, user)).toBe(String(ath(10_000) - ath(4) * BigInt(own.length)));
  }
  const { stock_left } = await test.deps.db
    .selectFrom('offers')
    .select('stock_left')
    .where('id', '=', scarce.id)
    .executeTakeFirstOrThrow();
  expect(stock_left).toBe(STOCK - 2 * asked.length);
  await expectBooksBalance(test.deps.config.databaseUrl);
});
