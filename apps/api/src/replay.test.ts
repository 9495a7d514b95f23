/**
 * Replay comes first: a key that was answered gets the same answer again, whatever has changed since, also from a process that was
 * started after the change. `password-change.test.ts` and `account-deletion.test.ts` test this for the two calls that end sessions,
 * `held-sends.test.ts` for taking a send back, which gives the same answer to every key.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { api, type KeyedCallName } from '@athos/contract/api';
import { microAth } from '@athos/domain/money';
import { uuidv7 } from '@athos/domain/uuid';
import { openUser, PASSWORD } from '../test/accounts.ts';
import { changeOffer, createOffer } from '../test/build-catalog.ts';
import { createItems, createStaff, purchaseCode, unbindStaff } from '../test/build-redemption.ts';
import { createCampaign, redeem } from '../test/build-reward.ts';
import { postPayment, publishTestRate, purchaseBody } from '../test/card-purchase.ts';
import { startCardSandbox, type CardSandbox } from '../test/card-sandbox.ts';
import { expectBooksBalance } from '../test/expect-books-balance.ts';
import { openSecondApp } from '../test/second-app.ts';
import { ath, buy, tip } from '../test/shop.ts';
import { createTestApp, type TestAnswer, type TestApp, type TestUser } from '../test/test-app.ts';
import { userAccountId } from './ledger/index.ts';

const HOUR_MS = 3_600_000;

let sandbox: CardSandbox;
let test: TestApp;
beforeAll(async () => {
  sandbox = await startCardSandbox();
  test = await createTestApp({ env: sandbox.env });
});
afterEach(() => expectBooksBalance(test.deps.config.databaseUrl));
afterAll(async () => {
  await sandbox.close();
  await test.close();
});

interface Replayed {
  readonly ask: (app: Pick<TestApp, 'request'>, key: string) => Promise<TestAnswer>;
  /** A change because of which the request would be refused if it were a new one. */
  readonly change: () => Promise<unknown>;
}

const deleteAccount = (user: TestUser) =>
  test.request({
    method: 'POST',
    url: '/api/account/delete',
    user,
    payload: { password: PASSWORD },
  });

const cases: Record<
  Exclude<KeyedCallName, 'updatePassword' | 'deleteAccount' | 'undoHold'>,
  () => Promise<Replayed>
> = {
  async transfer() {
    const [ada, ben] = [await test.createUser({ balance: ath(5) }), await openUser(test)];
    const payload = { amount: '1000000', to_uuid: ben.uuid };
    return {
      ask: ({ request }, key) =>
        request({ method: 'POST', url: '/api/account/transfer', payload, key, user: ada }),
      change: () => deleteAccount(ben),
    };
  },
  async tip() {
    const [ada, artist] = [await test.createUser({ balance: ath(5) }), await openUser(test)];
    const { id } = await createOffer(test, { kind: 3, beneficiary_user_id: artist.userId });
    const payload = { offer_id: id, amount: '1000000', tip_from: 'Ada', note: 'Thank you' };
    return {
      ask: (app, key) => tip(app, ada, payload, key),
      async change() {
        await deleteAccount(artist);
        await test.runJobs();
      },
    };
  },
  async purchase() {
    const ada = await test.createUser({ balance: ath(50) });
    const { id } = await createOffer(test);
    return {
      ask: (app, key) => buy(app, ada, [[id, 1]], key),
      change: () => changeOffer(test, id, { active: false, title: 'Renamed' }),
    };
  },
  async createPaymentIntent() {
    await publishTestRate(test, '0.1683');
    const ada = await test.createUser();
    const body = purchaseBody(microAth(100_000_000n));
    return {
      ask: (app, key) => postPayment(app, ada, body, key),
      change: () =>
        test.deps.db
          .transaction()
          .execute((tx) =>
            test.deps.ledger.setAccountState(tx, userAccountId(ada.userId, 'ATH'), 'restricted'),
          ),
    };
  },
  async redeemReward() {
    const ada = await test.createUser();
    const [code = ''] = await createCampaign(test);
    return {
      ask: (app, key) => redeem(app, ada, code, { key }),
      change: () => Promise.resolve(test.clock.advance(2 * HOUR_MS)),
    };
  },
  async scannerRedeem() {
    const [ada, staff] = [await openUser(test), await createStaff(test)];
    const { itemIds } = await createItems(test, ada, { count: 2 });
    const payload = { payload: purchaseCode(test, ada, itemIds) };
    return {
      ask: ({ request }, key) =>
        request({ method: 'POST', url: '/api/scanner/redeem', payload, key, user: staff }),
      async change() {
        await deleteAccount(ada);
        await unbindStaff(test, staff, staff.venues[0]?.id ?? 0);
      },
    };
  },
};

it.each(Object.entries(cases))(
  '[D-036] %s gives the first answer again after a restart, although a new request is refused by now',
  { tags: 'long' },
  async (name, open) => {
    expect(api[name as KeyedCallName].keyed).toBe(true);
    const { ask, change } = await open();
    const key = randomUUID();
    const first = await ask(test, key);
    expect(first.status).toBe(200);
    await change();
    const restarted = await openSecondApp(test, { env: sandbox.env });
    const again = await ask(restarted, key);
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect((await ask(restarted, randomUUID())).status).not.toBe(200);
    await restarted.close();
  },
);

const keyAt = (nowMs: number): string => uuidv7(nowMs, (bytes) => crypto.getRandomValues(bytes));

it.each(Object.entries(cases))(
  '[P-043] %s refuses a key whose time is more than 1 day ahead, says what to do, and takes the same request under a sound key',
  async (_name, open) => {
    const { ask } = await open();
    const ahead = await ask(test, keyAt(test.clock.nowMs() + 24 * HOUR_MS + 1_000));
    expect([ahead.status, ahead.body.code]).toEqual([400, 'idempotency_key_ahead']);
    expect(ahead.body.detail).toContain('Set the clock');
    expect((await ask(test, keyAt(test.clock.nowMs() + 24 * HOUR_MS - 1_000))).status).toBe(200);
  },
);
