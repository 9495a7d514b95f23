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

interface Asked {
  readonly by?: ConsoleCaller;
  readonly isStockReturned?: boolean;
  readonly call?: 'refundPurchase' | 'refundRedeemed';
}

const refund = (
  purchaseId: number,
  count: number,
  { by = support, isStockReturned = true, call = 'refundPurchase' }: Asked = {},
): Promise<TestAnswer> =>
  by.call(call, {
    params: { id: purchaseId },
    body: {
      lines: [{ line: 0, item_count: count }],
      is_stock_returned: isStockReturned,
      reason: REASON,
    },
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

describe('the refund of what is not redeemed', () => {
  it('[O-098] [O-099] returns what is not redeemed to the balance, and voids its items', async () => {
    const { ada, offer, purchaseId, itemIds } = await bought(3);
    const staff = await createStaff(test);
    const redeemed = await atScanner(staff, 'redeem', purchaseCode(test, ada, itemIds.slice(0, 1)));
    expect(redeemed.body.redeemed_count).toBe(1);
    expect((await refund(purchaseId, 2)).body).toEqual({ outcome: 'done' });
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
    expect(refusalOf(await refund(purchaseId, 1))).toEqual({ status: 409, code: 'not_refundable' });
  });

  it('[O-101] is told apart at the scanner, and leaves the list of the buyer', async () => {
    const { ada, purchaseId, itemIds } = await bought(2);
    const staff = await createStaff(test);
    const payload = purchaseCode(test, ada, itemIds);
    await refund(purchaseId, 2, { isStockReturned: false });
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

  it('above 100 ATH waits, and fails if an item was redeemed meanwhile', async () => {
    const { ada, purchaseId, itemIds } = await bought(11);
    const staff = await createStaff(test);
    const { body } = await refund(purchaseId, 11);
    expect(body.outcome).toBe('requested');
    expect(await balanceOf(test, ada)).toBe(ath(90).toString());
    await atScanner(staff, 'redeem', purchaseCode(test, ada, itemIds.slice(0, 1)));
    const vote = await owner.call('approveRequest', { params: { id: body.approval_id } });
    expect(vote.body.state).toBe('failed');
    expect((await refund(purchaseId, 10)).body).toEqual({ outcome: 'done' });
    expect(await balanceOf(test, ada)).toBe(ath(190).toString());
  });

  it('in parts above 100 ATH for one customer in 30 days waits as a whole one does', async () => {
    const { ada, offer, purchaseId } = await bought(9, 300);
    expect((await refund(purchaseId, 6)).body).toEqual({ outcome: 'done' });
    await buy(test, ada, [[offer.id, 5]]);
    const later = (await myPurchases(test, ada)).body.purchases[0].purchase_id as number;
    const colleague = await consoleAs(test, ['support']);
    const { body } = await refund(later, 5, { by: colleague });
    expect(body.outcome).toBe('requested');
    // Requested refunds count as well, so a smaller part cannot bypass the limit.
    expect((await refund(purchaseId, 1)).body.outcome).toBe('requested');
    expect(await balanceOf(test, ada)).toBe(ath(220).toString());
    const ben = await bought(10);
    expect((await refund(ben.purchaseId, 10)).body).toEqual({ outcome: 'done' });
    test.clock.advance(31 * 24 * 60 * 60_000);
    support = await consoleAs(test, ['support']);
    expect((await refund(purchaseId, 1)).body).toEqual({ outcome: 'done' });
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
          Promise.resolve(() => refund(purchaseId, 2, { by: people[index] ?? support })),
        )
      ).map((ask) => ask()),
    ]);
    const doneCount = refunds.filter(({ status }) => status === 200).length;
    expect(doneCount).toBe(redeemed.body.redeemed_count === 2 ? 0 : 1);
    expect(await balanceOf(test, ada)).toBe(ath(doneCount === 1 ? 200 : 180).toString());
  });
});

