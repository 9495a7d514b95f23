import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConsoleQueryOf } from '@athos/contract/console/calls';
import { createOffer } from '../../../test/build-catalog.ts';
import { consoleAs, type ConsoleCaller } from '../../../test/console.ts';
import { expectBooksBalance } from '../../../test/expect-books-balance.ts';
import { recordLog } from '../../../test/recorded-log.ts';
import { readJournal, setPostedAt, tamperAmount } from '../../../test/raw-ledger.ts';
import { ath, buy } from '../../../test/shop.ts';
import { createTestApp, type TestApp, type TestUser } from '../../../test/test-app.ts';
import { systemAccountId, userAccountId } from '../../ledger/index.ts';
import { enqueueJob } from '../../platform/jobs/enqueue.ts';

const { log, lines } = recordLog();
const alarms = () =>
  lines.map((line) => JSON.parse(line)).filter(({ alarm }) => alarm !== undefined);

let test: TestApp;
let finance: ConsoleCaller;
let ada: TestUser;
let ben: TestUser;
let purchaseId: string;
const KEYS = { send: randomUUID(), purchase: randomUUID() };
const DAY_MS = 24 * 60 * 60_000;
const FIRST_DAY = Date.UTC(2031, 2, 1);
const dayText = (day: number): string =>
  new Date(FIRST_DAY + day * DAY_MS).toISOString().slice(0, 10);

const moveToDay = (day: number) =>
  setPostedAt(test.admin, new Date(FIRST_DAY + day * DAY_MS + 3_600_000));
const send = (key = randomUUID(), amount = '1000000') =>
  test.request({
    method: 'POST',
    url: '/api/account/transfer',
    user: ada,
    key,
    payload: { amount, to_uuid: ben.uuid },
  });

/** Creates three days: opening balances; a send and a purchase; another send. */
beforeAll(async () => {
  test = await createTestApp({ log });
  finance = await consoleAs(test, ['finance']);
  await moveToDay(0);
  ada = await test.createUser({ balance: ath(100) });
  ben = await test.createUser({ balance: ath(7) });
  await moveToDay(1);
  await send(KEYS.send);
  const offer = await createOffer(test, { price_ath_hundredths: 1_000 });
  const bought = await buy(test, ada, [[offer.id, 2]], KEYS.purchase);
  purchaseId = String(bought.body.purchase_id);
  await moveToDay(2);
  await send();
});
afterAll(async () => {
  await expectBooksBalance(test.deps.config.databaseUrl);
  await test.close();
});

type Query = ConsoleQueryOf<'ledgerTransfers'>;
const find = (query: Query) => {
  // Searches are limited per second.
  test.clock.advance(1_000);
  return finance.call('ledgerTransfers', { query });
};

const item = (body: { items: { code: string; asset: string }[] }, code: string) =>
  body.items.find((account) => account.code === code && account.asset === 'ATH');

describe('accounts', () => {
  it('of the programme are listed with balance and floor', async () => {
    const { status, body } = await finance.call('ledgerAccounts');
    expect(status).toBe(200);
    expect(item(body, 'issuance')).toMatchObject({
      balance: '-107000000',
      state: 'open',
      floor: '-9000000000000000000',
    });
    expect(item(body, 'merchant')).toMatchObject({
      balance: '20000000',
      floor: '0',
      customer_uuid: null,
    });
    expect(body.debts).toEqual([]);
  });

  it("of a customer are shown under the customer's address, with their movements and running balances", async () => {
    const id = userAccountId(ada.userId, 'ATH').toString();
    const { body: account } = await finance.call('ledgerAccount', { params: { id } });
    expect(account).toMatchObject({ id, code: null, customer_uuid: ada.uuid, balance: '78000000' });
    const { body } = await find({ account_id: id });
    const after = body.items.map(
      (transfer: { debit_after: string; credit_after: string; debit: { id: string } }) =>
        transfer.debit.id === id ? transfer.debit_after : transfer.credit_after,
    );
    expect(after).toEqual(['78000000', '79000000', '99000000', '100000000']);
    expect(body.next_cursor).toBeNull();
    const sends = await find({ account_id: id, kind: 'send' });
    expect(sends.body.items).toHaveLength(2);
  });

  it('that do not exist are not found', async () => {
    const id = userAccountId(99_999n, 'ATH').toString();
    expect((await finance.call('ledgerAccount', { params: { id } })).status).toBe(404);
    expect((await finance.call('ledgerTransfer', { params: { id: '7' } })).status).toBe(404);
  });
});

