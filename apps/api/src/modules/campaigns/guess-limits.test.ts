import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openUser, PASSWORD, signIn } from '../../../test/accounts.ts';
import { createCampaign, drawCode, redeem, redeemAtLast } from '../../../test/build-reward.ts';
import { expectBooksBalance } from '../../../test/expect-books-balance.ts';
import { openSecondApp } from '../../../test/second-app.ts';
import { twenty } from '../../../test/shop.ts';
import { createTestApp, testConfig, type TestApp } from '../../../test/test-app.ts';

const HOUR_MS = 3_600_000;

const ENV = {
  REWARD_GUESSES_PER_ACCOUNT_AND_HOUR: '3',
  REWARD_GUESSES_PER_ADDRESS_AND_HOUR: '5',
  REWARD_GUESSES_PER_HOUR: '8',
};

/** Stops the clock, so that no hour ends early on a slow machine. Returns a function that advances it. */
function stopClock({ clock }: TestApp): (byMs: number) => void {
  let nowMs = clock.nowMs();
  vi.spyOn(clock, 'nowMs').mockImplementation(() => nowMs);
  return (byMs) => {
    nowMs += byMs;
  };
}

it('by default, an account may guess 10 times an hour, a network place 300 times, and everybody together 20000 times', () => {
  const { limits } = testConfig('postgres://127.0.0.1/none');
  expect(limits.rewardGuessesPerAccountAndHour).toBe(10);
  expect(limits.rewardGuessesPerAddressAndHour).toBe(300);
  expect(limits.rewardGuessesPerHour).toBe(20_000);
});

