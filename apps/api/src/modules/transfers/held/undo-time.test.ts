import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { canonicalQrText, signedQrText, type QrContent } from '@athos/domain/qr-payload';
import { expectBooksBalance } from '../../../../test/expect-books-balance.ts';
import { ath } from '../../../../test/shop.ts';
import {
  createTestApp,
  type TestAnswer,
  type TestApp,
  type TestUser,
} from '../../../../test/test-app.ts';
import { programmeCommand } from '../../../platform/settings/programme-command.ts';
import { postDue } from './post-due.ts';

let test: TestApp;
let ada: TestUser;
let ben: TestUser;
beforeAll(async () => {
  test = await createTestApp();
  ada = await test.createUser({ balance: ath(1_000) });
  ben = await test.createUser();
  // Makes ben known to ada, so that no later send is held longer for that reason.
  await send(undefined, { undo_seconds: 1 });
  await arrive();
});
afterEach(() => expectBooksBalance(test.deps.config.databaseUrl));
afterAll(() => test.close());

/** The text of the code on a user's screen. */
async function shownBy(user: TestUser, kind: 'transfer' | 'tier' = 'transfer'): Promise<string> {
  const content: QrContent = { t: kind, d: { a: user.uuid, t: test.clock.nowMs(), v: 1 } };
  const payload = { data: canonicalQrText(content) };
  const { body } = await test.request({ method: 'POST', url: '/api/account/sign', payload, user });
  return signedQrText(content, body.signature);
}

const send = (
  undo: { readonly warned: boolean; readonly met?: string } | undefined,
  { key = randomUUID(), ...more }: Readonly<Record<string, unknown>> & { key?: string } = {},
): Promise<TestAnswer> =>
  test.request({
    method: 'POST',
    url: '/api/account/transfer',
    payload: { amount: '1000', to_uuid: ben.uuid, undo, ...more },
    key,
    user: ada,
  });

/** The seconds until the amount arrives; 0 if it has arrived. */
const secondsOf = ({ status, body }: TestAnswer): number => {
  expect([status, body.code]).toEqual([200, undefined]);
  if (body.hold === undefined) return 0;
  return Math.round((Date.parse(body.hold.post_at) - test.clock.nowMs()) / 1_000);
};

const balanceOfBen = async () =>
  (await test.request({ method: 'GET', url: '/api/account/balance', user: ben })).body.balance;

const arrive = async (): Promise<void> => {
  test.clock.advance(60_000);
  await postDue(test.deps);
};

const set = (key: string, value: number) =>
  programmeCommand(test.deps.config.databaseUrl, ['set', key, String(value)], 'test');

it('[W-062] holds a send for 60 s where the wallet warned, and otherwise for 10 s', async () => {
  expect(secondsOf(await send({ warned: true }))).toBe(60);
  expect(secondsOf(await send({ warned: false }))).toBe(10);
  await arrive();
});

it('[W-062] takes what the sender chose, except where the wallet warned', async () => {
  expect(secondsOf(await send({ warned: false }, { undo_seconds: 30 }))).toBe(30);
  expect(secondsOf(await send({ warned: false }, { undo_seconds: 0 }))).toBe(0);
  expect(secondsOf(await send({ warned: true }, { undo_seconds: 0 }))).toBe(60);
  expect(secondsOf(await send(undefined, { undo_seconds: 5 }))).toBe(5);
  expect(secondsOf(await send(undefined))).toBe(0);
  await arrive();
});

it('[W-063] posts a send at once where the receiver’s code was signed less than 60 s ago, also after a warning', async () => {
  const met = await shownBy(ben);
  const before = BigInt(await balanceOfBen());
  expect(secondsOf(await send({ warned: false, met }))).toBe(0);
  test.clock.advance(58_000);
  expect(secondsOf(await send({ warned: true, met }))).toBe(0);
  expect(BigInt(await balanceOfBen())).toBe(before + 2_000n);
  test.clock.advance(3_000);
  expect(secondsOf(await send({ warned: false, met }))).toBe(10);
  await arrive();
});

it('takes no code for the receiver’s that is of another person, kind, time or hand', async () => {
  const met = await shownBy(ben);
  const code = JSON.parse(met) as QrContent & { s: string };
  const later = { ...code, d: { ...code.d, t: code.d.t + 1 } };
  const codes = [
    await shownBy(ada),
    await shownBy(ben, 'tier'),
    JSON.stringify(later),
    JSON.stringify({ ...code, s: 'c2lnbmVk' }),
    ben.uuid,
    '',
    '{',
  ];
  for (const one of codes) expect(secondsOf(await send({ warned: false, met: one }))).toBe(10);
  const tooLong = await send({ warned: false, met: met.padEnd(513) });
  expect(tooLong.status).toBe(400);
  await arrive();
});

it('repeats its first answer for the same key when the code is no longer fresh', async () => {
  const key = randomUUID();
  const met = await shownBy(ben);
  const before = BigInt(await balanceOfBen());
  const first = await send({ warned: false, met }, { key });
  test.clock.advance(120_000);
  const again = await send({ warned: false, met }, { key });
  expect(again).toMatchObject({ status: 200, body: first.body });
  expect(BigInt(await balanceOfBen())).toBe(before + 1_000n);
  const other = await send({ warned: false, met }, { key, amount: '1001' });
  expect(other).toMatchObject({ status: 409, body: { code: 'idempotency_key_reused' } });
});

it('repeats its first answer for the same key when the programme has changed its times', async () => {
  const key = randomUUID();
  const first = await send({ warned: false }, { key });
  expect(secondsOf(first)).toBe(10);
  await set('undo_seconds', 0);
  await expect.poll(async () => (await test.deps.programme()).undoSeconds).toBe(0);
  expect((await send({ warned: false }, { key })).body).toEqual(first.body);
  expect((await send({ warned: true }, { key })).body).toEqual(first.body);
  const atOnce = randomUUID();
  const second = await send({ warned: false }, { key: atOnce });
  expect(secondsOf(second)).toBe(0);
  await set('undo_seconds', 30);
  await expect.poll(async () => (await test.deps.programme()).undoSeconds).toBe(30);
  expect((await send({ warned: false }, { key: atOnce })).body).toEqual(second.body);
  expect(secondsOf(await send({ warned: false }))).toBe(30);
  await arrive();
});

it('tells nobody that a key was used by another send because it is busy', async () => {
  const key = randomUUID();
  const first = await send({ warned: false }, { key });
  const repeats = Array.from({ length: 120 }, () => send({ warned: false }, { key }));
  const answers = await Promise.all(repeats);
  const codes = new Set(
    answers.map(({ status, body }) => (status === 200 ? body.hold.id : body.code)),
  );
  expect(codes).toEqual(new Set([first.body.hold.id, 'overloaded']));
  await arrive();
});

it('repeats a send at once also while twenty others wait, as many as may', async () => {
  const key = randomUUID();
  const met = await shownBy(ben);
  const first = await send({ warned: false, met }, { key });
  test.clock.advance(61_000);
  for (let count = 0; count < 20; count += 1) await send({ warned: true });
  expect((await send({ warned: true })).body.code).toBe('holds_full');
  expect((await send({ warned: false, met }, { key })).body).toEqual(first.body);
  await arrive();
});
