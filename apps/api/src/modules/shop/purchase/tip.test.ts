import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { changeOffer, createOffer, createTier } from '../../../../test/build-catalog.ts';
import { expectBooksBalance } from '../../../../test/expect-books-balance.ts';
import { recordLog } from '../../../../test/recorded-log.ts';
import { ath, balanceOf, buy, refusalOf, tip } from '../../../../test/shop.ts';
import { createTestApp, type TestApp } from '../../../../test/test-app.ts';
import { systemAccountId, TransferKind, userAccountId } from '../../../ledger/index.ts';

const { log, lines } = recordLog();
let test: TestApp;
beforeAll(async () => {
  test = await createTestApp({ log });
});
afterEach(() => expectBooksBalance(test.deps.config.databaseUrl));
afterAll(() => test.close());

const tipRows = (userId: bigint) =>
  test.deps.db.selectFrom('tips').selectAll().where('user_id', '=', userId).execute();

describe('POST account/tip', () => {
  it('[S7-018] [D-163] [S5-027] takes the amount as a string and returns id and balance', async () => {
    const user = await test.createUser({ balance: ath(10) });
    const offer = await createOffer(test, { kind: 3 });
    const key = randomUUID();
    const { status, body } = await tip(
      test,
      user,
      { offer_id: offer.id, amount: '2500000', tip_from: ' Ada ', note: 'Thank you' },
      key,
    );
    expect(status).toBe(200);
    expect(body).toEqual({ id: expect.any(Number), balance: '7500000' });
    expect(await test.deps.ledger.transferById(BigInt(body.id))).toMatchObject({
      debitAccountId: userAccountId(user.userId, 'ATH'),
      creditAccountId: systemAccountId('merchant', 'ATH'),
      amountUnits: 2_500_000n,
      kind: TransferKind.Tip,
      key,
    });
    const inNumbers = await tip(test, user, { offer_id: offer.id, amount: 2_500_000 });
    expect(refusalOf(inNumbers)).toEqual({ status: 400, code: 'invalid_request' });
    expect(await tipRows(user.userId)).toMatchObject([
      {
        offer_id: offer.id,
        amount_ath_hundredths: 250n,
        tip_from: 'Ada',
        note: 'Thank you',
        offer_title: offer.title,
        beneficiary_user_id: null,
      },
    ]);
  });

  it('pays the beneficiary of the offer', async () => {
    const [user, artist] = [await test.createUser({ balance: ath(10) }), await test.createUser()];
    const offer = await createOffer(test, { kind: 3, beneficiary_user_id: artist.userId });
    expect((await tip(test, user, { offer_id: offer.id, amount: '10000000' })).status).toBe(200);
    expect(await balanceOf(test, user)).toBe('0');
    expect(await balanceOf(test, artist)).toBe('10000000');
  });

  it('logs neither name nor note, whether it tips or refuses', async () => {
    const user = await test.createUser({ balance: ath(1) });
    const offer = await createOffer(test, { kind: 3 });
    const words = { tip_from: 'Augusta King', note: 'For the engine' };
    await tip(test, user, { offer_id: offer.id, amount: '10000', ...words });
    await tip(test, user, { offer_id: offer.id, amount: '9000000', ...words });
    await tip(test, user, { offer_id: offer.id, amount: 'x', ...words });
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.join('')).not.toMatch(/Augusta|engine/);
  });

  it('needs neither name nor note', async () => {
    const user = await test.createUser({ balance: ath(10) });
    const offer = await createOffer(test, { kind: 3 });
    expect((await tip(test, user, { offer_id: offer.id, amount: '10000' })).status).toBe(200);
    expect(await tipRows(user.userId)).toMatchObject([{ tip_from: '', note: '' }]);
  });

  it('[D-179] accepts only whole hundredths of an ATH, and refuses anything else with 422', async () => {
    const user = await test.createUser({ balance: ath(10) });
    const offer = await createOffer(test, { kind: 3 });
    for (const amount of ['1', '9999', '10001', '1234567']) {
      const refused = await tip(test, user, { offer_id: offer.id, amount });
      expect(refusalOf(refused)).toEqual({ status: 422, code: 'tip_not_whole' });
    }
    expect(await balanceOf(test, user)).toBe('10000000');
    expect((await tip(test, user, { offer_id: offer.id, amount: '1230000' })).status).toBe(200);
  });

  it('refuses a null character, which PostgreSQL cannot store', async () => {
    const user = await test.createUser({ balance: ath(10) });
    const offer = await createOffer(test, { kind: 3 });
    for (const words of [{ tip_from: 'A\0da' }, { note: 'Thank\0you' }]) {
      const refused = await tip(test, user, { offer_id: offer.id, amount: '10000', ...words });
      expect(refusalOf(refused)).toEqual({ status: 400, code: 'invalid_request' });
    }
  });

  it('has neither stock nor a limit per user: the table rejects both for a tip offer', async () => {
    const offer = await createOffer(test, { kind: 3 });
    for (const change of [{ stock_left: 0 }, { user_count_max: 1 }]) {
      await expect(changeOffer(test, offer.id, change)).rejects.toThrow(
        'offers_tips_are_not_counted',
      );
    }
  });

  it('[D-024] accepts only ATH', async () => {
    const user = await test.createUser({ balance: ath(10), asset: 'ATH3' });
    const offer = await createOffer(test, { kind: 3 });
    const refused = await tip(test, user, { offer_id: offer.id, amount: '10000' });
    expect(refusalOf(refused)).toEqual({ status: 422, code: 'insufficient_balance' });
  });

  it('refuses an offer that does not take tips at the moment, and names it', async () => {
    const user = await test.createUser({ balance: ath(10) });
    const anHourMs = 3_600_000;
    const now = test.clock.nowMs();
    const offers = [
      await createOffer(test),
      await createOffer(test, { kind: 3, active: false }),
      await createOffer(test, { kind: 3, sale_starts_at: new Date(now + anHourMs) }),
      await createOffer(test, { kind: 3, sale_ends_at: new Date(now - anHourMs) }),
      { id: 2_147_483_647 },
    ];
    for (const { id } of offers) {
      const refused = await tip(test, user, { offer_id: id, amount: '10000' });
      expect(refusalOf(refused)).toEqual({ status: 409, code: 'offer_unavailable' });
      expect(refused.body).toMatchObject({ offer_id: id, errors: [{ pointer: '/offer_id' }] });
    }
    expect(await tipRows(user.userId)).toEqual([]);
  });

  it("refuses a giver below the offer's tier, and a tip to oneself", async () => {
    const user = await test.createUser({ balance: ath(10) });
    const tier = await createTier(test, { amount_micro_ath: 10_000_001n });
    const high = await createOffer(test, { kind: 3, tier_id_min: tier.id });
    const own = await createOffer(test, { kind: 3, beneficiary_user_id: user.userId });
    expect(refusalOf(await tip(test, user, { offer_id: high.id, amount: '10000' }))).toEqual({
      status: 422,
      code: 'tier_too_low',
    });
    expect(refusalOf(await tip(test, user, { offer_id: own.id, amount: '10000' }))).toEqual({
      status: 422,
      code: 'recipient_is_sender',
    });
  });

  it('refuses more than the balance, and more than any transfer may move', async () => {
    const user = await test.createUser({ balance: ath(10) });
    const offer = await createOffer(test, { kind: 3 });
    for (const [amount, code] of [
      ['10010000', 'insufficient_balance'],
      ['9999999999990000', 'amount_above_maximum'],
    ]) {
      expect((await tip(test, user, { offer_id: offer.id, amount })).body.code).toBe(code);
    }
    expect(await tipRows(user.userId)).toEqual([]);
    expect(await balanceOf(test, user)).toBe('10000000');
  });

  it.each<[string, Readonly<Record<string, unknown>>, string]>([
    ['no offer', { amount: '10000' }, '/offer_id'],
    ['a number for the amount', { offer_id: 1, amount: 10_000 }, '/amount'],
    ['nothing', { offer_id: 1, amount: '0' }, '/amount'],
    ['a negative amount', { offer_id: 1, amount: '-10000' }, '/amount'],
    ['61 characters of name', { offer_id: 1, amount: '1', tip_from: 'x'.repeat(61) }, '/tip_from'],
    ['281 characters of note', { offer_id: 1, amount: '1', note: 'x'.repeat(281) }, '/note'],
  ])('refuses %s', async (_what, payload, pointer) => {
    const user = await test.createUser();
    const { status, body } = await tip(test, user, payload);
    expect({ status, pointer: body.errors?.[0]?.pointer }).toEqual({ status: 400, pointer });
  });

  it('refuses a caller who is not signed in', async () => {
    const answer = await test.request({
      method: 'POST',
      url: '/api/account/tip',
      payload: { offer_id: 1, amount: '10000' },
    });
    expect(refusalOf(answer)).toEqual({ status: 401, code: 'unauthenticated' });
  });

  it("refuses a tip whose beneficiary's account is closed", async () => {
    const [user, artist] = [await test.createUser({ balance: ath(10) }), await test.createUser()];
    const offer = await createOffer(test, { kind: 3, beneficiary_user_id: artist.userId });
    await test.deps.db
      .transaction()
      .execute((tx) =>
        test.deps.ledger.setAccountState(tx, userAccountId(artist.userId, 'ATH'), 'closed'),
      );
    const refused = await tip(test, user, { offer_id: offer.id, amount: '10000' });
    expect(refusalOf(refused)).toEqual({ status: 409, code: 'offer_unavailable' });
    expect(await tipRows(user.userId)).toEqual([]);
  });
});

