import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { units } from '@athos/domain/money';
import { createLedgerBooks, seed, send, type LedgerBooks } from '../../test/ledger-books.ts';
import {
  addTotals,
  countJournal,
  readJournal,
  selectBalancesBefore,
  selectDebts,
  selectProgrammeAccounts,
  selectTransfersByKeys,
  systemAccountId,
  TransferKind,
  verifyLedger,
  type GroupTransferRequest,
  type JournalFilter,
  type LedgerAccountId,
} from './index.ts';

let books: LedgerBooks;
beforeEach(async () => {
  books = await createLedgerBooks();
});
afterEach(async () => {
  await books.expectBooksBalance();
  await books.close();
});

const DAY_MS = 24 * 60 * 60_000;
const issuance = systemAccountId('issuance', 'ATH');
const merchant = systemAccountId('merchant', 'ATH');
const breakage = systemAccountId('breakage', 'ATH');

/** The journal's times never decrease, so moving the last batch's time ahead starts a new day. */
const moveTo = (time: Date) => books.admin.query('update ledger_head set posted_at = $1', [time]);

const move = (
  from: LedgerAccountId,
  to: LedgerAccountId,
  amount: bigint,
  kind: TransferKind = TransferKind.Purchase,
): GroupTransferRequest => ({ ...send(from, to, amount), kind, line: 0 });

const post = (...requests: GroupTransferRequest[]) =>
  books.inTx((tx) => books.ledger.transferInTx(tx, requests));

const page = (filter: JournalFilter, limit = 100) =>
  books.inTx((tx) => readJournal(tx, filter, limit));

describe('balances at the end of any day', () => {
  const FIRST_DAY = Date.UTC(2031, 0, 1);
  const balancesBefore = (time: Date) => books.inTx((tx) => selectBalancesBefore(tx, time));
  const everyDay = () => Array.from({ length: 13 }, (_, day) => balancesBefore(dayAt(day)));
  const selectTotals = async () =>
    (await books.admin.query('select * from ledger_totals order by until_id, account_id')).rows;
  const dayAt = (day: number): Date => new Date(FIRST_DAY + day * DAY_MS);

  it('are correct for busy and for quiet accounts', { tags: 'long' }, async () => {
    const user = await books.openUser(1n);
    const stood: ReadonlyMap<LedgerAccountId, bigint>[] = [];
    const now = async () =>
      new Map(
        (await books.inTx((tx) => selectProgrammeAccounts(tx))).map(
          ({ id, balanceUnits }) => [id, balanceUnits] as const,
        ),
      );
    for (let day = 0; day < 12; day++) {
      await moveTo(new Date(dayAt(day).getTime() + 1_000));
      // The merchant's account moves every day, breakage every fifth, and goodwill only once.
      await post(seed(user, 100n), move(user, merchant, BigInt(10 + day)));
      for (let sale = 0; sale < 30; sale++) await post(move(user, merchant, 1n));
      if (day % 5 === 3) await post(move(user, breakage, 7n, TransferKind.Forfeit));
      if (day === 6)
        await post(move(issuance, systemAccountId('goodwill', 'ATH'), 50n, TransferKind.Goodwill));
      stood.push(await now());
    }
    for (const [day, expected] of stood.entries()) {
      const balances = await balancesBefore(dayAt(day + 1));
      expect(balances?.programme, `day ${day}`).toEqual(expected);
    }
    const before = await balancesBefore(dayAt(0));
    expect(new Set(before?.programme.values())).toEqual(new Set([0n]));

    // Balances computed from totals are the same on every day, no matter when the totals were added.
    const fromRows = await Promise.all(everyDay());
    await books.inTx((tx) => addTotals(tx, 50));
    expect(await Promise.all(everyDay())).toEqual(fromRows);
    const totals = await selectTotals();
    expect(totals.length).toBeGreaterThan(7);
    await books.expectBooksBalance();
    await books.admin.query('delete from ledger_totals');
    await Promise.all([1, 2].map(() => books.inTx((tx) => addTotals(tx, 50))));
    expect(await selectTotals()).toEqual(totals);
  });

  it('are refused if too many rows would have to be read', async () => {
    const user = await books.openUser(1n);
    await post(seed(user, 100n), move(user, merchant, 1n));
    const count = async (rowsMax: number) =>
      (
        await books.admin.query('select from ledger_balances_before(ledger_first_id_at($1), $2)', [
          'infinity',
          rowsMax,
        ])
      ).rowCount;
    expect(await count(1)).toBe(0);
    expect(await count(2)).toBeGreaterThan(0);
    await books.inTx((tx) => addTotals(tx, 2));
    expect(await count(0)).toBeGreaterThan(0);
  });

  it('are verified where there are totals', async () => {
    const user = await books.openUser(1n, 100n);
    await post(move(user, merchant, 5n), move(user, merchant, 6n));
    await books.inTx((tx) => addTotals(tx, 1));
    await books.admin.query(
      `update ledger_totals set balance_units = balance_units + 1
        where account_id = $1 and until_id = (select max(id) - 1 from ledger_transfers)`,
      [merchant],
    );
    const { fault } = await verifyLedger({ databaseUrl: books.databaseUrl });
    expect(fault).toMatchObject({
      row: expect.stringMatching(/^totals \d+$/),
      reason: 'say 6 for account -16, but the journal says 5',
    });
    await books.admin.query('delete from ledger_totals');
  });
});