describe('the refund of goods that were handed out', () => {
  async function handedOut(count: number) {
    const sold = await bought(count);
    const staff = await createStaff(test);
    const payload = purchaseCode(test, sold.ada, sold.itemIds);
    expect((await atScanner(staff, 'redeem', payload)).body.redeemed_count).toBe(count);
    return { ...sold, staff };
  }

  it('is made by finance alone, once, and leaves the item redeemed', async () => {
    const { ada, offer, purchaseId, itemIds, staff } = await handedOut(2);
    const finance = await consoleAs(test, ['finance']);
    for (const by of [support, owner]) {
      const refused = await refund(purchaseId, 1, { by, call: 'refundRedeemed' });
      expect(refused.body).toMatchObject({
        code: 'permission_missing',
        permission: 'purchases.refund_redeemed',
      });
    }
    expect(refusalOf(await refund(purchaseId, 1)).code).toBe('not_refundable');
    const asked = { by: finance, isStockReturned: false, call: 'refundRedeemed' } as const;
    expect((await refund(purchaseId, 1, asked)).body).toEqual({ outcome: 'done' });
    expect(await balanceOf(test, ada)).toBe(ath(190).toString());
    expect(await stockOf(offer.id)).toBe(98);
    test.clock.advance(1);
    const again = await atScanner(staff, 'scan', purchaseCode(test, ada, itemIds));
    expect(again.body.items.map(({ state }: { state: string }) => state)).toEqual([
      'already_redeemed',
      'already_redeemed',
    ]);
    expect(refusalOf(await refund(purchaseId, 2, asked)).code).toBe('not_refundable');
    const [row] = (await support.call('purchases', { query: { id: purchaseId } })).body.items;
    expect(row).toMatchObject({ open_count: 0, redeemed_count: 1, refunded_count: 1 });
    // A refunded item cannot be made redeemable again.
    const { body } = await support.call('purchaseDetail', { params: { id: purchaseId } });
    const reversal = await support.call('reverseRedemption', {
      params: { id: body.lines[0].items[0].redemption_id },
      body: { item_ids: [...itemIds], reason: REASON },
    });
    expect(refusalOf(reversal).code).toBe('not_reversible');
  });

  it('counts with what was refunded before it was handed out', async () => {
    const { purchaseId, itemIds, ada } = await bought(12);
    const staff = await createStaff(test);
    await atScanner(staff, 'redeem', purchaseCode(test, ada, itemIds.slice(0, 6)));
    expect((await refund(purchaseId, 6)).body).toEqual({ outcome: 'done' });
    const finance = await consoleAs(test, ['finance']);
    const asked = { by: finance, isStockReturned: false, call: 'refundRedeemed' } as const;
    expect((await refund(purchaseId, 5, asked)).body.outcome).toBe('requested');
    expect((await refund(purchaseId, 4, asked)).body.outcome).toBe('requested');
  });

  it('and a reversal at once refund it or make it redeemable, never both', async () => {
    const { ada, purchaseId, itemIds } = await handedOut(1);
    const { body } = await support.call('purchaseDetail', { params: { id: purchaseId } });
    const redemptionId = body.lines[0].items[0].redemption_id as number;
    const finance = await consoleAs(test, ['finance']);
    const [refunded, reversed] = await Promise.all([
      refund(purchaseId, 1, { by: finance, call: 'refundRedeemed' }),
      support.call('reverseRedemption', {
        params: { id: redemptionId },
        body: { item_ids: [...itemIds], reason: REASON },
      }),
    ]);
    expect(new Set([refunded.status, reversed.status])).toEqual(new Set([200, 409]));
    const isRefunded = refunded.status === 200;
    expect(await balanceOf(test, ada)).toBe(ath(isRefunded ? 200 : 190).toString());
    const after = await support.call('purchaseDetail', { params: { id: purchaseId } });
    const [item] = after.body.lines[0].items;
    expect(item.redeemed_at === null).toBe(!isRefunded);
    expect(item.voided_at === null).toBe(!isRefunded);
  });
});

describe('a refund of what was handed out and reversed', () => {
  it('takes a vote, so that nobody refunds goods in two steps', async () => {
    const { ada, purchaseId, itemIds } = await bought(2);
    const staff = await createStaff(test);
    await atScanner(staff, 'redeem', purchaseCode(test, ada, itemIds.slice(0, 1)));
    const { body } = await support.call('purchaseDetail', { params: { id: purchaseId } });
    await support.call('reverseRedemption', {
      params: { id: body.lines[0].items[0].redemption_id },
      body: { item_ids: itemIds.slice(0, 1), reason: REASON },
    });
    // The item that was never handed out is refunded first.
    expect((await refund(purchaseId, 1)).body).toEqual({ outcome: 'done' });
    expect((await refund(purchaseId, 1)).body.outcome).toBe('requested');
    expect(await balanceOf(test, ada)).toBe(ath(190).toString());
  });
});