describe('the journal', () => {
  it('[O-103] is searched by the idempotency key, and shows what stands behind a transfer', async () => {
    const { body } = await find({ key: KEYS.purchase });
    expect(body.items).toEqual([
      {
        id: expect.stringMatching(/^\d+$/),
        at: expect.stringMatching(/^2031-03-02T01:/),
        kind: 'purchase',
        amount: '20000000',
        debit: {
          id: userAccountId(ada.userId, 'ATH').toString(),
          asset: 'ATH',
          code: null,
          customer_uuid: ada.uuid,
        },
        credit: {
          id: systemAccountId('merchant', 'ATH').toString(),
          asset: 'ATH',
          code: 'merchant',
          customer_uuid: null,
        },
        debit_after: '79000000',
        credit_after: '20000000',
        key: KEYS.purchase,
        line: 0,
        object: { type: 'purchase', id: purchaseId },
      },
    ]);
    const [{ id }] = body.items;
    const one = await finance.call('ledgerTransfer', { params: { id } });
    expect(one.body).toEqual(body.items[0]);
    const none = await find({ key: randomUUID() });
    expect(none.body).toMatchObject({ items: [], count: { value: 0, is_at_least: false } });
  });

  it('is searched by kind, amount and time', async () => {
    const keysOf = async (query: Query) =>
      (await find(query)).body.items.map(({ key }: { key: string }) => key);
    const secondDay = { from: `${dayText(1)}T00:00:00Z`, to: `${dayText(2)}T00:00:00Z` };
    expect(await keysOf({ ...secondDay })).toEqual([KEYS.purchase, KEYS.send]);
    expect(await keysOf({ ...secondDay, kind: 'send' })).toEqual([KEYS.send]);
    expect(await keysOf({ amount_min: '20000000', amount_max: '20000000' })).toEqual([
      KEYS.purchase,
    ]);
    expect(await keysOf({ from: `${dayText(3)}T00:00:00Z` })).toEqual([]);
  });

  it('is paged by a cursor that is valid for its search only', async () => {
    const ids: string[] = [];
    let cursor: string | undefined;
    do {
      const { body } = await find({ limit: 2, cursor });
      expect(body.count).toEqual({ value: 5, is_at_least: false });
      ids.push(...body.items.map(({ id }: { id: string }) => id));
      cursor = body.next_cursor ?? undefined;
    } while (cursor !== undefined);
    const all = (await readJournal(test.deps.db)) as { id: bigint }[];
    expect(ids).toEqual(all.map(({ id }) => id.toString()).toReversed());
    const { body } = await find({ limit: 2 });
    const foreign = await find({ limit: 2, kind: 'send', cursor: body.next_cursor });
    expect(foreign.body.code).toBe('invalid_cursor');
  });
});

describe('the trial balance', () => {
  it('[O-104] sums to zero in each asset at the end of any day', async () => {
    const customersAt: string[] = [];
    for (const day of [-1, 0, 1, 2, 30]) {
      const { body } = await finance.call('trialBalance', { query: { day: dayText(day) } });
      expect(body.until).toBe(new Date(FIRST_DAY + (day + 1) * DAY_MS).toISOString());
      expect(body.assets.map(({ asset }: { asset: string }) => asset)).toEqual([
        'ATH',
        'ATH2',
        'ATH3',
        'USD',
      ]);
      for (const { accounts, customers, sum } of body.assets) {
        const own = accounts.map(({ balance }: { balance: string }) => BigInt(balance));
        expect(own.reduce((a: bigint, b: bigint) => a + b, BigInt(customers))).toBe(0n);
        expect(sum).toBe('0');
      }
      customersAt.push(body.assets[0].customers);
    }
    expect(customersAt).toEqual(['0', '107000000', '87000000', '87000000', '87000000']);
  });

  it('[O-104] does not sum to zero and raises an alarm when a row was changed', async () => {
    // Alters the purchase of the second day, whose amount then contradicts the shop's balance after it.
    const rows = (await readJournal(test.deps.db)) as { id: bigint; key: string }[];
    const changed = rows.find(({ key }) => key === KEYS.purchase)?.id ?? 0n;
    const sums = async (day: number): Promise<string[]> => {
      const { body } = await finance.call('trialBalance', { query: { day: dayText(day) } });
      return body.assets.map(({ sum }: { sum: string }) => sum);
    };
    await tamperAmount(test.admin, changed, 3);
    expect(await sums(0)).toEqual(['0', '0', '0', '0']);
    expect(alarms()).toEqual([]);
    expect(await sums(1)).toEqual(['-3', '0', '0', '0']);
    expect(alarms()).toEqual([
      expect.objectContaining({ alarm: 'ledger_unbalanced', asset: 'ATH', sum: '-3' }),
    ]);
    // The scheduled job finds it as well.
    await enqueueJob(test.deps.db, 'bookkeeping_balance', {});
    await test.runJobs();
    expect(alarms()).toHaveLength(2);
    expect(alarms()[1]).toMatchObject({ alarm: 'ledger_unbalanced', sum: '-3', until: 'end' });
    await tamperAmount(test.admin, changed, -3);
    expect(await sums(1)).toEqual(['0', '0', '0', '0']);
  });

  it('refuses an invalid day', async () => {
    const { status } = await finance.call('trialBalance', { query: { day: '2031-02-30' } });
    expect(status).toBe(400);
  });
});

describe('the verification', () => {
  it('is done by a job, one at a time, and names the head that it verified', async () => {
    const { name } = (await finance.call('me')).body;
    const begun = await finance.call('verifyLedger');
    expect(begun.body).toMatchObject({
      state: 'waiting',
      requested_by: name,
      fault: null,
    });
    const again = await finance.call('verifyLedger');
    expect(again.body.id).toBe(begun.body.id);
    await test.runJobs();
    const { body } = await finance.call('ledgerVerification', { params: { id: begun.body.id } });
    expect(body).toMatchObject({
      state: 'right',
      transfers_done: 5,
      transfers_total: 5,
      fault: null,
    });
    const chain = await finance.call('ledgerChain');
    expect(chain.body.head).toBe(body.head);
    expect(chain.body.verifications[0]).toEqual(body);
  });

  it('[O-105] names the first wrong row', async () => {
    const rows = (await readJournal(test.deps.db)) as { id: bigint; amount_units: bigint }[];
    const changed = rows[2]?.id ?? 0n;
    await tamperAmount(test.admin, changed, 1);
    const { body: begun } = await finance.call('verifyLedger');
    await test.runJobs();
    const { body } = await finance.call('ledgerVerification', { params: { id: begun.id } });
    await tamperAmount(test.admin, changed, -1);
    expect(body).toMatchObject({
      state: 'wrong',
      fault: { row: `transfer ${changed}`, reason: 'is not as it was posted' },
    });
  });
});
