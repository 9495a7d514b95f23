import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { units } from '@athos/domain/money';
import { createLedgerBooks, seed, send, type LedgerBooks } from '../../test/ledger-books.ts';
import { SequentialLedger } from '../../test/sequential-ledger.ts';
import {
  assetOfAccount,
  systemAccountId,
  TransferKind,
  userAccountId,
  userIdOfAccount,
  type GroupTransferRequest,
  type HeldMovement,
  type LedgerAccountId,
  type SystemAccount,
} from './index.ts';

let books: LedgerBooks;
beforeEach(async () => {
  books = await createLedgerBooks();
});
afterEach(async () => {
  await books.expectBooksBalance();
  await books.close();
});

const line = (
  from: LedgerAccountId,
  to: LedgerAccountId,
  amount: bigint,
  { key = randomUUID(), number = 0 } = {},
): GroupTransferRequest => ({ ...send(from, to, amount, key), line: number });

async function columnTypes(table: string): Promise<Record<string, string>> {
  const { rows } = await books.admin.query<{ column_name: string; data_type: string }>(
    'select column_name, data_type from information_schema.columns where table_name = $1',
    [table],
  );
  return Object.fromEntries(rows.map((row) => [row.column_name, row.data_type]));
}

describe('units and assets', () => {
  it('[D-009] stores token amounts as bigint micro-units', async () => {
    const [from, to] = [await books.openUser(1n, 12_500_001n), await books.openUser(2n)];
    await books.ledger.transfer(send(from, to, 12_500_000n));
    expect(await columnTypes('ledger_accounts')).toMatchObject({ balance_units: 'bigint' });
    expect(await columnTypes('ledger_transfers')).toMatchObject({ amount_units: 'bigint' });
    const { rows } = await books.admin.query(
      'select balance_units::text from ledger_accounts where id = any($1) order by id',
      [[from, to]],
    );
    expect(rows).toEqual([{ balance_units: '1' }, { balance_units: '12500000' }]);
  });

  it('[D-013] stores card money as integer USD cents', async () => {
    const provider = systemAccountId('card_provider', 'USD');
    const sales = systemAccountId('token_sales', 'USD');
    const posted = await books.inTx((tx) =>
      books.ledger.transferInTx(tx, [
        { ...line(provider, sales, 1_010n), kind: TransferKind.CardMoney },
      ]),
    );
    expect(posted.outcome).toBe('done');
    const { rows } = await books.admin.query(
      "select asset, balance_units::text from ledger_accounts where code = 'token_sales'",
    );
    expect(rows).toEqual([{ asset: 'USD', balance_units: '1010' }]);
  });

  it("[D-021] gives each user separate balances in the real assets 'ATH', 'ATH2' and 'ATH3'", async () => {
    await books.openUser(1n);
    await books.openUser(2n);
    await books.inTx((tx) =>
      books.ledger.transferInTx(tx, [
        seed(userAccountId(1n, 'ATH'), 100n),
        seed(userAccountId(1n, 'ATH2'), 200n, 'ATH2'),
        seed(userAccountId(1n, 'ATH3'), 300n, 'ATH3'),
      ]),
    );
    await books.ledger.transfer(send(userAccountId(1n, 'ATH2'), userAccountId(2n, 'ATH2'), 50n));
    const ids = (['ATH', 'ATH2', 'ATH3'] as const).map((asset) => userAccountId(1n, asset));
    expect([...(await books.ledger.balances(ids)).values()]).toEqual([100n, 150n, 300n]);
    const mixed = send(userAccountId(1n, 'ATH3'), userAccountId(2n, 'ATH'), 1n);
    await expect(books.ledger.transfer(mixed)).rejects.toThrow('one asset');
  });

  it('computes the account ids that the migrations created', async () => {
    const { rows } = await books.admin.query<{ id: string; code: SystemAccount; asset: 'ATH' }>(
      'select id::text, code, asset from ledger_accounts where code is not null',
    );
    expect(rows).toHaveLength(37);
    for (const { id, code, asset } of rows) {
      expect(systemAccountId(code, asset)).toBe(BigInt(id));
      expect(assetOfAccount(systemAccountId(code, asset))).toBe(asset);
      expect(userIdOfAccount(systemAccountId(code, asset))).toBeUndefined();
    }
    expect(assetOfAccount(userAccountId(7n, 'ATH3'))).toBe('ATH3');
    expect(userIdOfAccount(userAccountId(7n, 'ATH3'))).toBe(7n);
  });
});

