import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createOffer } from '../../../../test/build-catalog.ts';
import { createStaff, purchaseCode } from '../../../../test/build-redemption.ts';
import { publishTestRate } from '../../../../test/card-purchase.ts';
import { consoleAs, type ConsoleCaller } from '../../../../test/console.ts';
import { expectBooksBalance } from '../../../../test/expect-books-balance.ts';
import { ath, balanceOf, buy, myPurchases, refusalOf, twenty } from '../../../../test/shop.ts';
import {
  createTestApp,
  type TestAnswer,
  type TestApp,
  type TestUser,
} from '../../../../test/test-app.ts';

let test: TestApp;
let support: ConsoleCaller;
let owner: ConsoleCaller;
beforeAll(async () => {
  test = await createTestApp();
  await publishTestRate(test, '0.1683');
});
beforeEach(async () => {
  support = await consoleAs(test, ['support']);
  owner = await consoleAs(test, ['provider_owner']);
});
afterEach(() => expectBooksBalance(test.deps.config.databaseUrl));
afterAll(() => test.close());

const REASON = 'The concert was cancelled';

async function bought(count: number, balance = 200) {
  const ada = await test.createUser({ balance: ath(balance) });
  const offer = await createOffer(test, { stock_left: 100 });
  const { body } = await buy(test, ada, [[offer.id, count]]);
  const items = (await myPurchases(test, ada)).body.purchases;
  const itemIds: number[] = items.map(({ id }: { id: number }) => id);
  return { ada, offer, purchaseId: items[0].purchase_id as number, itemIds, body };
}

const refund = (
  purchaseId: number,
  { by = support, isStockReturned = true, key = randomUUID() } = {},
): Promise<TestAnswer> =>
  by.call('refundPurchaseLine', {
    params: { id: purchaseId, line: 0 },
    body: { is_stock_returned: isStockReturned, reason: REASON },
    key,
  });

const atScanner = (staff: TestUser, action: 'scan' | 'redeem', payload: string) =>
  test.request({
    method: 'POST',
    url: `/api/scanner/${action}`,
    user: staff,
    payload: { payload },
    ...(action === 'redeem' && { key: randomUUID() }),
  });

const stockOf = async (offerId: number) =>
  (
    await test.deps.db
      .selectFrom('offers')
      .select('stock_left')
      .where('id', '=', offerId)
      .executeTakeFirstOrThrow()
  ).stock_left;

describe('the refund of a line', () => {
  it('[O-098] [O-099] returns what is not redeemed to the balance, and voids its items', async () => {
    const { ada, offer, purchaseId, itemIds } = await bought(3);
    const staff = await createStaff(test);
    const redeemed = await atScanner(staff, 'redeem', purchaseCode(test, ada, itemIds.slice(0, 1)));
    expect(redeemed.body.redeemed_count).toBe(1);
    expect((await refund(purchaseId)).body).toEqual({ outcome: 'done' });
    expect(await balanceOf(test, ada)).toBe(ath(190).toString());
    expect(await stockOf(offer.id)).toBe(99);
    const { body } = await support.call('purchaseDetail', { params: { id: purchaseId } });
    const items: { redeemed_at: string | null; voided_at: string | null }[] = body.lines[0].items;
    expect(items.map((item) => [item.redeemed_at !== null, item.voided_at !== null])).toEqual([
      [true, false],
      [false, true],
      [false, true],
    ]);
    const history = await test.request({ method: 'GET', url: '/api/all_history', user: ada });
    expect(history.body.history[0]).toMatchObject({
      type: 'Receive',
      data: { amount: ath(20).toString(), reason: 'purchase_refund' },
    });
    expect(refusalOf(await refund(purchaseId))).toEqual({ status: 409, code: 'not_refundable' });
  });

  it('[O-101] is told apart at the scanner, and leaves the list of the buyer', async () => {
    const { ada, purchaseId, itemIds } = await bought(2);
    const staff = await createStaff(test);
    const payload = purchaseCode(test, ada, itemIds);
    await refund(purchaseId, { isStockReturned: false });
    const scanned = await atScanner(staff, 'scan', payload);
    expect(scanned.body.items.map(({ state }: { state: string }) => state)).toEqual([
      'voided',
      'voided',
    ]);
    const redeemed = await atScanner(staff, 'redeem', payload);
    expect(redeemed.body.redeemed_count).toBe(0);
    expect(redeemed.body.results[0].outcome).toBe('voided');
    expect(JSON.stringify((await myPurchases(test, ada)).body)).not.toContain(
      `"id":${itemIds[0]},`,
    );
  });

  it('above 100 ATH waits, and is stale if an item was redeemed meanwhile', async () => {
    const { ada, purchaseId, itemIds } = await bought(11);
    const staff = await createStaff(test);
    const { body } = await refund(purchaseId);
    expect(body.outcome).toBe('requested');
    expect(await balanceOf(test, ada)).toBe(ath(90).toString());
    await atScanner(staff, 'redeem', purchaseCode(test, ada, itemIds.slice(0, 1)));
    const vote = await owner.call('approveRequest', { params: { id: body.approval_id } });
    expect(vote.body.state).toBe('stale');
    expect((await refund(purchaseId)).body).toEqual({ outcome: 'done' });
    expect(await balanceOf(test, ada)).toBe(ath(190).toString());
  });

  it('happens once when twenty are asked for while the items are redeemed', async () => {
    const { ada, purchaseId, itemIds } = await bought(2);
    const staff = await createStaff(test);
    const people = await Promise.all(
      Array.from({ length: 20 }, () => consoleAs(test, ['support'])),
    );
    const [redeemed, ...refunds] = await Promise.all([
      atScanner(staff, 'redeem', purchaseCode(test, ada, itemIds)),
      ...(
        await twenty((index) =>
          Promise.resolve(() => refund(purchaseId, { by: people[index] ?? support })),
        )
      ).map((ask) => ask()),
    ]);
    const doneCount = refunds.filter(({ status }) => status === 200).length;
    expect(doneCount).toBe(redeemed.body.redeemed_count === 2 ? 0 : 1);
    expect(await balanceOf(test, ada)).toBe(ath(doneCount === 1 ? 200 : 180).toString());
  });
});