describe('the journal', () => {
  it('is read by time, with a row on a boundary in one range only', async () => {
    const user = await books.openUser(1n, 1_000n);
    const times = [1, 2, 3, 4].map((day) => new Date(Date.UTC(2031, 5, day)));
    for (const time of times) {
      await moveTo(time);
      await post(move(user, merchant, 1n), move(user, merchant, 2n));
    }
    const [first, second, third] = times;
    const found = await page({ from: second, to: third });
    expect(found.transfers.map(({ at, amountUnits }) => [at, amountUnits])).toEqual([
      [second, 2n],
      [second, 1n],
    ]);
    expect((await page({ from: first })).transfers).toHaveLength(8);
    expect((await page({ to: first })).transfers).toHaveLength(1);
    expect((await page({ from: new Date(Date.UTC(2040, 0, 1)) })).transfers).toEqual([]);
    expect(await books.inTx((tx) => countJournal(tx, { from: second }, 100))).toBe(6);
    expect(await books.inTx((tx) => countJournal(tx, {}, 5))).toBe(5);
  });

  it('is paged without gaps or duplicates while transfers are posted', async () => {
    const user = await books.openUser(1n, 1_000n);
    for (let count = 0; count < 25; count++) await post(move(user, merchant, 1n));
    const ids: bigint[] = [];
    let beforeId: bigint | undefined;
    do {
      const { transfers, nextBeforeId } = await page({ beforeId }, 10);
      ids.push(...transfers.map(({ transferId }) => transferId));
      beforeId = nextBeforeId;
      await post(move(user, merchant, 1n));
    } while (beforeId !== undefined);
    const { rows } = await books.admin.query<{ id: string }>(
      'select id::text from ledger_transfers t order by t.id desc',
    );
    const all = rows.map(({ id }) => BigInt(id));
    expect(ids).toEqual(all.slice(all.indexOf(ids[0] ?? 0n)));
  });

  it(
    'is searched by kind and amount, and a page that reaches its row limit says how far it read',
    { tags: 'long' },
    async () => {
      const user = await books.openUser(1n);
      await post(seed(user, 1_000_000n));
      const rare = move(user, breakage, 77n, TransferKind.Forfeit);
      await post(rare);
      // Posts more rows than one call reads, in batches of 1,000.
      for (let batch = 0; batch < 11; batch++) {
        await post(...Array.from({ length: 1_000 }, () => move(user, merchant, 1n)));
      }
      const first = await page({ kinds: [TransferKind.Forfeit] });
      expect(first.transfers).toEqual([]);
      expect(first.lookedUntil).toBeInstanceOf(Date);
      const next = await page({ kinds: [TransferKind.Forfeit], beforeId: first.nextBeforeId });
      expect(next.transfers.map(({ key }) => key)).toEqual([rare.key]);
      expect(next.nextBeforeId).toBeUndefined();
      const byAmount = await page({ amountMin: 70n, amountMax: 77n, beforeId: first.nextBeforeId });
      expect(byAmount.transfers.map(({ key }) => key)).toEqual([rare.key]);
      expect(
        (await page({ amountMin: 78n, amountMax: 90n, beforeId: first.nextBeforeId })).transfers,
      ).toEqual([]);
    },
  );

  it('finds every line that was posted under a key, of every payer', async () => {
    const [ada, ben] = [await books.openUser(1n, 10n), await books.openUser(2n, 10n)];
    const key = randomUUID();
    await post({ ...move(ada, merchant, 1n), key }, { ...move(ada, merchant, 2n), key, line: 1 });
    await post({ ...move(ben, merchant, 3n), key });
    const found = await books.inTx((tx) => selectTransfersByKeys(tx, [key]));
    expect(found.map(({ amountUnits, line }) => [amountUnits, line])).toEqual([
      [1n, 0],
      [2n, 1],
      [3n, 0],
    ]);
    expect(await books.inTx((tx) => selectTransfersByKeys(tx, [randomUUID()]))).toEqual([]);
  });
});

it('lists what users owe', async () => {
  const [ada, ben] = [await books.openUser(1n), await books.openUser(2n, 10n)];
  const take = (from: LedgerAccountId, amount: bigint): GroupTransferRequest => ({
    ...move(from, systemAccountId('dispute_hold', 'ATH'), amount, TransferKind.Chargeback),
    amountUnits: units(amount),
  });
  await books.inTx((tx) => books.ledger.clawBackInTx(tx, [take(ada, 5n), take(ben, 40n)]));
  expect(await books.inTx((tx) => selectDebts(tx))).toEqual([
    { asset: 'ATH', count: 2, units: -35n },
  ]);
});