describe('guesses', () => {
  let test: TestApp;
  let advance: (byMs: number) => void;
  beforeEach(async () => {
    test = await createTestApp({ env: ENV });
    advance = stopClock(test);
  });
  afterEach(async () => {
    await expectBooksBalance(test.deps.config.databaseUrl);
    await test.close();
  });

  const guess = async (
    user: Parameters<typeof redeem>[1],
    remoteAddress = '203.0.113.1',
    code: string = drawCode(),
  ): Promise<string> =>
    ((await redeem(test, user, code, { remoteAddress })).body.code as string | undefined) ?? 'ok';

  it('of one account are limited from everywhere, including the right code, until the hour is over', async () => {
    const user = await test.createUser();
    const [code = ''] = await createCampaign(test, { endsAt: new Date(test.clock.nowMs() + 9e6) });
    for (let count = 1; count <= 3; count += 1) {
      expect(await guess(user, `203.0.113.${count}`)).toBe('invalid_reward_code');
    }
    const refused = await redeem(test, user, code, { remoteAddress: '203.0.113.9' });
    expect([refused.status, refused.body.code]).toEqual([429, 'too_many_attempts']);
    expect(refused.headers['retry-after']).toBe('3600');
    expect(await guess(await test.createUser())).toBe('invalid_reward_code');
    advance(HOUR_MS);
    expect(await guess(user, '203.0.113.9', code)).toBe('ok');
  });

  it('keep no finished claim from its answer', async () => {
    const user = await test.createUser();
    const [code = '', next = ''] = await createCampaign(test, { codeCount: 2 });
    const key = randomUUID();
    const first = await redeem(test, user, code, { key });
    expect(first.status).toBe(200);
    for (let count = 1; count <= 3; count += 1) await guess(user);
    expect(await guess(user, '203.0.113.1', next)).toBe('too_many_attempts');
    const again = await redeem(test, user, code, { key });
    expect([again.status, again.body]).toEqual([200, first.body]);
  });

  it('from one network place are limited across all accounts', async () => {
    for (let count = 0; count < 5; count += 1) {
      expect(await guess(await test.createUser())).toBe('invalid_reward_code');
    }
    const user = await test.createUser();
    expect(await guess(user)).toBe('too_many_attempts');
    expect(await guess(user, '203.0.113.2')).toBe('invalid_reward_code');
  });

  it('are limited in total, across all accounts and places', { tags: 'long' }, async () => {
    for (let count = 0; count < 8; count += 1) {
      expect(await guess(await test.createUser(), `203.0.113.${count}`)).toBe(
        'invalid_reward_code',
      );
    }
    expect(await guess(await test.createUser(), '203.0.113.200')).toBe('too_many_attempts');
  });

  it(
    'of others stop nobody who is signed in on a known device; its account is limited all the same',
    { tags: 'long' },
    async () => {
      const owner = await openUser(test);
      const remoteAddress = '203.0.113.1';
      const headers = { 'x-device-id': 'd'.repeat(32) };
      await signIn(test, owner.email, PASSWORD, { headers });
      for (let count = 0; count < 9; count += 1) {
        await guess(await test.createUser(), `203.0.113.${1 + (count % 2)}`);
      }
      const [code = '', second = ''] = await createCampaign(test, { codeCount: 2 });
      expect((await redeem(test, owner, code, { remoteAddress })).body.code).toBe(
        'too_many_attempts',
      );
      expect((await redeem(test, owner, code, { headers, remoteAddress })).status).toBe(200);
      const strangers = { 'x-device-id': 'e'.repeat(32) };
      expect(
        (await redeem(test, owner, second, { headers: strangers, remoteAddress })).status,
      ).toBe(429);
      for (let count = 0; count < 3; count += 1) {
        expect((await redeem(test, owner, drawCode(), { headers, remoteAddress })).status).toBe(
          422,
        );
      }
      expect((await redeem(test, owner, second, { headers, remoteAddress })).body.code).toBe(
        'too_many_attempts',
      );
    },
  );

  it('are limited even if they reach two processes at once', { tags: 'long' }, async () => {
    const second = await openSecondApp(test, { env: ENV });
    const user = await test.createUser();
    const answers = await twenty((index) =>
      redeemAtLast(index % 2 ? test : second, user, drawCode()),
    );
    const codes = answers.map(({ body }) => body.code as string);
    expect(codes.filter((code) => code === 'invalid_reward_code')).toHaveLength(3);
    expect(codes.filter((code) => code === 'too_many_attempts')).toHaveLength(17);
    await second.close();
  });

  it(
    'do not include malformed, already claimed, used-up or replayed codes',
    { tags: 'long' },
    async () => {
      const user = await test.createUser();
      const codes = await createCampaign(test, { codeCount: 6 });
      const [first = ''] = codes;
      const key = crypto.randomUUID();
      for (const code of codes) {
        expect(await guess(user, undefined, code)).toBe('ok');
        expect(await guess(user, undefined, code)).toBe('reward_claimed');
        expect(await guess(user, undefined, `${code}0`)).toBe('invalid_reward_code');
      }
      const [other = ''] = await createCampaign(test);
      await redeem(test, user, other, { key });
      for (let count = 0; count < 4; count += 1) {
        expect(await guess(user, undefined, first)).toBe('reward_claimed');
        expect((await redeem(test, user, other, { key })).status).toBe(200);
      }
      for (let count = 0; count < 3; count += 1) {
        expect(await guess(user)).toBe('invalid_reward_code');
      }
      expect(await guess(user)).toBe('too_many_attempts');
      // A replay succeeds, however many guesses were made since.
      expect((await redeem(test, user, other, { key })).status).toBe(200);
    },
  );

  it('are pruned after their hour', async () => {
    await guess(await test.createUser());
    const countRows = async () =>
      (await test.deps.db.selectFrom('attempt_counters').select('subject').execute()).length;
    const prune = async () => {
      await sql`select graphile_worker.add_job('limits_prune')`.execute(test.deps.db);
      await test.runJobs();
    };
    await prune();
    expect(await countRows()).toBe(3);
    advance(HOUR_MS);
    await prune();
    expect(await countRows()).toBe(0);
  });
});
