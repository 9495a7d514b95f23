import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { microAth } from '@athos/domain/money';
import { changeOffer, createOffer, createTier } from '../../../../test/build-catalog.ts';
import { createStaff, createVenue, purchaseCode } from '../../../../test/build-redemption.ts';
import { expectBooksBalance } from '../../../../test/expect-books-balance.ts';
import { ath, balanceOf, buy, cartBody, myPurchases, refusalOf } from '../../../../test/shop.ts';
import { createTestApp, issueTo, type TestApp, type TestUser } from '../../../../test/test-app.ts';
import { systemAccountId, TransferKind, userAccountId } from '../../../ledger/index.ts';

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});
afterEach(() => expectBooksBalance(test.deps.config.databaseUrl));
afterAll(() => test.close());

const HOUR_MS = 3_600_000;
const hoursFromNow = (hours: number): Date => new Date(test.clock.nowMs() + hours * HOUR_MS);

async function merchantBalance(): Promise<bigint> {
  const accountId = systemAccountId('merchant', 'ATH');
  return (await test.deps.ledger.balances([accountId])).get(accountId) ?? 0n;
}

async function stockOf(offerId: number): Promise<number | null> {
  const { stock_left } = await test.deps.db
    .selectFrom('offers')
    .select('stock_left')
    .where('id', '=', offerId)
    .executeTakeFirstOrThrow();
  return stock_left;
}

/** Expects that a refused purchase has left nothing behind. */
async function expectUntouched(user: TestUser, balance: string): Promise<void> {
  expect(await balanceOf(test, user)).toBe(balance);
  expect((await myPurchases(test, user)).body).toEqual({ purchases: [] });
}

