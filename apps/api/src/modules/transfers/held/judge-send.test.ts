/** The server decides how long a send can be undone, whatever the wallet says about it. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { canonicalQrText, signedQrText, type QrContent } from '@athos/domain/qr-payload';
import { expectBooksBalance } from '../../../../test/expect-books-balance.ts';
import { ath } from '../../../../test/shop.ts';
import {
  createTestApp,
  issueTo,
  stopClock,
  type TestAnswer,
  type TestApp,
  type TestUser,
} from '../../../../test/test-app.ts';
import { programmeCommand } from '../../../platform/settings/programme-command.ts';
import { publishRate } from '../../rate/index.ts';
import { postDue } from './post-due.ts';

let test: TestApp;
let advance: (byMs: number) => void;
beforeAll(async () => {
  test = await createTestApp();
  await publishRate(test.deps);
});
// Seconds are compared, so the clock is stopped while a busy machine answers.
beforeEach(() => void (advance = stopClock(test)));
afterEach(async () => {
  await arrive();
  await expectBooksBalance(test.deps.config.databaseUrl);
});
afterAll(() => test.close());

const UNWARNED = { undo: { warned: false } };

const send = (
  from: TestUser,
  to: TestUser,
  { key = randomUUID(), ...more }: Readonly<Record<string, unknown>> & { key?: string } = {},
): Promise<TestAnswer> =>
  test.request({
    method: 'POST',
    url: '/api/account/transfer',
    payload: { amount: '1000', to_uuid: to.uuid, ...UNWARNED, ...more },
    key,
    user: from,
  });

/** The sender's information: the seconds until the amount arrives, 0 if it has, and whether it is the first send to the receiver. */
function holdOf({ status, body }: TestAnswer): readonly [number, boolean | undefined] {
  expect([status, body.code]).toEqual([200, undefined]);
  if (body.hold === undefined) return [0, undefined];
  const { post_at: postAt, is_first_time: isFirstTime } = body.hold;
  return [Math.round((Date.parse(postAt) - test.clock.nowMs()) / 1_000), isFirstTime];
}

async function arrive(): Promise<void> {
  advance(60_000);
  await postDue(test.deps);
}

const pair = async (): Promise<[TestUser, TestUser]> => [
  await test.createUser({ balance: ath(10_000) }),
  await test.createUser(),
];

/** Creates two users, the first of whom has sent these amounts to the second. */
async function acquainted(...amounts: readonly number[]): Promise<[TestUser, TestUser]> {
  const [ada, ben] = await pair();
  for (const amount of amounts) {
    await send(ada, ben, { undo: undefined, undo_seconds: 1, amount: ath(amount).toString() });
  }
  await arrive();
  return [ada, ben];
}

it('[W-062] holds the first send to somebody for 60 s though the wallet warned of nothing, and the next for 10 s', async () => {
  const [ada, ben] = await pair();
  expect(holdOf(await send(ada, ben))).toEqual([60, true]);
  // The first send can still be undone, so the receiver does not count as known yet.
  expect(holdOf(await send(ada, ben))).toEqual([60, true]);
  await arrive();
  expect(holdOf(await send(ada, ben))).toEqual([10, false]);
});

it('[W-062] leaves no choice of the sender where a send is the first one or looks like a known address', async () => {
  const [ada, ben] = await acquainted(1);
  const forged = await test.createUser();
  const uuid = ben.uuid.slice(0, 6) + randomUUID().slice(6);
  await test.admin.updateTable('users').set({ uuid }).where('uuid', '=', forged.uuid).execute();
  const eve = { ...forged, uuid };
  expect(holdOf(await send(ada, eve, { undo_seconds: 0 }))).toEqual([60, true]);
  expect(holdOf(await send(ada, await test.createUser(), { undo_seconds: 5 }))).toEqual([60, true]);
  expect(holdOf(await send(ada, ben, { undo_seconds: 0 }))).toEqual([0, undefined]);
});

it('[W-062] adds what the wallet knows: its warning of a known receiver counts as well', async () => {
  const [ada, ben] = await acquainted(1);
  expect(holdOf(await send(ada, ben, { undo: { warned: true } }))).toEqual([60, false]);
});

