import { afterAll, beforeAll, expect, it } from 'vitest';
import { microAth } from '@athos/domain/money';
import { createFreezableProxy, type FreezableProxy } from '../../../test/freezable-proxy.ts';
import { recordLog } from '../../../test/recorded-log.ts';
import { createTestApp, type TestApp } from '../../../test/test-app.ts';
import { copyTemplate } from '../../../test/test-database.ts';

let template: Awaited<ReturnType<typeof copyTemplate>>;
let proxy: FreezableProxy;
let test: TestApp;
const { log, lines } = recordLog();
beforeAll(async () => {
  template = await copyTemplate();
  proxy = await createFreezableProxy(template.url);
  test = await createTestApp({ log, env: { DATABASE_URL: proxy.url } });
});
afterAll(async () => {
  proxy.cutAndHeal();
  await test.close();
  await proxy.close();
  await template.drop();
});

it(
  'ends a request at its limit if every step of the database is slow, and a retry with the key tells the outcome',
  { tags: 'long' },
  async () => {
    const sender = await test.createUser({ balance: microAth(5_000_000n) });
    const recipient = await test.createUser();
    const send = {
      method: 'POST',
      url: '/api/account/transfer',
      payload: { amount: '1000000', to_uuid: recipient.uuid },
      user: sender,
      key: '01900000-0000-7000-8000-000000000001',
    } as const;
    // Looking up the session, looking up the recipient and posting each stay within their own limit. Together they would take
    // 6.6 s and succeed.
    proxy.delayAnswers(2_200);
    const { status, body, headers } = await test.request(send);
    expect({ status, code: body.code, wait: headers['retry-after'] }).toEqual({
      status: 503,
      code: 'try_again',
      wait: '1',
    });
    const failed = lines.find((line) => line.includes('request failed')) ?? '';
    expect(JSON.parse(failed)).toMatchObject({ problem: 'try_again' });
    expect(failed).not.toContain('stack');
    proxy.cutAndHeal();
    await expect.poll(async () => (await test.request(send)).status).toBe(200);
    expect((await test.request(send)).body.balance).toBe('4000000');
  },
);