describe('POST purchase', () => {
  it('[S7-023] [D-162] [S3-014] [S3-015] [S3-016] returns purchase, items and balance', async () => {
    const user = await test.createUser({ balance: ath(100) });
    const shirt = await createOffer(test, { price_ath_hundredths: 1_250, title: 'A *shirt*' });
    const show = await createOffer(test, { price_ath_hundredths: 2_000, kind: 1 });
    const { status, body } = await buy(test, user, [
      [shirt.id, 2],
      [show.id, 1],
    ]);
    expect(status).toBe(200);
    const item = (offer: typeof shirt) => ({
      id: expect.any(Number),
      purchase_id: body.purchase_id,
      purchase_date: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      redeemed_at: null,
      redeemed_venue: null,
      offer: {
        id: offer.id,
        title: offer.title,
        img: offer.img,
        note: offer.note,
        active: true,
        kind: offer.kind,
        amount_cents: offer.price_ath_hundredths,
        picture: null,
      },
    });
    expect(body).toEqual({
      purchase_id: expect.any(Number),
      items: [item(shirt), item(shirt), item(show)],
      balance: '55000000',
    });
    expect(new Set(body.items.map(({ id }: { id: number }) => id)).size).toBe(3);
    expect(await balanceOf(test, user)).toBe('55000000');
  });

  it('[D-019] keeps every micro-unit of a balance that a float would round', async () => {
    // 9,007,199,254,740,993 is the first whole number that a double cannot hold.
    const part = microAth(1_000_000_000_000_000n);
    const user = await test.createUser({ balance: part });
    for (let count = 1; count < 9; count += 1) await issueTo(test.deps, user.userId, part);
    await issueTo(test.deps, user.userId, microAth(7_199_279_740_993n));
    const offer = await createOffer(test, { price_ath_hundredths: 1_250 });
    const key = randomUUID();
    for (const attempt of ['first', 'replay']) {
      const { body } = await buy(test, user, [[offer.id, 2]], key);
      expect(body.balance, attempt).toBe('9007199254740993');
    }
    expect(await balanceOf(test, user)).toBe('9007199254740993');
  });

  it('pays the merchant account with one transfer per line, under one key', async () => {
    const user = await test.createUser({ balance: ath(100) });
    const [first, second] = [
      await createOffer(test, { price_ath_hundredths: 101 }),
      await createOffer(test, { price_ath_hundredths: 203 }),
    ];
    const before = await merchantBalance();
    const key = randomUUID();
    await buy(
      test,
      user,
      [
        [second.id, 3],
        [first.id, 1],
      ],
      key,
    );
    expect((await merchantBalance()) - before).toBe(7_100_000n);
    const { transfers } = await test.deps.ledger.walkHistory({
      accountIds: [userAccountId(user.userId, 'ATH')],
      limit: 2,
    });
    expect(transfers).toMatchObject([
      { amountUnits: 1_010_000n, kind: TransferKind.Purchase, key, line: 1 },
      { amountUnits: 6_090_000n, kind: TransferKind.Purchase, key, line: 0 },
    ]);
  });

  it('spends the balance to the last micro-unit and not one more', async () => {
    const offer = await createOffer(test, { price_ath_hundredths: 1_234 });
    const [rich, poor] = [
      await test.createUser({ balance: microAth(12_340_000n) }),
      await test.createUser({ balance: microAth(12_339_999n) }),
    ];
    const refused = await buy(test, poor, [[offer.id, 1]]);
    expect(refusalOf(refused)).toEqual({ status: 422, code: 'insufficient_balance' });
    expect(refused.body.detail).toContain('12.34 ATH');
    await expectUntouched(poor, '12339999');
    expect((await buy(test, rich, [[offer.id, 1]])).body.balance).toBe('0');
  });

  it('[D-024] accepts only ATH, and counts only ATH for tiers', async () => {
    const user = await test.createUser({ balance: ath(1_000), asset: 'ATH2' });
    const tier = await createTier(test, { amount_micro_ath: 5_000_000n });
    const offer = await createOffer(test, { price_ath_hundredths: 1 });
    const exclusive = await createOffer(test, { price_ath_hundredths: 1, tier_id_min: tier.id });
    expect((await buy(test, user, [[offer.id, 1]])).body.code).toBe('insufficient_balance');
    expect((await buy(test, user, [[exclusive.id, 1]])).body.code).toBe('tier_too_low');
  });

  it('takes from the stock, down to the last item', async () => {
    const user = await test.createUser({ balance: ath(100) });
    const offer = await createOffer(test, { stock_left: 5 });
    expect((await buy(test, user, [[offer.id, 3]])).status).toBe(200);
    expect(await stockOf(offer.id)).toBe(2);
    const over = await buy(test, user, [[offer.id, 3]]);
    expect(refusalOf(over)).toEqual({ status: 409, code: 'sold_out' });
    expect(over.body.detail).toContain('Only 2 left');
    expect(await stockOf(offer.id)).toBe(2);
    expect((await buy(test, user, [[offer.id, 2]])).status).toBe(200);
    expect(await stockOf(offer.id)).toBe(0);
    expect((await buy(test, user, [[offer.id, 1]])).body.code).toBe('sold_out');
  });

  it("sells one user no more than an offer's limit, counted across all purchases", async () => {
    const [user, other] = [
      await test.createUser({ balance: ath(100) }),
      await test.createUser({ balance: ath(100) }),
    ];
    const offer = await createOffer(test, { user_count_max: 3 });
    expect((await buy(test, user, [[offer.id, 2]])).status).toBe(200);
    const over = await buy(test, user, [[offer.id, 2]]);
    expect(refusalOf(over)).toEqual({ status: 409, code: 'offer_limit_reached' });
    expect(over.body.detail).toContain('1 more');
    expect((await buy(test, other, [[offer.id, 3]])).status).toBe(200);
    expect((await buy(test, user, [[offer.id, 1]])).status).toBe(200);
  });

  it('sells an offer with a minimum tier at its threshold, but not a micro-unit below', async () => {
    const tier = await createTier(test, { title: 'Gold', amount_micro_ath: 20_000_000n });
    const offer = await createOffer(test, { tier_id_min: tier.id });
    const [below, at] = [
      await test.createUser({ balance: microAth(19_999_999n) }),
      await test.createUser({ balance: ath(20) }),
    ];
    const refused = await buy(test, below, [[offer.id, 1]]);
    expect(refusalOf(refused)).toEqual({ status: 422, code: 'tier_too_low' });
    expect(refused.body.detail).toContain('Gold');
    expect((await buy(test, at, [[offer.id, 1]])).status).toBe(200);
  });

  it('sells within the sale window, including its start and excluding its end', async () => {
    const user = await test.createUser({ balance: ath(100) });
    const [early, open, late] = [
      await createOffer(test, { sale_starts_at: hoursFromNow(1) }),
      await createOffer(test, { sale_starts_at: hoursFromNow(-1), sale_ends_at: hoursFromNow(1) }),
      await createOffer(test, { sale_ends_at: hoursFromNow(-1) }),
    ];
    const notYet = await buy(test, user, [[early.id, 1]]);
    expect(refusalOf(notYet)).toEqual({ status: 409, code: 'offer_unavailable' });
    expect(notYet.body.detail).toContain(early.sale_starts_at?.toISOString());
    expect((await buy(test, user, [[late.id, 1]])).body.code).toBe('offer_unavailable');
    expect((await buy(test, user, [[open.id, 1]])).status).toBe(200);
  });

  it('charges the current prices for a cart that states none', async () => {
    const user = await test.createUser({ balance: ath(100) });
    const offer = await createOffer(test, { price_ath_hundredths: 1_000 });
    await changeOffer(test, offer.id, { price_ath_hundredths: 3_000 });
    expect((await buy(test, user, [[offer.id, 1]])).body.balance).toBe('70000000');
  });

  it('refuses a price that has changed since it was seen, up or down', async () => {
    const user = await test.createUser({ balance: ath(100) });
    const offer = await createOffer(test, { price_ath_hundredths: 1_000 });
    for (const seen of [999, 1_001]) {
      const refused = await buy(test, user, [[offer.id, 1, seen]]);
      expect(refusalOf(refused)).toEqual({ status: 409, code: 'price_changed' });
      expect(refused.body.detail).toContain('10.00 ATH');
    }
    await expectUntouched(user, '100000000');
    expect((await buy(test, user, [[offer.id, 1, 1_000]])).status).toBe(200);
  });

  it('keeps items as they were bought when the offer changes', async () => {
    const user = await test.createUser({ balance: ath(100) });
    const offer = await createOffer(test, { title: 'Before', note: 'old', img: '/art/old.svg' });
    await buy(test, user, [[offer.id, 1]]);
    const change = { title: 'After', note: 'new', img: '/art/new.svg', price_ath_hundredths: 9 };
    await changeOffer(test, offer.id, { ...change, active: false });
    const { body } = await myPurchases(test, user);
    expect(body.purchases[0].offer).toMatchObject({
      title: 'Before',
      note: 'old',
      img: '/art/old.svg',
      amount_cents: 1_000,
      active: false,
    });
  });

  it('reports every faulty line, with the code of the most serious fault', async () => {
    const user = await test.createUser({ balance: ath(100) });
    const [good, dearer, empty] = [
      await createOffer(test),
      await createOffer(test),
      await createOffer(test, { stock_left: 0 }),
    ];
    const { body } = await buy(test, user, [
      [good.id, 1, 1_000],
      [dearer.id, 1, 5],
      [empty.id, 1, 1_000],
    ]);
    expect(body).toMatchObject({
      code: 'sold_out',
      offer_id: empty.id,
      errors: [
        { pointer: '/offer_ids/1', message: expect.stringContaining('10.00 ATH') },
        { pointer: '/offer_ids/2', message: expect.stringContaining('sold out') },
      ],
    });
    await expectUntouched(user, '100000000');
  });

  it('buys all of a cart or none of it', async () => {
    const user = await test.createUser({ balance: ath(15) });
    const [first, second] = [
      await createOffer(test, { stock_left: 3 }),
      await createOffer(test, { stock_left: 3 }),
    ];
    const refused = await buy(test, user, [
      [first.id, 1],
      [second.id, 1],
    ]);
    expect(refused.body.code).toBe('insufficient_balance');
    expect([await stockOf(first.id), await stockOf(second.id)]).toEqual([3, 3]);
    await expectUntouched(user, '15000000');
  });

  it('refuses an unknown offer, an inactive one and a tip in the cart', async () => {
    const user = await test.createUser({ balance: ath(100) });
    const [withdrawn, tipJar] = [
      await createOffer(test, { active: false }),
      await createOffer(test, { kind: 3 }),
    ];
    for (const offerId of [2_147_483_647, withdrawn.id, tipJar.id]) {
      const refused = await buy(test, user, [[offerId, 1]]);
      expect(refusalOf(refused)).toEqual({ status: 409, code: 'offer_unavailable' });
      expect(refused.body).toMatchObject({
        offer_id: offerId,
        errors: [{ pointer: '/offer_ids/0' }],
      });
    }
    await expectUntouched(user, '100000000');
  });

  it.each<[string, unknown, string]>([
    ['no ids', { offer_counts: [1] }, '/offer_ids'],
    ['an empty cart', { offer_ids: [], offer_counts: [] }, '/offer_ids'],
    ['51 offers', cartBody(Array.from({ length: 51 }, (_, id) => [id + 1, 1])), '/offer_ids'],
    ['an offer twice', { offer_ids: [1, 1], offer_counts: [1, 1] }, '/offer_ids'],
    ['text for an id', { offer_ids: ['1'], offer_counts: [1] }, '/offer_ids/0'],
    ['an id above 32 bits', { offer_ids: [2 ** 31], offer_counts: [1] }, '/offer_ids/0'],
    ['a count of 0', { offer_ids: [1], offer_counts: [0] }, '/offer_counts/0'],
    ['a count of 100', { offer_ids: [1], offer_counts: [100] }, '/offer_counts/0'],
    ['half an item', { offer_ids: [1], offer_counts: [0.5] }, '/offer_counts/0'],
    ['fewer counts than ids', { offer_ids: [1, 2], offer_counts: [1] }, '/offer_counts'],
    ['more counts than ids', { offer_ids: [1], offer_counts: [1, 1] }, '/offer_counts'],
    [
      'fewer prices than ids',
      { offer_ids: [1, 2], offer_counts: [1, 1], offer_amounts: [1] },
      '/offer_counts',
    ],
  ])('refuses %s', async (_what, payload, pointer) => {
    const user = await test.createUser({ balance: ath(1) });
    const { status, body } = await test.request({
      method: 'POST',
      url: '/api/purchase',
      user,
      payload: payload as object,
    });
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'invalid_request' });
    expect(body.errors[0].pointer).toBe(pointer);
  });

  it('refuses a restricted account without affecting the other carts of the transaction', async () => {
    const offer = await createOffer(test);
    const users = await Promise.all([1, 2, 3].map(() => test.createUser({ balance: ath(10) })));
    const [restricted] = users;
    await test.deps.db
      .transaction()
      .execute((tx) =>
        test.deps.ledger.setAccountState(
          tx,
          userAccountId(restricted?.userId ?? 0n, 'ATH'),
          'restricted',
        ),
      );
    const answers = await Promise.all(users.map((user) => buy(test, user, [[offer.id, 1]])));
    expect(answers.map(({ status }) => status)).toEqual([422, 200, 200]);
    expect(answers[0]?.body.code).toBe('account_restricted');
  });

  it('refuses a caller who is not signed in', async () => {
    const { status, body } = await test.request({
      method: 'POST',
      url: '/api/purchase',
      payload: cartBody([[1, 1]]),
    });
    expect({ status, code: body.code }).toEqual({ status: 401, code: 'unauthenticated' });
  });

  it('buys the largest possible cart', async () => {
    const user = await test.createUser({ balance: ath(10_000) });
    const lines: [number, number][] = [];
    for (let count = 0; count < 50; count += 1) {
      lines.push([(await createOffer(test, { price_ath_hundredths: 1 })).id, 99]);
    }
    const { status, body } = await buy(test, user, lines);
    expect(status).toBe(200);
    expect(body.items).toHaveLength(4_950);
    expect((await myPurchases(test, user)).body.purchases).toHaveLength(4_950);
  });
});

