import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openUser, PASSWORD } from '../../../test/accounts.ts';
import { expectBooksBalance } from '../../../test/expect-books-balance.ts';
import { createTestApp, type TestApp, type TestUser } from '../../../test/test-app.ts';

const MINUTE_MS = 60_000;

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});
afterEach(() => expectBooksBalance(test.deps.config.databaseUrl));
afterAll(() => test.close());

const lookUp = (user: TestUser | undefined, text: unknown) =>
  test.request({
    method: 'POST',
    url: '/api/account/recipient',
    payload: { text },
    ...(user === undefined ? {} : { user }),
  });
const NOBODY = { exists: false, uuid: null };

describe('POST account/recipient', () => {
  it('finds an open account by its uuid, however it is written', async () => {
    const [ada, ben] = [await test.createUser(), await test.createUser()];
    for (const text of [ben.uuid, ` ${ben.uuid.toUpperCase()}\n`]) {
      const { status, body, headers } = await lookUp(ada, text);
      expect(status).toBe(200);
      expect(body).toEqual({ exists: true, uuid: ben.uuid, is_first_time: true });
      expect(headers['cache-control']).toBe('no-store');
    }
  });

  it('answers alike for an unknown account, a closed one and a text that names nobody', async () => {
    const [ada, gone] = [await test.createUser(), await openUser(test)];
    // The address is found once first, so that a cached answer would show.
    expect((await lookUp(ada, gone.uuid)).body.exists).toBe(true);
    const deleted = await test.request({
      method: 'POST',
      url: '/api/account/delete',
      user: gone,
      payload: { password: PASSWORD },
    });
    expect(deleted.status).toBe(200);
    for (const text of [gone.uuid, randomUUID(), 'ben', '', "' or 1=1 --"]) {
      const { status, body } = await lookUp(ada, text);
      expect({ status, body }).toEqual({ status: 200, body: NOBODY });
    }
  });

  it('allows 30 a minute, and counts what is refused towards nothing', async () => {
    const [ada, ben] = [await test.createUser(), await test.createUser()];
    const all = await Promise.all(Array.from({ length: 40 }, () => lookUp(ada, ben.uuid)));
    const statuses = all.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(30);
    const refused = all.find(({ status }) => status === 429);
    expect(refused?.body).toMatchObject({ code: 'too_many_requests' });
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0);
    expect((await lookUp(ben, ada.uuid)).status).toBe(200);
    test.clock.advance(MINUTE_MS);
    expect((await lookUp(ada, ben.uuid)).status).toBe(200);
  });

  it('allows 300 a day', { tags: 'long' }, async () => {
    const [ada, ben] = [await test.createUser(), await test.createUser()];
    for (let minute = 0; minute < 10; minute += 1) {
      const all = await Promise.all(Array.from({ length: 30 }, () => lookUp(ada, ben.uuid)));
      expect(all.every(({ status }) => status === 200)).toBe(true);
      test.clock.advance(MINUTE_MS);
    }
    const { status, headers } = await lookUp(ada, ben.uuid);
    expect(status).toBe(429);
    // The clock advances between the calls.
    const waitSeconds = Number(headers['retry-after']);
    expect(waitSeconds).toBeGreaterThan((24 * 60 - 11) * 60);
    expect(waitSeconds).toBeLessThanOrEqual((24 * 60 - 10) * 60);
  });

  it.each([[undefined], [7], ['x'.repeat(201)]])('refuses the text %j', async (text) => {
    const { status, body } = await lookUp(await test.createUser(), text);
    expect([status, body.code]).toEqual([400, 'invalid_request']);
  });

  it('refuses a caller who is not signed in', async () => {
    expect((await lookUp(undefined, randomUUID())).status).toBe(401);
  });
});
