import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLedgerBooks, seed, send, type LedgerBooks } from '../../test/ledger-books.ts';
import {
  BadCursorError,
  TransferKind,
  userAccountId,
  type HistoryQuery,
  type JournalTransfer,
  type LedgerAccountId,
} from './index.ts';

let books: LedgerBooks;
let me: LedgerAccountId;
let other: LedgerAccountId;
beforeEach(async () => {
  books = await createLedgerBooks();
  me = await books.openUser(1n, 1_000n);
  other = await books.openUser(2n, 1_000n);
});
afterEach(async () => {
  await books.expectBooksBalance();
  await books.close();
});

const mine = (): LedgerAccountId[] =>
  (['ATH', 'ATH2', 'ATH3'] as const).map((asset) => userAccountId(1n, asset));

async function readAll(query: Omit<HistoryQuery, 'cursor'>): Promise<JournalTransfer[]> {
  const all: JournalTransfer[] = [];
  for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined;) {
    isFirst = false;
    const page = await books.ledger.walkHistory({
      ...query,
      ...(cursor === undefined ? {} : { cursor }),
    });
    expect(page.transfers.length).toBeLessThanOrEqual(query.limit);
    all.push(...page.transfers);
    cursor = page.next;
  }
  return all;
}

describe('history', () => {
  it(
    'merges the accounts of a user, newest first, and lists each transfer once across all pages',
    { tags: 'long' },
    async () => {
      await books.inTx((tx) =>
        books.ledger.transferInTx(tx, [seed(userAccountId(1n, 'ATH2'), 50n, 'ATH2')]),
      );
      await books.inTx((tx) => books.ledger.openAccounts(tx, 2n));
      for (let round = 0n; round < 7n; round++) {
        await books.ledger.transfer(send(me, other, 1n + round));
        await books.ledger.transfer(send(other, me, 20n + round));
        await books.ledger.transfer(
          send(userAccountId(1n, 'ATH2'), userAccountId(2n, 'ATH2'), 1n + round),
        );
      }
      const whole = await books.ledger.walkHistory({ accountIds: mine(), limit: 100 });
      expect(whole.next).toBeUndefined();
      expect(whole.transfers).toHaveLength(23);
      const ids = whole.transfers.map(({ transferId }) => transferId);
      expect(ids).toEqual(ids.toSorted((a, b) => (a > b ? -1 : 1)));
      for (const limit of [1, 4, 22, 23]) {
        expect(await readAll({ accountIds: mine(), limit })).toEqual(whole.transfers);
      }
    },
  );

  it('filters by kind and time', { tags: 'long' }, async () => {
    for (let round = 0; round < 5; round++) {
      await books.ledger.transfer({ ...send(me, other, 1n), kind: TransferKind.Tip });
      await books.ledger.transfer(send(me, other, 2n));
    }
    const kinds = { paid: [TransferKind.Tip], received: [] };
    const tips = await readAll({ accountIds: mine(), limit: 2, kinds });
    expect(tips.map(({ amountUnits }) => amountUnits)).toEqual([1n, 1n, 1n, 1n, 1n]);

    const whole = await readAll({ accountIds: mine(), limit: 100 });
    const [from, to] = [whole[6]?.at, whole[2]?.at];
    if (from === undefined || to === undefined) throw new Error('no such rows');
    const between = await readAll({ accountIds: mine(), limit: 3, from, to });
    expect(between).toEqual(
      whole.filter(({ at }) => at.getTime() >= from.getTime() && at.getTime() < to.getTime()),
    );
  });

  it('distinguishes what was paid from what was received', { tags: 'long' }, async () => {
    await books.ledger.transfer(send(me, other, 3n));
    await books.ledger.transfer(send(other, me, 4n));
    const amounts = async (paid: TransferKind[], received: TransferKind[]) =>
      (await readAll({ accountIds: mine(), limit: 1, kinds: { paid, received } })).map(
        ({ amountUnits }) => amountUnits,
      );
    expect(await amounts([TransferKind.Send], [])).toEqual([3n]);
    expect(await amounts([], [TransferKind.Send])).toEqual([4n]);
  });

  it(
    'returns a short page with a cursor when a filter matches little, and reaches the end',
    { tags: 'long' },
    async () => {
      await Promise.all(
        Array.from({ length: 700 }, () =>
          books.ledger
            .transfer(send(me, other, 1n))
            .then(() => books.ledger.transfer(send(other, me, 1n))),
        ),
      );
      const kinds = { paid: [], received: [TransferKind.Seed] };
      const query = { accountIds: mine(), limit: 20, kinds };
      const page = await books.ledger.walkHistory(query);
      expect(page.transfers).toEqual([]);
      expect(page.next).toBeDefined();
      expect(await readAll(query)).toHaveLength(1);
    },
  );

  it('shows no transfers of others for a forged cursor', { tags: 'long' }, async () => {
    const stranger = await books.openUser(3n, 1_000n);
    const foreign = await books.ledger.transfer(send(stranger, other, 5n));
    if (foreign.outcome !== 'done') throw new Error(foreign.outcome);
    const cursor = `${foreign.transferId}.${foreign.transferId}.999999999`;
    const page = await books.ledger.walkHistory({ accountIds: mine(), limit: 20, cursor });
    expect(page).toEqual({ transfers: [], next: undefined });
  });

  it('refuses a malformed cursor', async () => {
    for (const cursor of ['', 'x', '1.2', '1.2.3.4', '-1.0.0', `${'9'.repeat(30)}.0.0`]) {
      await expect(
        books.ledger.walkHistory({ accountIds: mine(), limit: 20, cursor }),
      ).rejects.toThrow(BadCursorError);
    }
  });
});