describe('idempotency of POST account/tip', () => {
  it('repeats the first response, even if the offer has a new beneficiary', async () => {
    const [user, artist] = [await test.createUser({ balance: ath(10) }), await test.createUser()];
    const offer = await createOffer(test, { kind: 3, beneficiary_user_id: artist.userId });
    const key = randomUUID();
    const payload = { offer_id: offer.id, amount: '4000000', tip_from: 'Ada', note: 'n' };
    const first = await tip(test, user, payload, key);
    await tip(test, user, { offer_id: offer.id, amount: '1000000' });
    await changeOffer(test, offer.id, { active: false, beneficiary_user_id: null });
    const again = await tip(test, user, payload, key.toUpperCase());
    expect(again).toMatchObject({ status: 200, body: first.body });
    expect(await balanceOf(test, user)).toBe('5000000');
    expect(await balanceOf(test, artist)).toBe('5000000');
  });

  it('refuses the same key with another offer, amount, name or note, or after a purchase, with 409', async () => {
    const user = await test.createUser({ balance: ath(100) });
    const [offer, other] = [
      await createOffer(test, { kind: 3 }),
      await createOffer(test, { kind: 3 }),
    ];
    const key = randomUUID();
    const payload = { offer_id: offer.id, amount: '1000000', tip_from: 'Ada', note: 'n' };
    await tip(test, user, payload, key);
    for (const change of [
      { offer_id: other.id },
      { amount: '1010000' },
      { tip_from: 'Ben' },
      { note: '' },
    ]) {
      const refused = await tip(test, user, { ...payload, ...change }, key);
      expect(refusalOf(refused)).toEqual({ status: 409, code: 'idempotency_key_reused' });
    }
    const product = await createOffer(test, { price_ath_hundredths: 100 });
    expect((await buy(test, user, [[product.id, 1]], key)).body.code).toBe(
      'idempotency_key_reused',
    );
    const boughtKey = randomUUID();
    await buy(test, user, [[product.id, 1]], boughtKey);
    expect((await tip(test, user, payload, boughtKey)).body.code).toBe('idempotency_key_reused');
    expect(await balanceOf(test, user)).toBe('98000000');
  });

  it('removes characters from name and note that reverse or hide text', async () => {
    const offer = await createOffer(test, { kind: 3 });
    const user = await test.createUser({ balance: ath(5) });
    const words = { tip_from: '\u202enimdA\u2066', note: 'one\r\ntwo\u0007\u001b[31m\u0085' };
    const sent = await tip(test, user, { offer_id: offer.id, amount: '10000', ...words });
    expect(sent.status).toBe(200);
    expect(await tipRows(user.userId)).toMatchObject([{ tip_from: 'nimdA', note: 'one\ntwo[31m' }]);
  });

  it('recognizes a replay whose note contains half a surrogate pair', async () => {
    const user = await test.createUser({ balance: ath(10) });
    const offer = await createOffer(test, { kind: 3 });
    const key = randomUUID();
    const payload = { offer_id: offer.id, amount: '1000000', note: 'cut \ud83d' };
    const first = await tip(test, user, payload, key);
    expect(await tip(test, user, payload, key)).toMatchObject({ status: 200, body: first.body });
    expect(await tipRows(user.userId)).toMatchObject([{ note: 'cut \ufffd' }]);
  });

  it('does not use up the key of a refused tip', async () => {
    const user = await test.createUser({ balance: ath(10) });
    const offer = await createOffer(test, { kind: 3, active: false });
    const key = randomUUID();
    const payload = { offer_id: offer.id, amount: '1000000' };
    expect((await tip(test, user, payload, key)).body.code).toBe('offer_unavailable');
    await changeOffer(test, offer.id, { active: true });
    expect((await tip(test, user, payload, key)).status).toBe(200);
  });
});
