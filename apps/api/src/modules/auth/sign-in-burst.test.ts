import { afterAll, beforeAll, expect, it } from 'vitest';
import { microAth } from '@athos/domain/money';
import { balanceWith, signIn } from '../../../test/accounts.ts';
import { createTestApp, type TestApp } from '../../../test/test-app.ts';

let test: TestApp;
beforeAll(async () => {
  // The limit of the network place is another test's matter.
  test = await createTestApp({ env: { SIGN_IN_FAILURES_PER_ADDRESS_AND_HOUR: '100000' } });
});
afterAll(() => test.close());

it('a burst of sign-ins does not hold other requests up: 40 of them are answered before a quarter of the burst', async () => {
  const { token } = await test.createUser({ balance: microAth(1n) });
  let signedInCount = 0;
  const burst = Array.from({ length: 120 }, async (_, index) => {
    const answer = await signIn(test, `burst-${index}@athos.example`);
    signedInCount += 1;
    return answer.status;
  });
  // A read from the ledger, a read from the pool of connections and one from memory, one after another.
  for (let count = 0; count < 20; count += 1) {
    expect((await balanceWith(test, token)).status).toBe(200);
    expect((await test.request({ method: 'GET', url: '/api/tiers' })).status).toBe(200);
  }
  expect(signedInCount).toBeLessThan(30);
  expect(new Set(await Promise.all(burst))).toEqual(new Set([401]));
});

it('whoever finds the line full is told at once when to come again', async () => {
  const answers = await Promise.all(
    Array.from({ length: 215 }, (_, index) => signIn(test, `line-${index}@athos.example`)),
  );
  const refused = answers.filter((answer) => answer.status === 503);
  // Two are in hand and 200 wait.
  expect(refused).toHaveLength(13);
  expect(refused[0]?.body).toMatchObject({ code: 'overloaded', retry_after_seconds: 2 });
});
