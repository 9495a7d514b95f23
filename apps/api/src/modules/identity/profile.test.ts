import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openUser, PASSWORD } from '../../../test/accounts.ts';
import { createTestApp, type TestApp, type TestUser } from '../../../test/test-app.ts';

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());

const profile = (user?: TestUser) =>
  test.request({
    method: 'GET',
    url: '/api/account/profile',
    ...(user === undefined ? {} : { user }),
  });

describe('GET account/profile', () => {
  it('tells the owner, and nobody else, whose account it is', async () => {
    const [ada, ben] = [await openUser(test), await openUser(test)];
    for (const user of [ada, ben]) {
      const { status, body, headers } = await profile(user);
      expect(status).toBe(200);
      expect(body).toEqual({ uuid: user.uuid, email: user.email });
      expect(headers['cache-control']).toBe('no-store');
    }
    expect((await profile()).status).toBe(401);
  });

  it('is over with the account', async () => {
    const ada = await openUser(test);
    await test.request({
      method: 'POST',
      url: '/api/account/delete',
      user: ada,
      payload: { password: PASSWORD },
      key: randomUUID(),
    });
    const { status, body } = await profile(ada);
    expect([status, body.code]).toEqual([401, 'session_ended']);
  });
});