describe('double entry', () => {
  it('[D-088] records a movement as one transfer between two accounts of one asset', async () => {
    const [from, to] = [await books.openUser(1n, 100n), await books.openUser(2n, 7n)];
    const request = send(from, to, 30n);
    const outcome = await books.ledger.transfer(request);
    if (outcome.outcome !== 'done') throw new Error(outcome.outcome);
    expect(await books.ledger.transferById(outcome.transferId)).toEqual({
      transferId: outcome.transferId,
      debitAccountId: from,
      creditAccountId: to,
      amountUnits: 30n,
      debitAfterUnits: 70n,
      creditAfterUnits: 37n,
      kind: TransferKind.Send,
      key: request.key,
      line: 0,
      at: expect.any(Date),
    });
    expect(await books.ledger.transferById(outcome.transferId + 1n)).toBeUndefined();
  });

  it("[D-089] keeps the sum over all accounts of an asset at '0' at every moment", async () => {
    const ids = [await books.openUser(1n, 500n), await books.openUser(2n, 500n)] as const;
    const sends = Array.from({ length: 200 }, (_, index) =>
      books.ledger.transfer(index % 2 === 0 ? send(ids[0], ids[1], 7n) : send(ids[1], ids[0], 7n)),
    );
    // The sums are read on another connection while the transfers are posted.
    const sums = Array.from({ length: 20 }, () =>
      books.admin.query('select sum(balance_units)::int from ledger_accounts'),
    );
    for (const { rows } of await Promise.all(sums)) expect(rows).toEqual([{ sum: 0 }]);
    expect(new Set((await Promise.all(sends)).map(({ outcome }) => outcome))).toEqual(
      new Set(['done']),
    );
  });

  it("[D-090] never lets a user account go below '0'", async () => {
    const [from, to] = [await books.openUser(1n, 100n), await books.openUser(2n)];
    expect(await books.ledger.transfer(send(from, to, 101n))).toEqual({ outcome: 'insufficient' });
    expect(await books.balance(from)).toBe(100n);
    await expect(
      books.admin.query('update ledger_accounts set balance_units = -1 where id = $1', [from]),
    ).rejects.toThrow('ledger_accounts_not_below_floor');
  });

  it('accepts one of twenty concurrent sends of the whole balance', async () => {
    const [from, to] = [await books.openUser(1n, 100n), await books.openUser(2n)];
    const results = await Promise.all(
      Array.from({ length: 20 }, () => books.ledger.transfer(send(from, to, 100n))),
    );
    expect(results.filter(({ outcome }) => outcome === 'done')).toHaveLength(1);
    expect(results.filter(({ outcome }) => outcome === 'insufficient')).toHaveLength(19);
    expect(await books.balance(to)).toBe(100n);
  });

  it('accepts concurrent payments of many users into one account', async () => {
    const merchant = systemAccountId('merchant', 'ATH');
    const payers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => books.openUser(BigInt(index + 1), 10n)),
    );
    await Promise.all(
      payers.flatMap((payer) =>
        Array.from({ length: 10 }, () => books.ledger.transfer(send(payer, merchant, 1n))),
      ),
    );
    expect(await books.balance(merchant)).toBe(400n);
  });

  it('processes concurrent requests in the order of their arrival', async () => {
    const model = new SequentialLedger();
    const users: LedgerAccountId[] = [];
    for (let userId = 1n; userId <= 5n; userId++) {
      const id = await books.openUser(userId, 100n);
      users.push(id);
      model.open(id, { balance: 100n });
    }
    const requests: GroupTransferRequest[] = [];
    for (let index = 0; index < 600; index++) {
      const [from, to] = [users[(index * 7) % 5], users[(index * 3 + 1) % 5]];
      if (from === undefined || to === undefined) throw new Error('no such user');
      const again = index % 11 === 10 ? requests[index - 9] : undefined;
      requests.push(again ?? line(from, to, BigInt((index * 37) % 60)));
    }
    const results = await Promise.all(requests.map((request) => books.ledger.transfer(request)));
    expect(results.map(({ outcome }) => outcome)).toEqual(
      requests.map((request) => model.post(request).outcome),
    );
    for (const id of users) expect(await books.balance(id)).toBe(model.accounts.get(id)?.balance);
  });
});