it('[W-062] holds an unusual amount for 60 s: above 50 USD, and above three times the largest of the last sends', async () => {
  // 297 ATH at 0.1683 USD are 49.99 USD.
  const [ada, ben] = await acquainted(10, 90);
  const of = async (amount: number) =>
    holdOf(await send(ada, ben, { amount: ath(amount).toString() }));
  // Below 50 USD, an amount is usual even if it is more than three times the largest.
  expect(await of(271)).toEqual([10, false]);
  await arrive();
  expect(await of(813)).toEqual([10, false]);
  await arrive();
  expect(await of(2_440)).toEqual([60, false]);
});

it('[W-062] compares an amount with no send that came back, and with none in another token', async () => {
  const [ada, ben] = await acquainted(100);
  await issueTo(test.deps, ada.userId, ath(5_000), 'ATH2');
  const amount = ath(1_000).toString();
  expect(holdOf(await send(ada, ben, { amount, asset: 'ATH2' }))).toEqual([10, false]);
  const first = await send(ada, ben, { amount });
  expect(holdOf(first)).toEqual([60, false]);
  const url = `/api/account/holds/${first.body.hold.id}/undo`;
  await test.request({ method: 'POST', url, key: randomUUID(), user: ada });
  expect(holdOf(await send(ada, ben, { amount }))).toEqual([60, false]);
  await arrive();
  expect(holdOf(await send(ada, ben, { amount }))).toEqual([10, false]);
});

it('repeats its first answer for the same key after the receiver has become a known one', async () => {
  const [ada, ben] = await pair();
  const key = randomUUID();
  const first = await send(ada, ben, { key });
  expect(holdOf(first)).toEqual([60, true]);
  await arrive();
  expect((await send(ada, ben, { key })).body).toEqual(first.body);
  expect((await send(ada, ben, { key, undo_seconds: 0 })).body).toEqual(first.body);
});

it('[W-063] lets the first send to somebody arrive at once where their screen was scanned', async () => {
  const [ada, ben] = await pair();
  const content: QrContent = { t: 'transfer', d: { a: ben.uuid, t: test.clock.nowMs(), v: 1 } };
  const payload = { data: canonicalQrText(content) };
  const { body } = await test.request({
    method: 'POST',
    url: '/api/account/sign',
    payload,
    user: ben,
  });
  const met = signedQrText(content, body.signature);
  expect(holdOf(await send(ada, ben, { undo: { warned: true, met } }))).toEqual([0, undefined]);
});

it('judges nothing where the caller sets the time, or where the programme holds nothing', async () => {
  const [ada, ben] = await pair();
  const walk = vi.spyOn(test.deps.ledger, 'walkHistory');
  const amount = ath(1_000).toString();
  const asked = await send(ada, ben, { undo: undefined, undo_seconds: 5, amount });
  expect(asked.body.hold).toEqual({ id: expect.any(String), post_at: expect.any(String) });
  const set = async (seconds: readonly [usual: number, first: number]) => {
    const keys = ['undo_seconds', 'undo_first_seconds'];
    for (const [index, key] of keys.entries()) {
      await programmeCommand(
        test.deps.config.databaseUrl,
        ['set', key, String(seconds[index])],
        'test',
      );
    }
    const read = async () => {
      const { undoSeconds, undoFirstSeconds } = await test.deps.programme();
      return [undoSeconds, undoFirstSeconds];
    };
    await expect.poll(read).toEqual(seconds);
  };
  await set([0, 0]);
  expect(holdOf(await send(ada, ben, { amount }))).toEqual([0, undefined]);
  expect(walk).not.toHaveBeenCalled();
  await set([10, 60]);
});

it('tells the seconds and the first time before the send, too', async () => {
  const [ada, ben] = await pair();
  const past = async () =>
    (
      await test.request({
        method: 'GET',
        url: `/api/account/recipient/${ben.uuid}/past`,
        user: ada,
      })
    ).body;
  const lookUp = async () =>
    (
      await test.request({
        method: 'POST',
        url: '/api/account/recipient',
        payload: { text: ben.uuid },
        user: ada,
      })
    ).body;
  expect(await past()).toMatchObject({ is_first_time: true, warned_seconds: 60 });
  expect(await lookUp()).toEqual({ exists: true, uuid: ben.uuid, is_first_time: true });
  await send(ada, ben);
  await arrive();
  expect(await past()).toMatchObject({ is_first_time: false });
  expect(await lookUp()).toMatchObject({ is_first_time: false });
});