describe('GET my_purchases', () => {
  it('[S7-024] [D-042] [D-134] returns items as `{ purchases }`, the newest purchase first', async () => {
    const user = await test.createUser({ balance: ath(100) });
    const [first, second] = [await createOffer(test), await createOffer(test, { kind: 2 })];
    const older = await buy(test, user, [[first.id, 1]]);
    const newer = await buy(test, user, [
      [second.id, 2],
      [first.id, 1],
    ]);
    const { status, body, headers } = await myPurchases(test, user);
    expect(status).toBe(200);
    expect(body).toEqual({ purchases: [...newer.body.items, ...older.body.items] });
    expect(body.purchases[0].offer).toMatchObject({ active: true, kind: 2, amount_cents: 1_000 });
    expect(headers['cache-control']).toBe('no-store');
  });

  it('returns an empty list if nothing was bought', async () => {
    const user = await test.createUser();
    expect((await myPurchases(test, user)).body).toEqual({ purchases: [] });
  });

  it('[S3-016] [S4-041] leaves redeemed_at empty until an item is redeemed, then says when and where', async () => {
    const user = await test.createUser({ balance: ath(100) });
    const offer = await createOffer(test);
    const key = randomUUID();
    const bought = await buy(test, user, [[offer.id, 2]], key);
    const [first, second] = bought.body.items;
    expect([first.redeemed_at, second.redeemed_at]).toEqual([null, null]);
    const venue = await createVenue(test, 'Harbour Club');
    const redeemed = await test.request({
      method: 'POST',
      url: '/api/scanner/redeem',
      user: await createStaff(test, [venue]),
      payload: { payload: purchaseCode(test, user, [second.id]) },
    });
    expect(redeemed.status).toBe(200);
    expect((await myPurchases(test, user)).body.purchases).toEqual([
      first,
      {
        ...second,
        redeemed_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        redeemed_venue: 'Harbour Club',
      },
    ]);
    // A replay of the purchase still returns the original response.
    expect((await buy(test, user, [[offer.id, 2]], key)).body).toEqual(bought.body);
  });

  it('never shows the purchases of others', async () => {
    const [ada, ben] = [await test.createUser({ balance: ath(10) }), await test.createUser()];
    const offer = await createOffer(test);
    await buy(test, ada, [[offer.id, 1]]);
    expect((await myPurchases(test, ben)).body).toEqual({ purchases: [] });
    expect((await test.request({ method: 'GET', url: '/api/my_purchases' })).status).toBe(401);
  });

  it("shows the offer's current stored picture", async () => {
    const user = await test.createUser({ balance: ath(10) });
    const id = 'ab'.repeat(32);
    await test.deps.db
      .insertInto('pictures')
      .values({ id, width: 800, height: 600, formats: ['webp'] })
      .execute();
    const offer = await createOffer(test, { picture_id: id });
    const { body } = await buy(test, user, [[offer.id, 1]]);
    expect(body.items[0].offer).toMatchObject({
      img: `/media/${id}/640.webp`,
      picture: {
        id,
        width: 800,
        height: 600,
        widths: [320, 640, 1280],
        formats: ['webp'],
        alternative_text: '',
        crop_x: 50,
        crop_y: 50,
      },
    });
    expect((await myPurchases(test, user)).body.purchases).toEqual(body.items);
  });
});