describe('keys', () => {
  it('returns the first result to a replay and moves nothing', async () => {
    const [from, to] = [await books.openUser(1n, 100n), await books.openUser(2n)];
    const request = send(from, to, 10n);
    const first = await books.ledger.transfer(request);
    await books.ledger.transfer(send(from, to, 90n));
    expect(await books.ledger.transfer(request)).toEqual({ ...first, outcome: 'replayed' });
    expect(await books.balance(from)).toBe(0n);
  });

  it('moves value once for twenty concurrent requests with one key', async () => {
    const [from, to] = [await books.openUser(1n, 100n), await books.openUser(2n)];
    const request = send(from, to, 10n);
    const results = await Promise.all(
      Array.from({ length: 20 }, () => books.ledger.transfer(request)),
    );
    expect(results.filter(({ outcome }) => outcome === 'done')).toHaveLength(1);
    expect(results.filter(({ outcome }) => outcome === 'replayed')).toHaveLength(19);
    expect(await books.balance(to)).toBe(10n);
  });

  it('refuses a key that was used for another receiver, amount or kind', async () => {
    const [from, to, other] = [
      await books.openUser(1n, 100n),
      await books.openUser(2n),
      await books.openUser(3n),
    ];
    const request = send(from, to, 10n);
    await books.ledger.transfer(request);
    const changed = [
      { ...request, amountUnits: units(11n) },
      { ...request, creditAccountId: other },
      { ...request, kind: TransferKind.Tip },
    ];
    for (const again of changed) {
      expect(await books.ledger.transfer(again)).toEqual({ outcome: 'key_reused' });
    }
    expect(await books.balance(from)).toBe(90n);
  });

  it('[D-170] does not use up a key on a refusal: the same key may succeed later', async () => {
    const [from, to] = [await books.openUser(1n), await books.openUser(2n, 100n)];
    const request = send(from, to, 50n);
    expect(await books.ledger.transfer(request)).toEqual({ outcome: 'insufficient' });
    await books.ledger.transfer(send(to, from, 60n));
    expect(await books.ledger.transfer(request)).toMatchObject({ outcome: 'done' });
  });

  it('scopes a key to its payer: two payers may use the same one', async () => {
    const [first, second] = [await books.openUser(1n, 100n), await books.openUser(2n, 100n)];
    const key = randomUUID();
    const results = await Promise.all([
      books.ledger.transfer(send(first, second, 10n, key)),
      books.ledger.transfer(send(second, first, 20n, key)),
    ]);
    expect(results.map(({ outcome }) => outcome)).toEqual(['done', 'done']);
  });

  it('refuses a key that is not a UUID before it reaches a batch', async () => {
    const [from, to] = [await books.openUser(1n, 100n), await books.openUser(2n)];
    const results = await Promise.allSettled([
      books.ledger.transfer(send(from, to, 10n)),
      books.ledger.transfer(send(from, to, 10n, 'x,{}')),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  });

  it('refuses amounts that do not fit a column', async () => {
    const [from, to] = [await books.openUser(1n, 100n), await books.openUser(2n)];
    for (const amount of [0n, -1n, 10n ** 15n + 1n, 2n ** 63n, 10n ** 40n]) {
      expect(await books.ledger.transfer(send(from, to, amount))).toEqual({
        outcome: 'bad_amount',
      });
    }
  });
});

describe("the caller's transaction", () => {
  it('commits a group with the other rows of the transaction or not at all', async () => {
    const [from, to] = [await books.openUser(1n, 100n), await books.openUser(2n)];
    const key = randomUUID();
    const group = [
      line(from, to, 10n, { key, number: 0 }),
      line(from, to, 20n, { key, number: 1 }),
    ];
    const work = books.inTx(async (tx) => {
      expect(await books.ledger.transferInTx(tx, group)).toMatchObject({ outcome: 'done' });
      throw new Error('the caller fails');
    });
    await expect(work).rejects.toThrow('the caller fails');
    expect(await books.balance(from)).toBe(100n);

    const done = await books.inTx((tx) => books.ledger.transferInTx(tx, group));
    expect(done).toMatchObject({
      outcome: 'done',
      transfers: [{ debitAfterUnits: 90n }, { debitAfterUnits: 70n }],
    });
    const again = await books.inTx((tx) => books.ledger.transferInTx(tx, group));
    expect(again).toEqual({ ...done, outcome: 'replayed' });
  });

  it('writes nothing of a group if one movement is refused, and says which', async () => {
    const [from, to] = [await books.openUser(1n, 100n), await books.openUser(2n)];
    const group = [line(from, to, 60n), line(from, to, 60n), line(from, to, 1n)];
    const outcome = await books.inTx((tx) => books.ledger.transferInTx(tx, group));
    expect(outcome).toEqual({ outcome: 'refused', index: 1, refusal: { outcome: 'insufficient' } });
    expect(await books.balance(from)).toBe(100n);
  });

  it('refuses a group of which the key has posted only some lines before', async () => {
    const [from, to] = [await books.openUser(1n, 100n), await books.openUser(2n)];
    const key = randomUUID();
    const first = line(from, to, 10n, { key, number: 0 });
    await books.inTx((tx) => books.ledger.transferInTx(tx, [first]));
    const outcome = await books.inTx((tx) =>
      books.ledger.transferInTx(tx, [first, line(from, to, 10n, { key, number: 1 })]),
    );
    expect(outcome).toEqual({ outcome: 'refused', index: 1, refusal: { outcome: 'key_reused' } });
    expect(await books.balance(from)).toBe(90n);
  });

  it('does not deadlock with group commits and state changes', { tags: 'long' }, async () => {
    const [first, second] = [await books.openUser(1n, 1_000n), await books.openUser(2n, 1_000n)];
    const work = Array.from({ length: 30 }, (_, index) => [
      books.ledger.transfer(send(first, second, 1n)),
      books.inTx(async (tx) => {
        await books.ledger.setAccountState(tx, index % 2 === 0 ? second : first, 'open');
        return books.ledger.transferInTx(tx, [line(second, first, 1n)]);
      }),
      books.ledger.transfer(send(second, first, 1n)),
    ]);
    const results = await Promise.all(work.flat());
    expect(new Set(results.map(({ outcome }) => outcome))).toEqual(new Set(['done']));
  });

  it(
    'stops payments out of a restricted, frozen or closed account, and into a closed one',
    { tags: 'long' },
    async () => {
      const [from, to] = [await books.openUser(1n, 100n), await books.openUser(2n, 100n)];
      for (const state of ['restricted', 'frozen', 'closed'] as const) {
        await books.inTx((tx) => books.ledger.setAccountState(tx, from, state));
        expect(await books.ledger.transfer(send(from, to, 1n))).toEqual({
          outcome: 'blocked',
          reason: state,
        });
        expect(await books.ledger.transfer(send(to, from, 1n))).toMatchObject({
          outcome: state === 'closed' ? 'unknown_account' : 'done',
        });
      }
      await books.inTx((tx) => books.ledger.setAccountState(tx, from, 'open'));
      expect(await books.ledger.transfer(send(from, to, 1n))).toMatchObject({ outcome: 'done' });
      await expect(
        books.inTx((tx) => books.ledger.setAccountState(tx, userAccountId(99n, 'ATH'), 'closed')),
      ).rejects.toThrow(RangeError);
    },
  );
});

describe('holds', () => {
  const hold = (userId: bigint, ...held: HeldMovement[]) =>
    books.inTx((tx) => books.ledger.setHeldMovements(tx, userId, held));

  async function outcomesFor(account: LedgerAccountId, other: LedgerAccountId) {
    const outcome = async (from: LedgerAccountId, to: LedgerAccountId, kind: TransferKind) =>
      (await books.ledger.transfer({ ...send(from, to, 1n), kind })).outcome;
    const merchant = systemAccountId('merchant', 'ATH');
    const issuance = systemAccountId('issuance', 'ATH');
    return {
      send: await outcome(account, other, TransferKind.Send),
      purchase: await outcome(account, merchant, TransferKind.Purchase),
      tip: await outcome(account, other, TransferKind.Tip),
      toStaff: await outcome(account, systemAccountId('holds', 'ATH'), TransferKind.Hold),
      sent: await outcome(other, account, TransferKind.Send),
      tipped: await outcome(other, account, TransferKind.Tip),
      rewarded: await outcome(issuance, account, TransferKind.Reward),
      bought: await outcome(issuance, account, TransferKind.CardCredit),
      refunded: await outcome(merchant, account, TransferKind.PurchaseRefund),
    };
  }
  const ALL_DONE = {
    send: 'done',
    purchase: 'done',
    tip: 'done',
    toStaff: 'done',
    sent: 'done',
    tipped: 'done',
    rewarded: 'done',
    bought: 'done',
    refunded: 'done',
  };

  it(
    'stop the movements that they name, and let all others through',
    { tags: 'long' },
    async () => {
      const [account, other] = [await books.openUser(1n, 100n), await books.openUser(2n, 100n)];
      await books.ledger.transfer(seed(systemAccountId('merchant', 'ATH'), 100n));
      expect(await outcomesFor(account, other)).toEqual(ALL_DONE);
      await hold(1n, 'send');
      expect(await outcomesFor(account, other)).toEqual({ ...ALL_DONE, send: 'held' });
      await hold(1n, 'spend');
      expect(await outcomesFor(account, other)).toEqual({
        ...ALL_DONE,
        purchase: 'held',
        tip: 'held',
      });
      await hold(1n, 'receive');
      expect(await outcomesFor(account, other)).toEqual({
        ...ALL_DONE,
        sent: 'receiver_held',
        tipped: 'receiver_held',
        rewarded: 'receiver_held',
      });
      await hold(1n, 'send', 'spend', 'receive');
      const accountState = await books.inTx((tx) => books.ledger.accountState(tx, account));
      expect(accountState).toBe('held');
      expect(Object.values(await outcomesFor(account, other)).toSorted()).toEqual([
        'done',
        'done',
        'done',
        'held',
        'held',
        'held',
        'receiver_held',
        'receiver_held',
        'receiver_held',
      ]);
      await hold(1n);
      expect(await outcomesFor(account, other)).toEqual(ALL_DONE);
    },
  );

  it('do not open an account that is restricted, frozen or closed', async () => {
    const account = await books.openUser(1n);
    for (const state of ['restricted', 'frozen', 'closed'] as const) {
      await books.inTx((tx) => books.ledger.setAccountState(tx, account, state));
      await hold(1n, 'receive');
      await hold(1n);
      expect(await books.inTx((tx) => books.ledger.accountState(tx, account))).toBe(state);
    }
  });

  it('stop transfers under way, and let replays of earlier ones be answered', async () => {
    const [account, other] = [await books.openUser(1n, 100n), await books.openUser(2n)];
    const earlier = send(account, other, 1n);
    await books.ledger.transfer(earlier);
    const results = await Promise.all([
      ...Array.from({ length: 20 }, () => books.ledger.transfer(send(account, other, 1n))),
      hold(1n, 'send').then(() => books.ledger.transfer(send(account, other, 1n))),
    ]);
    expect(results.at(-1)).toEqual({ outcome: 'held' });
    const doneCount = results.filter(({ outcome }) => outcome === 'done').length;
    expect(await books.balance(other)).toBe(BigInt(doneCount) + 1n);
    expect(await books.ledger.transfer(earlier)).toMatchObject({ outcome: 'replayed' });
  });
});

describe('claw-backs', () => {
  const merchant = systemAccountId('merchant', 'ATH');
  const dispute = systemAccountId('dispute_hold', 'ATH');
  const take = (from: LedgerAccountId, amount: bigint, key = randomUUID()) => ({
    ...line(from, dispute, amount, { key }),
    kind: TransferKind.Chargeback,
  });
  const clawBack = (...requests: GroupTransferRequest[]) =>
    books.inTx((tx) => books.ledger.clawBackInTx(tx, requests));

  it.each(['open', 'restricted', 'frozen', 'held'] as const)(
    'take more than there is from an account that is %s, and leave it so',
    async (state) => {
      const account = await books.openUser(1n, 100n);
      await books.ledger.transfer({ ...send(account, merchant, 70n), kind: TransferKind.Purchase });
      await books.inTx((tx) =>
        state === 'held'
          ? books.ledger.setHeldMovements(tx, 1n, ['send', 'spend'])
          : books.ledger.setAccountState(tx, account, state),
      );
      expect(await clawBack(take(account, 100n))).toMatchObject({
        outcome: 'done',
        transfers: [{ debitAfterUnits: -70n, creditAfterUnits: 100n }],
      });
      expect(await books.inTx((tx) => books.ledger.accountState(tx, account))).toBe(state);
    },
  );

  it('take nothing from a closed account', async () => {
    const account = await books.openUser(1n);
    await books.inTx((tx) => books.ledger.setAccountState(tx, account, 'closed'));
    expect(await clawBack(take(account, 1n))).toEqual({
      outcome: 'refused',
      index: 0,
      refusal: { outcome: 'blocked', reason: 'closed' },
    });
  });

  it('happen once per key, and a refused group changes no floor', async () => {
    const account = await books.openUser(1n, 10n);
    const request = take(account, 30n);
    expect((await clawBack(request)).outcome).toBe('done');
    expect((await clawBack(request)).outcome).toBe('replayed');
    const emptied = line(dispute, merchant, 1_000n);
    expect(await clawBack(take(account, 5n), emptied)).toMatchObject({
      outcome: 'refused',
      index: 1,
      refusal: { outcome: 'insufficient' },
    });
    expect(await books.balance(account)).toBe(-20n);
    await clawBack(seed(account, 1n));
    expect((await books.ledger.transfer(send(account, merchant, 2n))).outcome).toBe('insufficient');
  });

  it('leave a floor that rises with the balance, to 0 at most', async () => {
    const account = await books.openUser(1n);
    const restore = () => books.inTx((tx) => books.ledger.restoreFloorInTx(tx, account));
    await clawBack(take(account, 30n));
    expect(await restore()).toBe(-30n);
    await clawBack(seed(account, 20n));
    expect(await restore()).toBe(-10n);
    await clawBack(seed(account, 25n));
    expect(await restore()).toBe(0n);
    expect((await books.ledger.transfer(send(account, merchant, 16n))).outcome).toBe(
      'insufficient',
    );
  });

  it('use an index of debtors that ordinary balance changes do not touch', async () => {
    const { rows } = await books.admin.query<{ definition: string }>(
      `select indexdef as definition from pg_indexes where tablename = 'ledger_accounts'`,
    );
    expect(rows.map(({ definition }) => definition).join('\n')).toMatch(/floor_units < 0/);
    expect(
      rows.filter(({ definition }) => /balance_units|last_transfer_id/.test(definition)),
    ).toEqual([]);
  });
});

describe('the journal', () => {
  it('[D-092] keeps the journal append-only', async () => {
    const [from, to] = [await books.openUser(1n, 100n), await books.openUser(2n)];
    await books.ledger.transfer(send(from, to, 10n));
    const attempts = [
      'update ledger_transfers set amount_units = 1',
      'delete from ledger_transfers',
      'truncate ledger_transfers',
      "update ledger_batches set hash = ''",
      'delete from ledger_batches',
      'delete from ledger_accounts',
      'delete from ledger_head',
    ];
    for (const attempt of attempts) {
      await expect(books.admin.query(attempt), attempt).rejects.toThrow('the ledger only grows');
    }
    await expect(
      books.admin.query(
        "insert into ledger_accounts (id, asset, balance_units) values (800, 'ATH', 5)",
      ),
    ).rejects.toThrow('must open empty');
  });
});
