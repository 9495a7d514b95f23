/** The limits of sends and tips. The limit of scans is tested with the refusals of scans. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createOffer } from '../../../test/build-catalog.ts';
import { expectBooksBalance } from '../../../test/expect-books-balance.ts';
import { openSecondApp, type SecondApp } from '../../../test/second-app.ts';
import { ath } from '../../../test/shop.ts';
import { createTestApp, type TestApp, type TestUser } from '../../../test/test-app.ts';

let test: TestApp;
let limited: SecondApp;
beforeAll(async () => {
  test = await createTestApp();
  limited = await openSecondApp(test, { env: { SENDS_PER_SECOND: '1' } });
});
afterAll(async () => {
  await expectBooksBalance(test.deps.config.databaseUrl);
  await limited.close();
  await test.close();
});

const balanceOf = async (user: TestUser): Promise<string> =>
  (await test.request({ method: 'GET', url: '/api/account/balance', user })).body.balance;

it.each(['transfer', 'tip'])(
  'with a limit of one %s a second, a user has five at once and another a second later; others and replays are not affected',
  async (call) => {
    const [ada, ben, eve] = [
      await test.createUser({ balance: ath(1) }),
      await test.createUser({ balance: ath(1) }),
      await test.createUser(),
    ];
    const offer = await createOffer(test, { kind: 3 });
    const payload =
      call === 'tip'
        ? { offer_id: offer.id, amount: '10000' }
        : { to_uuid: eve.uuid, amount: '10000' };
    const ask = (user: TestUser, key = randomUUID()) =>
      limited.request({ method: 'POST', url: `/api/account/${call}`, payload, user, key });
    const standing = vi.spyOn(test.clock, 'nowMs').mockReturnValue(test.clock.nowMs());
    const firstKey = randomUUID();
    const first = await ask(ada, firstKey);
    expect(first.status).toBe(200);
    for (let count = 2; count <= 5; count += 1) expect((await ask(ada)).status).toBe(200);
    const refused = await ask(ada);
    expect([refused.status, refused.body.code]).toEqual([429, 'too_many_requests']);
    expect(refused.headers['retry-after']).toBe('1');
    expect(await balanceOf(ada)).toBe('950000');
    expect((await ask(ben)).status).toBe(200);
    const again = await ask(ada, firstKey);
    expect([again.status, again.body]).toEqual([200, first.body]);
    // Counting the refused one, replays have used up their own allowance too.
    for (let count = 3; count <= 5; count += 1) await ask(ada, firstKey);
    expect((await ask(ada, firstKey)).status).toBe(429);
    expect(await balanceOf(ada)).toBe('950000');
    standing.mockRestore();
    test.clock.advance(1_000);
    expect((await ask(ada)).status).toBe(200);
  },
);
