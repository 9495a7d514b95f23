import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApiProcess, type ApiProcess } from '../../../test/api-process.ts';
import { createItems, createStaff, purchaseCode } from '../../../test/build-redemption.ts';
import { createTestApp, type TestApp, type TestUser } from '../../../test/test-app.ts';

const SCANNERS = 8;
const KILLED_AFTER_COUNT = 40;
const ITEMS_PER_CODE = 3;

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

interface Redeeming {
  readonly user: TestUser;
  readonly key: string;
  readonly payload: string;
  readonly itemIds: readonly number[];
}

const redeemedTimes = async (itemIds: readonly number[]): Promise<(string | undefined)[]> => {
  const rows = await test.deps.db
    .selectFrom('purchase_items')
    .select('redeemed_at')
    .where('id', 'in', itemIds.map(BigInt))
    .execute();
  return rows.map(({ redeemed_at: at }) => at?.toISOString());
};

it('a redemption is complete or absent after the API is killed, and its key tells which', async () => {
  const ada = await test.createUser();
  const scanners = await Promise.all(Array.from({ length: SCANNERS }, () => createStaff(test)));
  const { itemIds } = await createItems(test, ada, { count: 99 });
  const { itemIds: more } = await createItems(test, ada, { count: 99 });
  const codes: (readonly number[])[] = [];
  for (const items of [itemIds, more]) {
    for (let at = 0; at < items.length; at += ITEMS_PER_CODE) {
      codes.push(items.slice(at, at + ITEMS_PER_CODE));
    }
  }
  const asked: Redeeming[] = [];
  const answers = new Map<string, unknown>();
  let killed: Promise<void> | undefined;

  /** Redeems code after code until the API is killed. */
  async function keepRedeeming(user: TestUser): Promise<void> {
    while (killed === undefined) {
      const ids = codes.pop();
      if (ids === undefined) return;
      const redeeming = {
        user,
        key: randomUUID(),
        payload: purchaseCode(test, ada, ids),
        itemIds: ids,
      };
      asked.push(redeeming);
      try {
        const answering = api.post('/api/scanner/redeem', {
          user,
          key: redeeming.key,
          payload: { payload: redeeming.payload },
        });
        // The kill happens at the moment of a request, so that at least this one gets no answer.
        if (asked.length === KILLED_AFTER_COUNT) killed = api.kill();
        const answer = await answering;
        expect(answer.status).toBe(200);
        answers.set(redeeming.key, await answer.json());
      } catch (error) {
        if (killed === undefined) throw error;
        return;
      }
    }
  }
  await Promise.all(scanners.map(keepRedeeming));
  await killed;
  expect(asked.filter(({ key }) => !answers.has(key)).length).toBeGreaterThan(0);

  for (const { itemIds: ids } of asked) {
    expect(new Set(await redeemedTimes(ids)).size).toBe(1);
  }
  for (const { user, key, payload, itemIds: ids } of asked) {
    const again = await test.request({
      method: 'POST',
      url: '/api/scanner/redeem',
      user,
      key,
      payload: { payload },
    });
    expect(again).toMatchObject({ status: 200, body: { redeemed_count: ITEMS_PER_CODE } });
    expect(again.body).toEqual(answers.get(key) ?? again.body);
    expect(new Set(await redeemedTimes(ids))).toEqual(new Set([again.body.results[0].redeemed_at]));
  }
});