describe('a refund of several lines', () => {
  it('pays each line with a movement of its own, all or nothing', async () => {
    const ada = await test.createUser({ balance: ath(200) });
    const [one, two] = [
      await createOffer(test, { stock_left: 10 }),
      await createOffer(test, { stock_left: 10 }),
    ];
    await buy(test, ada, [
      [one.id, 2],
      [two.id, 3],
    ]);
    const purchaseId = (await myPurchases(test, ada)).body.purchases[0].purchase_id as number;
    const ask = (lines: readonly { line: number; item_count: number }[]) =>
      support.call('refundPurchase', {
        params: { id: purchaseId },
        body: { lines: [...lines], is_stock_returned: true, reason: REASON },
      });
    const tooMany = await ask([
      { line: 0, item_count: 2 },
      { line: 1, item_count: 4 },
    ]);
    expect(refusalOf(tooMany).code).toBe('not_refundable');
    const twice = await ask([
      { line: 0, item_count: 1 },
      { line: 0, item_count: 1 },
    ]);
    expect(refusalOf(twice).code).toBe('invalid_request');
    expect(refusalOf(await ask([{ line: 7, item_count: 1 }])).code).toBe('not_found');
    expect(await balanceOf(test, ada)).toBe(ath(150).toString());
    const done = await ask([
      { line: 0, item_count: 2 },
      { line: 1, item_count: 1 },
    ]);
    expect(done.body).toEqual({ outcome: 'done' });
    expect(await balanceOf(test, ada)).toBe(ath(180).toString());
    expect([await stockOf(one.id), await stockOf(two.id)]).toEqual([10, 8]);
    const { body } = await support.call('purchaseDetail', { params: { id: purchaseId } });
    const moved = body.transfers.map(
      ({ kind, line, amount }: { kind: string; line: number; amount: string }) =>
        `${kind} ${line} ${amount}`,
    );
    expect(moved).toEqual([
      'purchase 0 20000000',
      'purchase 1 30000000',
      'purchase_refund 0 20000000',
      'purchase_refund 1 10000000',
    ]);
    expect(body.refunds).toMatchObject([
      { state: 'executed', amount: '30000000', is_of_redeemed: false, reason: REASON },
    ]);
  });
});

describe('the list of purchases', () => {
  it('is narrowed by customer and time, page by page', async () => {
    const ada = await test.createUser({ balance: ath(200) });
    const offer = await createOffer(test);
    const ids: number[] = [];
    const times: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      test.clock.advance(60 * 60_000);
      times.push(new Date(test.clock.nowMs()).toISOString());
      await buy(test, ada, [[offer.id, 1]]);
      ids.push((await myPurchases(test, ada)).body.purchases[0].purchase_id as number);
    }
    const signedIn = await consoleAs(test, ['auditor']);
    const list = async (query: object) => {
      const { body } = await signedIn.call('purchases', { query });
      return body as { items: { id: number }[]; next_cursor: string; count: { value: number } };
    };
    const mine = await list({ customer_uuid: ada.uuid, limit: 2 });
    expect(mine.items.map(({ id }) => id)).toEqual([ids[2], ids[1]]);
    expect(mine.count.value).toBe(3);
    const next = await list({ customer_uuid: ada.uuid, limit: 2, cursor: mine.next_cursor });
    expect(next.items.map(({ id }) => id)).toEqual([ids[0]]);
    const [from, to] = [times[1], times[2]];
    expect((await list({ from, to })).items.map(({ id }) => id)).toEqual([ids[1]]);
    expect((await list({ from })).items.map(({ id }) => id)).toEqual([ids[2], ids[1]]);
    expect((await list({ customer_uuid: randomUUID() })).items).toEqual([]);
    expect((await list({ id: ids[0] })).items.map(({ id }) => id)).toEqual([ids[0]]);
    const editor = await consoleAs(test, ['catalogue_editor']);
    expect(refusalOf(await editor.call('purchases', {})).code).toBe('permission_missing');
  });
});