describe('idempotency of POST purchase', () => {
  it('repeats the first response and moves nothing, even if the cart could no longer be bought', async () => {
    const user = await test.createUser({ balance: ath(30) });
    const offer = await createOffer(test, { stock_left: 2, user_count_max: 2 });
    const other = await createOffer(test);
    const key = randomUUID();
    const first = await buy(test, user, [[offer.id, 2, 1_000]], key);
    await buy(test, user, [[other.id, 1]]);
    await changeOffer(test, offer.id, { active: false, price_ath_hundredths: 7, title: 'Other' });
    const again = await buy(test, user, [[offer.id, 2, 1_000]], key.toUpperCase());
    expect(again.status).toBe(200);
    expect(again.body).toEqual(first.body);
    expect(await balanceOf(test, user)).toBe('0');
    expect(await stockOf(offer.id)).toBe(0);
    expect((await myPurchases(test, user)).body.purchases).toHaveLength(3);
  });

  it('refuses the same key with another cart with 409', async () => {
    const user = await test.createUser({ balance: ath(100) });
    const [first, second] = [await createOffer(test), await createOffer(test)];
    const key = randomUUID();
    await buy(
      test,
      user,
      [
        [first.id, 1],
        [second.id, 2],
      ],
      key,
    );
    for (const lines of [
      [[first.id, 1]],
      [
        [first.id, 2],
        [second.id, 2],
      ],
      [
        [second.id, 2],
        [first.id, 1],
      ],
      [
        [first.id, 1],
        [second.id, 2],
        [(await createOffer(test)).id, 1],
      ],
      [
        [first.id, 1, 999],
        [second.id, 2, 1_000],
      ],
    ] as [number, number, number?][][]) {
      expect(refusalOf(await buy(test, user, lines, key))).toEqual({
        status: 409,
        code: 'idempotency_key_reused',
      });
    }
    expect(await balanceOf(test, user)).toBe('70000000');
  });

  it('refuses the key of an earlier send with 409', async () => {
    const [user, recipient] = [
      await test.createUser({ balance: ath(50) }),
      await test.createUser(),
    ];
    const offer = await createOffer(test);
    const key = randomUUID();
    await test.request({
      method: 'POST',
      url: '/api/account/transfer',
      user,
      key,
      payload: { amount: '10000000', to_uuid: recipient.uuid },
    });
    expect((await buy(test, user, [[offer.id, 1]], key)).body.code).toBe('idempotency_key_reused');
    expect(await balanceOf(test, user)).toBe('40000000');
    expect((await myPurchases(test, user)).body.purchases).toEqual([]);
  });

  it('does not use up the key of a refused purchase', async () => {
    const user = await test.createUser({ balance: ath(10) });
    const offer = await createOffer(test, { stock_left: 0 });
    const key = randomUUID();
    expect((await buy(test, user, [[offer.id, 1]], key)).body.code).toBe('sold_out');
    await changeOffer(test, offer.id, { stock_left: 1 });
    expect((await buy(test, user, [[offer.id, 1]], key)).status).toBe(200);
  });

  it('separates the keys of buyers, and treats every request without a key as a new one', async () => {
    const [ada, ben] = [
      await test.createUser({ balance: ath(20) }),
      await test.createUser({ balance: ath(20) }),
    ];
    const offer = await createOffer(test);
    const key = randomUUID();
    for (const user of [ada, ben]) {
      expect((await buy(test, user, [[offer.id, 1]], key)).status).toBe(200);
    }
    const payload = cartBody([[offer.id, 1]]);
    await test.request({ method: 'POST', url: '/api/purchase', user: ada, payload });
    expect(await balanceOf(test, ada)).toBe('0');
    expect(refusalOf(await buy(test, ben, [[offer.id, 1]], 'my-key'))).toEqual({
      status: 400,
      code: 'invalid_idempotency_key',
    });
  });
});
