import { afterAll, beforeAll, expect, it } from 'vitest';
import { createItems, createStaff, purchaseCode } from '../../../test/build-redemption.ts';
import { createTestApp, type TestApp } from '../../../test/test-app.ts';
import { addRefusedScans } from './scans.sql.ts';
import { enqueueJob } from '../../platform/jobs/enqueue.ts';

const DAY_MS = 24 * 60 * 60_000;

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());

it('deletes scans and refusals after 90 days and redemptions after 500', async () => {
  const [staff, user] = [await createStaff(test), await test.createUser()];
  const { itemIds } = await createItems(test, user);
  const send = (path: 'scan' | 'redeem', payload: string) =>
    test.request({
      method: 'POST',
      url: `/api/scanner/${path}`,
      user: staff,
      payload: { payload },
    });
  const code = purchaseCode(test, user, itemIds);
  await send('scan', code);
  await send('scan', 'no code');
  expect((await send('redeem', code)).body.redeemed_count).toBe(1);
  const keptAfter = async (days: number): Promise<string[]> => {
    test.clock.advance(days * DAY_MS);
    await enqueueJob(test.deps.db, 'scanner_prune', {});
    await test.runJobs();
    const scans = await test.deps.db.selectFrom('scans').selectAll().orderBy('id').execute();
    return scans.map(({ action, outcome }) => `${action} ${outcome}`);
  };
  expect(await keptAfter(89)).toEqual(['scan ok', 'scan unreadable_code', 'redeem ok']);
  expect(await keptAfter(1)).toEqual(['redeem ok']);
  expect(await keptAfter(409)).toEqual(['redeem ok']);
  expect(await keptAfter(1)).toEqual([]);
  expect(await test.deps.db.selectFrom('redemptions').select('id').execute()).toHaveLength(1);
  const items = await test.deps.db.selectFrom('purchase_items').select('redeemed_at').execute();
  expect(items.map((item) => item.redeemed_at !== null)).toEqual([true]);
});

it('deletes answers of redemptions that redeemed nothing, and counts of refused scans, after 90 days', async () => {
  const [staff, user] = [await createStaff(test), await test.createUser()];
  const { itemIds } = await createItems(test, user);
  const code = purchaseCode(test, user, itemIds);
  const redeem = () =>
    test.request({
      method: 'POST',
      url: '/api/scanner/redeem',
      user: staff,
      payload: { payload: code },
    });
  expect((await redeem()).body.redeemed_count).toBe(1);
  expect((await redeem()).body.redeemed_count).toBe(0);
  const at = new Date(test.clock.nowMs());
  await addRefusedScans(test.deps.db, { userId: staff.userId, at, count: 3 });
  const countsAfter = async (days: number): Promise<[redemptions: number, refused: number]> => {
    test.clock.advance(days * DAY_MS);
    await enqueueJob(test.deps.db, 'scanner_prune', {});
    await test.runJobs();
    const { db } = test.deps;
    const redemptions = db.selectFrom('redemptions').where('user_id', '=', staff.userId);
    const refused = db.selectFrom('refused_scans').where('user_id', '=', staff.userId);
    return [
      (await redemptions.select('id').execute()).length,
      (await refused.select('hour').execute()).length,
    ];
  };
  expect(await countsAfter(89)).toEqual([2, 1]);
  expect(await countsAfter(2)).toEqual([1, 0]);
});
