/** Rows that somebody with full rights over the database has changed after they were sealed. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { tamperAmount } from '../../../test/raw-ledger.ts';
import { recordLog } from '../../../test/recorded-log.ts';
import { createSealer } from '../../../test/seals.ts';
import { ath, refusalOf } from '../../../test/shop.ts';
import { createTestApp, type TestApp, type TestUser } from '../../../test/test-app.ts';
import { verifySeals } from './verify-seals.ts';

const recorded = recordLog();
let test: TestApp;
let ada: TestUser;
let ben: TestUser;
beforeAll(async () => {
  test = await createTestApp({ log: recorded.log });
  [ada, ben] = [await test.createUser({ balance: ath(100) }), await test.createUser()];
});
afterAll(() => test.close());

it('a changed movement has no receipt, raises an alarm, and is found under the head of its day', async () => {
  const payload = { amount: '2500000', to_uuid: ben.uuid };
  const url = '/api/account/transfer';
  const key = randomUUID();
  const { body } = await test.request({ method: 'POST', url, payload, key, user: ada });
  await createSealer(test).endDay();
  const ask = () =>
    test.request({ method: 'GET', url: `/api/all_history/${body.id}/receipt`, user: ada });
  const share = await test.request({
    method: 'POST',
    url: `/api/all_history/${body.id}/share`,
    payload: {},
    user: ada,
  });
  const token = new URL(share.body.link).hash.slice(1);
  const show = () =>
    test.request({ method: 'POST', url: '/api/shared_receipt', payload: { token } });
  const { db, config, keys } = test.deps;
  const verified = () => verifySeals({ db, receiptKeys: config.receiptKeys, keys });
  expect((await ask()).status).toBe(200);
  expect(await verified()).toMatchObject({ fault: undefined });

  await tamperAmount(test.admin, BigInt(body.id), 1);
  const changed = { status: 500, code: 'movement_changed' };
  expect(refusalOf(await ask())).toEqual(changed);
  expect(refusalOf(await show())).toEqual(changed);
  expect(recorded.lines.filter((line) => line.includes('"alarm":"movement_changed"'))).toHaveLength(
    2,
  );
  expect((await verified()).fault).toContain('not as they were sealed');

  await tamperAmount(test.admin, BigInt(body.id), -1);
  expect((await ask()).body.receipt.day).not.toBeNull();
});
