/** The limits that keep one user from filling the journal at no cost: the smallest amount, and the count of 24 hours. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expectBooksBalance } from '../../../test/expect-books-balance.ts';
import { openSecondApp, type SecondApp } from '../../../test/second-app.ts';
import { ath } from '../../../test/shop.ts';
import {
  createTestApp,
  type TestAnswer,
  type TestApp,
  type TestUser,
} from '../../../test/test-app.ts';
import { changeProgramme } from '../../platform/settings/programme-settings.ts';

const HOUR_MS = 3_600_000;
const env = { SENDS_PER_SECOND: '10000' };

let test: TestApp;
let eve: TestUser;
beforeAll(async () => {
  test = await createTestApp({ env });
  eve = await test.createUser();
});
beforeEach(async () => {
  await sql`truncate programme_settings`.execute(test.admin);
  await sql`select pg_notify('programme_changed', '')`.execute(test.deps.db);
  await expect.poll(async () => (await test.deps.programme()).sendsPerDayMax).toBe(2_000);
});
afterEach(() => expectBooksBalance(test.deps.config.databaseUrl));
afterAll(() => test.close());

async function set(key: string, value: number): Promise<void> {
  await changeProgramme(test.deps.db, { key, value, by: 'test', at: new Date() });
  await expect
    .poll(async () => Object.values(await test.deps.programme()).map(Number))
    .toContain(value);
}

interface Sending {
  readonly amount?: string;
  readonly key?: string;
  readonly app?: Pick<TestApp, 'request'>;
}
const send = (user: TestUser, { amount = '1', key = randomUUID(), app = test }: Sending = {}) =>
  app.request({
    method: 'POST',
    url: '/api/account/transfer',
    payload: { to_uuid: eve.uuid, amount },
    key,
    user,
  });

/** Sends one after the other in groups, and counts the answers by status or code. */
async function sendOften(user: TestUser, count: number, atOnce = 20) {
  const answers: TestAnswer[] = [];
  while (answers.length < count) {
    const group = Array.from({ length: Math.min(atOnce, count - answers.length) }, () =>
      send(user),
    );
    answers.push(...(await Promise.all(group)));
  }
  const counts: Record<string, number> = {};
  for (const { status, body } of answers) {
    const name = status === 200 ? 'sent' : `${status} ${body.code}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

async function balanceOf(user: TestUser): Promise<string> {
  return (await test.request({ method: 'GET', url: '/api/account/balance', user })).body.balance;
}

describe('the count of sends', () => {
  it(
    'ends a flood of 1 micro-unit at 2,000 in 24 hours; replays are still answered',
    { tags: 'long' },
    async () => {
      const mallory = await test.createUser({ balance: ath(1) });
      const key = randomUUID();
      const first = await send(mallory, { key });
      expect(await sendOften(mallory, 2_500)).toEqual({
        sent: 1_999,
        '409 send_limit_reached': 501,
      });
      expect(await balanceOf(mallory)).toBe('998000');
      const replay = await send(mallory, { key });
      expect([replay.status, replay.body]).toEqual([200, first.body]);
      const reused = await send(mallory, { key, amount: '2' });
      expect([reused.status, reused.body.code]).toEqual([409, 'idempotency_key_reused']);
      const refused = await send(mallory);
      expect(refused.body.detail).toBe('Nothing was sent. Send again when 24 hours are over.');
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(86_000);
      expect((await send(await test.createUser({ balance: ath(1) }))).status).toBe(200);

      test.clock.advance(24 * HOUR_MS);
      const { db, sessions } = test.deps;
      const token = await db
        .transaction()
        .execute((tx) => sessions.open(tx, { ...mallory, userUuid: mallory.uuid }));
      expect(await sendOften({ ...mallory, token }, 2_001)).toEqual({
        sent: 2_000,
        '409 send_limit_reached': 1,
      });
    },
  );

  it('counts neither refused sends nor replays', async () => {
    await set('sends_per_day_max', 5);
    const ada = await test.createUser({ balance: ath(1) });
    const key = randomUUID();
    for (let count = 0; count < 10; count += 1) {
      expect((await send(ada, { key })).status).toBe(200);
      expect((await send(ada, { amount: '2000000' })).body.code).toBe('insufficient_balance');
    }
    expect(await sendOften(ada, 10)).toEqual({ sent: 4, '409 send_limit_reached': 6 });
  });

  it('counts no more than the limit if a hundred are sent at once', async () => {
    await set('sends_per_day_max', 40);
    const ada = await test.createUser({ balance: ath(1) });
    expect(await sendOften(ada, 100, 100)).toEqual({ sent: 40, '409 send_limit_reached': 60 });
  });

  it('is shared by all processes and outlives them, but for a twentieth of the limit', async () => {
    await set('sends_per_day_max', 40);
    const ada = await test.createUser({ balance: ath(1) });
    const sentBy = async (app: Pick<TestApp, 'request'>, tries: number) => {
      let sent = 0;
      for (let count = 0; count < tries; count += 1) {
        if ((await send(ada, { app })).status === 200) sent += 1;
      }
      return sent;
    };
    let second: SecondApp | undefined;
    try {
      second = await openSecondApp(test, { env });
      let sent = 0;
      for (let round = 0; round < 30; round += 1) {
        sent += (await sentBy(test, 1)) + (await sentBy(second, 1));
      }
      expect(sent).toBeGreaterThanOrEqual(40);
      expect(sent).toBeLessThanOrEqual(42);
      await second.close();
      second = await openSecondApp(test, { env });
      expect(await sentBy(second, 10)).toBeLessThanOrEqual(2);
    } finally {
      await second?.close();
    }
  });

  it('costs an honest user no statement', async () => {
    const ada = await test.createUser({ balance: ath(1) });
    expect(await sendOften(ada, 99)).toEqual({ sent: 99 });
    const { rows } = await sql`select from attempt_counters`.execute(test.deps.db);
    const before = rows.length;
    expect(await sendOften(ada, 2)).toEqual({ sent: 2 });
    const after = await sql`select from attempt_counters`.execute(test.deps.db);
    expect(after.rows.length).toBe(before + 1);
  });
});

describe('the smallest amount of a send', () => {
  it('is one micro-unit by default, and a setting of the programme', async () => {
    const ada = await test.createUser({ balance: ath(1) });
    const key = randomUUID();
    const first = await send(ada, { amount: '1', key });
    expect(first.status).toBe(200);
    await set('send_units_min', 10_000);
    const refused = await send(ada, { amount: '9999' });
    expect([refused.status, refused.body.code, refused.body.detail]).toEqual([
      422,
      'amount_below_minimum',
      'Nothing was sent. Send at least 0.01.',
    ]);
    expect((await send(ada, { amount: '10000' })).status).toBe(200);
    expect(await balanceOf(ada)).toBe('989999');
    // The replay of a send that was accepted before the setting changed.
    expect((await send(ada, { amount: '1', key })).body).toEqual(first.body);
    expect(await balanceOf(ada)).toBe('989999');
  });
});
