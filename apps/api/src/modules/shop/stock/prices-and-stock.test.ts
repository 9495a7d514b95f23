/** Prices that apply for a time, and stock as moves. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createOffer } from '../../../../test/build-catalog.ts';
import { publishTestRate } from '../../../../test/card-purchase.ts';
import { offerBody } from '../../../../test/build-offer.ts';
import { consoleAs, type ConsoleCaller } from '../../../../test/console.ts';
import { expectBooksBalance } from '../../../../test/expect-books-balance.ts';
import { ath, balanceOf, buy, refusalOf, twenty } from '../../../../test/shop.ts';
import { createTestApp, stopClock, type TestApp } from '../../../../test/test-app.ts';

const REASON = 'Counted by two people';
const HOUR_MS = 3_600_000;

let test: TestApp;
let manager: ConsoleCaller;
let lead: ConsoleCaller;
let advance: (byMs: number) => void;
beforeAll(async () => {
  test = await createTestApp();
  await publishTestRate(test, '0.1683');
  // The console assigns ids above the highest one, so the ids of the test factory stay free.
  await createOffer(test, { id: 1_000_000 });
});
beforeEach(async () => {
  advance = stopClock(test);
  manager = await consoleAs(test, ['brand_manager'], { organisation: 'brand' });
  lead = await consoleAs(test, ['scanner_lead']);
});
afterEach(() => expectBooksBalance(test.deps.config.databaseUrl));
afterAll(() => test.close());

const at = (hours: number): string => new Date(test.clock.nowMs() + hours * HOUR_MS).toISOString();
const window = (price: string, from: number, to: number) => ({
  price,
  starts_at: at(from),
  ends_at: at(to),
});

describe('a price window', () => {
  it('[O-084] charges its price from its begin to its end, and the catalogue shows it', async () => {
    const ada = await test.createUser({ balance: ath(100) });
    const { category_id: categoryId } = await createOffer(test);
    const body = offerBody(categoryId, {
      price_windows: [window('8000000', 2, 3), window('9000000', 1, 2)],
    });
    const offer = (await manager.call('createOffer', { body })).body;
    const published = await manager.call('publishOffer', {
      params: { id: offer.id },
      version: offer.version,
      body: { reason: REASON },
    });
    expect(published.body.outcome).toBe('done');
    const priceShown = async () => {
      const one = await test.request({ method: 'GET', url: `/api/offers?ids=${offer.id}` });
      const all = await test.request({ method: 'GET', url: `/api/categories/${categoryId}` });
      const shown = all.body.offers.find(({ id }: { id: number }) => id === offer.id);
      expect(shown.amount_cents).toBe(one.body.offers[0].amount_cents);
      return shown.amount_cents;
    };
    let left = 100;
    for (const [afterMs, price] of [
      [0, 10],
      [HOUR_MS - 2_001, 10],
      [2_001, 9],
      [HOUR_MS - 2_001, 9],
      [2_001, 8],
      [HOUR_MS - 2_001, 8],
      [2_001, 10],
    ] as const) {
      advance(afterMs);
      // A cached answer of the catalogue is up to 2 s old.
      expect(await priceShown()).toBe(price * 100);
      const stale = await buy(test, ada, [[offer.id, 1, 1_234]]);
      expect(refusalOf(stale)).toEqual({ status: 409, code: 'price_changed' });
      expect((await buy(test, ada, [[offer.id, 1, price * 100]])).status).toBe(200);
      left -= price;
      expect(await balanceOf(test, ada)).toBe(`${ath(left)}`);
    }
  });

  it.each<[string, [string, number, number][], string]>([
    [
      'overlaps',
      [
        ['1000000', 1, 3],
        ['2000000', 2, 4],
      ],
      '/price_windows/1',
    ],
    [
      'lies within another',
      [
        ['1000000', 1, 9],
        ['2000000', 2, 4],
      ],
      '/price_windows/1',
    ],
    ['ends before it begins', [['1000000', 3, 1]], '/price_windows/0'],
    ['is free', [['0', 1, 2]], '/price_windows/0/price'],
  ])('is refused if it %s', async (_how, given, pointer) => {
    const windows = given.map((one) => window(...one));
    const { category_id: categoryId } = await createOffer(test);
    const { status, body } = await manager.call('createOffer', {
      body: offerBody(categoryId, { price_windows: windows }),
    });
    expect([status, body.errors[0].pointer]).toEqual([400, pointer]);
  });

  it('cannot overlap another one in the table, whoever writes it', async () => {
    const { id } = await createOffer(test);
    const row = (from: number, to: number) => ({
      offer_id: id,
      starts_at: new Date(at(from)),
      ends_at: new Date(at(to)),
      price_ath_hundredths: 100,
    });
    const insert = (from: number, to: number) =>
      test.deps.db.insertInto('offer_prices').values(row(from, to)).execute();
    await insert(1, 2);
    await insert(2, 3);
    await expect(insert(1.5, 1.75)).rejects.toMatchObject({
      constraint: 'offer_prices_one_at_a_time',
    });
  });
});

describe('stock', () => {
  const count = (id: number, left: number, seen: number | null) =>
    lead.call('changeStock', {
      params: { id },
      body: { kind: 'count', left, seen, reason: REASON },
    });
  const correct = (id: number, change: number) =>
    lead.call('changeStock', {
      params: { id },
      body: { kind: 'correction', change, reason: REASON },
    });

  it('is counted, corrected and sold, and its moves tell what was sold between them', async () => {
    const ada = await test.createUser({ balance: ath(1_000) });
    const { id } = await createOffer(test);
    expect((await count(id, 20, null)).body.stock).toMatchObject({ left: 20, sold_since: 0 });
    await buy(test, ada, [[id, 3]]);
    const corrected = await correct(id, -2);
    expect(corrected.body.stock).toMatchObject({
      left: 15,
      moves: [
        { kind: 'correction', before: 17, after: 15, sold_before: 3, staff: { id: lead.staffId } },
        { kind: 'count', before: null, after: 20, sold_before: null },
      ],
    });
    await buy(test, ada, [[id, 4]]);
    const { body } = await manager.call('consoleOffer', { params: { id } });
    expect(body.stock).toMatchObject({ left: 11, sold_since: 4 });
    const freed = await lead.call('changeStock', {
      params: { id },
      body: { kind: 'unlimited', reason: REASON },
    });
    expect(freed.body.stock.left).toBeNull();
    expect(refusalOf(await correct(id, 1))).toEqual({ status: 409, code: 'offer_state' });
  });

  it('below what was sold since the count is refused', async () => {
    const ada = await test.createUser({ balance: ath(1_000) });
    const { id } = await createOffer(test, { stock_left: 10 });
    await buy(test, ada, [[id, 4]]);
    expect(refusalOf(await count(id, 3, 10))).toEqual({ status: 409, code: 'stock_below_sold' });
    expect(refusalOf(await correct(id, -7))).toEqual({ status: 409, code: 'stock_below_sold' });
    expect((await count(id, 9, 10)).body.stock.left).toBe(5);
  });

  it('loses nothing to purchases that come with its corrections, twenty at once', async () => {
    const { id } = await createOffer(test, { stock_left: 30 });
    const users = await Promise.all(
      Array.from({ length: 10 }, () => test.createUser({ balance: ath(20) })),
    );
    const leads = await Promise.all(
      Array.from({ length: 5 }, () => consoleAs(test, ['scanner_lead'])),
    );
    const answers = await twenty((index) => {
      const user = users[index / 2];
      if (index % 2 === 0 && user !== undefined) return buy(test, user, [[id, 1]]);
      const body = { kind: 'correction', change: 1, reason: REASON } as const;
      return (leads[index % 5] ?? lead).call('changeStock', { params: { id }, body });
    });
    const done = answers.filter(({ status }) => status === 200);
    const corrected = done.filter(({ body }) => body.stock !== undefined).length;
    const { stock } = (await manager.call('consoleOffer', { params: { id } })).body;
    expect(stock.left).toBe(30 + corrected - (done.length - corrected));
    const sold = stock.moves.reduce(
      (sum: number, move: { sold_before: number | null }) => sum + (move.sold_before ?? 0),
      30 - (stock.moves.at(-1)?.before ?? 30) + stock.sold_since,
    );
    expect(sold).toBe(done.length - corrected);
  });

  it('comes back with a refund as a move of its own', async () => {
    const ada = await test.createUser({ balance: ath(100) });
    const support = await consoleAs(test, ['support']);
    const { id } = await createOffer(test);
    await count(id, 10, null);
    const bought = await buy(test, ada, [[id, 2]]);
    const refunded = await support.call('refundPurchase', {
      params: { id: bought.body.purchase_id },
      body: {
        lines: [{ line: 0, item_count: 1 }],
        is_stock_returned: true,
        reason: 'Ordered one too many',
      },
    });
    expect(refunded.body.outcome).toBe('done');
    const { body } = await manager.call('consoleOffer', { params: { id } });
    expect(body.stock).toMatchObject({
      left: 9,
      sold_since: 0,
      moves: [
        { kind: 'refund', before: 8, after: 9, sold_before: 2, reason: '' },
        { kind: 'count' },
      ],
    });
  });

  it('raises its alert once no more are left than that', async () => {
    const { id } = await createOffer(test, { stock_left: 5 });
    const alert = await lead.call('setStockAlert', { params: { id }, body: { alert_max: 4 } });
    expect(alert.body.stock).toMatchObject({ alert_max: 4, is_low: false });
    expect((await correct(id, -1)).body.stock.is_low).toBe(true);
  });
});
