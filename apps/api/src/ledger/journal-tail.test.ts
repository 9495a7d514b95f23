import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createLedgerBooks, seed, send, type LedgerBooks } from '../../test/ledger-books.ts';
import { recordLog } from '../../test/recorded-log.ts';
import type { LedgerAccountId } from './index.ts';
import { JournalTail } from './journal-tail.ts';

const SECOND_MS = 1_000;

/** The books whose ledger posts. The tail shares only the database with it. */
let books: LedgerBooks;
let from: LedgerAccountId;
let to: LedgerAccountId;
let tail: JournalTail;
let isWanted: boolean;
const heard = new Set<LedgerAccountId>();
const onGap = vi.fn<() => void>();

beforeEach(async () => {
  books = await createLedgerBooks();
  [from, to] = [await books.openUser(1n, 1_000n), await books.openUser(2n)];
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  isWanted = true;
  heard.clear();
  onGap.mockClear();
  tail = new JournalTail(books.admin, recordLog().log, {
    isWanted: () => isWanted,
    onPosted: (accountIds) => {
      for (const id of accountIds) if (id > 0n) heard.add(id);
    },
    onGap,
  });
});
afterEach(async () => {
  tail.stop();
  vi.useRealTimers();
  await books.expectBooksBalance();
  await books.close();
});

/** Advances the clock by a second, and waits until the queries made in it are answered. */
async function passSecond(): Promise<void> {
  const asked = vi.spyOn(books.admin, 'query');
  await vi.advanceTimersByTimeAsync(SECOND_MS);
  await Promise.allSettled(asked.mock.results.map(({ value }) => value as unknown));
  asked.mockRestore();
}
const hearsWithinSecond = async (): Promise<Set<LedgerAccountId>> => {
  heard.clear();
  await passSecond();
  return new Set(heard);
};
const credit = (accountId: LedgerAccountId) =>
  books.inTx((tx) => books.ledger.transferInTx(tx, [seed(accountId, 5n)]));

it(
  '[P-001] tells of batches and of transactions within 1 s, once, and of nothing from before or rolled back',
  { tags: 'long' },
  async () => {
    await tail.ready();
    await expect(
      books.inTx(async (tx) => {
        await books.ledger.transferInTx(tx, [seed(from, 1n)]);
        throw new Error('rolled back');
      }),
    ).rejects.toThrow('rolled back');
    expect(await hearsWithinSecond()).toEqual(new Set());
    await books.ledger.transfer(send(from, to, 10n));
    expect(await hearsWithinSecond()).toEqual(new Set([from, to]));
    await credit(to);
    expect(await hearsWithinSecond()).toEqual(new Set([to]));
    expect(await hearsWithinSecond()).toEqual(new Set());
    expect(onGap).not.toHaveBeenCalled();
  },
);

it('misses no movement that was decided before another one and committed while somebody looked', async () => {
  await tail.ready();
  let later: Promise<unknown> | undefined;
  await books.inTx(async (tx) => {
    await books.ledger.transferInTx(tx, [seed(to, 5n)]);
    later = books.ledger.transfer(send(from, to, 10n));
    expect(await hearsWithinSecond()).toEqual(new Set());
  });
  await later;
  expect(await hearsWithinSecond()).toEqual(new Set([from, to]));
});

it(
  'reads nothing while nobody wants to know, and goes on from the end of the journal',
  { tags: 'long' },
  async () => {
    await tail.ready();
    isWanted = false;
    const asked = vi.spyOn(books.admin, 'query');
    await vi.advanceTimersByTimeAsync(10 * SECOND_MS);
    expect(asked).not.toHaveBeenCalled();
    asked.mockRestore();
    await books.ledger.transfer(send(from, to, 10n));
    await tail.ready();
    isWanted = true;
    await credit(to);
    expect(await hearsWithinSecond()).toEqual(new Set([to]));
  },
);

it(
  'reports a gap once if the journal could not be read, and waits until it is asked again',
  { tags: 'long' },
  async () => {
    await tail.ready();
    const failing = vi.spyOn(books.admin, 'query').mockRejectedValue(new Error('cut') as never);
    await vi.advanceTimersByTimeAsync(10 * SECOND_MS);
    expect(onGap).toHaveBeenCalledTimes(1);
    await expect(tail.ready()).rejects.toThrow('cut');
    failing.mockRestore();
    await tail.ready();
    await credit(to);
    expect(await hearsWithinSecond()).toEqual(new Set([to]));
    expect(onGap).toHaveBeenCalledTimes(1);
  },
);
