import { describe, expect, it } from 'vitest';
import { AccountTable } from './account-table.ts';

describe('the table of accounts', () => {
  it('finds every account that was added, whatever its id', () => {
    const table = new AccountTable();
    const customers = Array.from({ length: 5_000 }, (_, index) => BigInt(index) * 8n);
    const edges = [-1n, -(2n ** 63n), 2n ** 63n - 1n];
    // The same lower words as customers, and the same upper words as each other.
    const distant = customers.flatMap((id) => [id + 2n ** 32n, id - 2n ** 40n]);
    const ids = [...customers, ...edges, ...distant];
    for (const id of ids) {
      expect(table.slotOf(id)).toBeUndefined();
      table.add(id, { balance: id, lastId: -1n });
    }
    for (const id of ids) table.setAt(table.slotOf(id) ?? -1, id, id ^ 5n);
    expect(table.size).toBe(ids.length);
    expect([...table.ids()]).toEqual(ids);
    expect(ids.map((id) => table.take(id))).toEqual(
      ids.map((id) => ({ balance: id, lastId: id ^ 5n })),
    );
    expect([...table.ids()]).toEqual([]);
    expect(table.take(4n)).toBeUndefined();
  });
});
