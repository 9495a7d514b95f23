import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { canonicalQrText, type QrContent } from '@athos/domain/qr-payload';
import { createOffer } from '../../../test/build-catalog.ts';
import { createStaff, purchaseCode as scannedCode } from '../../../test/build-redemption.ts';
import { expectBooksBalance } from '../../../test/expect-books-balance.ts';
import { ath, buy } from '../../../test/shop.ts';
import { createTestApp, type TestApp, type TestUser } from '../../../test/test-app.ts';

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});
afterEach(() => expectBooksBalance(test.deps.config.databaseUrl));
afterAll(() => test.close());

const sign = (user: TestUser, data: string) =>
  test.request({ method: 'POST', url: '/api/account/sign', user, payload: { data } });
const transferCode = (user: TestUser, over: Partial<QrContent['d']> = {}): QrContent => ({
  t: 'transfer',
  d: { a: user.uuid, t: test.clock.nowMs(), v: 1, ...over },
});

it('[S7-017] [D-072] signs the canonical bytes with Ed25519, base64url', async () => {
  const user = await test.createUser();
  const text = canonicalQrText(transferCode(user));
  const { status, body } = await sign(user, text);
  expect(status).toBe(200);
  expect(body.signature).toMatch(/^[\w-]{86}$/);
  const { body: jwks } = await test.request({ method: 'GET', url: '/api/.well-known/jwks.json' });
  const key = await crypto.subtle.importKey('jwk', jwks.keys[0], 'Ed25519', false, ['verify']);
  const bytes = Buffer.from(body.signature, 'base64url');
  expect(await crypto.subtle.verify('Ed25519', key, bytes, Buffer.from(text))).toBe(true);
  expect(await crypto.subtle.verify('Ed25519', key, bytes, Buffer.from(`${text} `))).toBe(false);
});

it('[D-068] refuses the uuid of another user', async () => {
  const [user, other] = [await test.createUser(), await test.createUser()];
  const answer = await sign(user, canonicalQrText(transferCode(other)));
  expect({ status: answer.status, code: answer.body.code }).toEqual({
    status: 422,
    code: 'invalid_qr_payload',
  });
});

it('[D-070] refuses a time more than 30 s off, on either side', async () => {
  const user = await test.createUser();
  const nowMs = test.clock.nowMs();
  for (const offMs of [-31_000, 31_000]) {
    const answer = await sign(user, canonicalQrText(transferCode(user, { t: nowMs + offMs })));
    expect(answer.body.code).toBe('qr_time_out_of_range');
  }
  for (const offMs of [-29_000, 29_000]) {
    expect(
      (await sign(user, canonicalQrText(transferCode(user, { t: nowMs + offMs })))).status,
    ).toBe(200);
  }
});

it('[D-071] refuses another version than 1', async () => {
  const user = await test.createUser();
  expect((await sign(user, canonicalQrText(transferCode(user, { v: 2 })))).body.code).toBe(
    'invalid_qr_payload',
  );
});

it('refuses any text but the canonical one', async () => {
  const user = await test.createUser();
  const { t, d } = transferCode(user);
  for (const text of [
    JSON.stringify({ d, t }),
    JSON.stringify({ t, d: { ...d, x: 1 } }),
    '{',
    '',
    'hello',
  ]) {
    expect((await sign(user, text)).body.code).toBe('invalid_qr_payload');
  }
});

it('signs a tier code', async () => {
  const user = await test.createUser();
  const text = canonicalQrText({ ...transferCode(user), t: 'tier' });
  const { status, body } = await sign(user, text);
  expect(status).toBe(200);
  expect(test.deps.keys.verifyText(text, body.signature)).toBe(true);
});

const purchaseCode = (user: TestUser, i: readonly number[]): string =>
  canonicalQrText({ t: 'purchase', d: { a: user.uuid, t: test.clock.nowMs(), v: 1, i } });
async function buyItems(user: TestUser, count: number): Promise<number[]> {
  const offer = await createOffer(test, { price_ath_hundredths: 1 });
  const { body } = await buy(test, user, [[offer.id, count]]);
  return body.items.map(({ id }: { id: number }) => id);
}

it('signs a purchase code of 1 to 40 items, even if their offer was withdrawn since', async () => {
  const user = await test.createUser({ balance: ath(10) });
  const items = await buyItems(user, 41);
  await test.deps.db.updateTable('offers').set({ active: false }).execute();
  for (const i of [items.slice(0, 1), items.slice(0, 40)]) {
    const text = purchaseCode(user, i);
    const { status, body } = await sign(user, text);
    expect(status).toBe(200);
    expect(test.deps.keys.verifyText(text, body.signature)).toBe(true);
  }
  expect((await sign(user, purchaseCode(user, items))).body.code).toBe('invalid_qr_payload');
});

it('[D-069] refuses foreign or redeemed item ids', async () => {
  const [user, other] = [
    await test.createUser({ balance: ath(10) }),
    await test.createUser({ balance: ath(10) }),
  ];
  const [own = 0, redeemed = 0] = await buyItems(user, 2);
  const [foreign = 0] = await buyItems(other, 1);
  const staff = await createStaff(test);
  const { status: redeemStatus } = await test.request({
    method: 'POST',
    url: '/api/scanner/redeem',
    user: staff,
    payload: { payload: scannedCode(test, user, [redeemed]) },
  });
  expect(redeemStatus).toBe(200);
  for (const i of [[foreign], [own, foreign], [redeemed], [own, redeemed], [999_999_999]]) {
    const { status, body } = await sign(user, purchaseCode(user, i));
    expect({ status, code: body.code }).toEqual({ status: 422, code: 'invalid_qr_payload' });
    // The message is the same in all cases, so that it does not reveal which ids exist.
    expect(body.detail).toBe('Name only items of yours that are not redeemed.');
  }
  expect((await sign(user, purchaseCode(user, [own]))).status).toBe(200);
});

it.each([
  ['no items', []],
  ['an item twice', [1, 1]],
  ['an item that is no number', [1.5]],
  ['the largest number there is', [Number.MAX_SAFE_INTEGER]],
])('refuses a purchase code with %s', async (_what, items) => {
  const user = await test.createUser();
  expect((await sign(user, purchaseCode(user, items))).body.code).toBe('invalid_qr_payload');
});

it('refuses items in a code of another kind', async () => {
  const user = await test.createUser();
  for (const t of ['tier', 'transfer'] as const) {
    const text = canonicalQrText({ ...transferCode(user, { i: [1] }), t });
    expect((await sign(user, text)).body.code).toBe('invalid_qr_payload');
  }
});
