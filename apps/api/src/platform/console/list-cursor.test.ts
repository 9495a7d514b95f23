/** The protocol that all lists of the console share, tested with the list of the audit. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConsoleQueryOf } from '@athos/contract/console/calls';
import { consoleAs, type ConsoleCaller } from '../../../test/console.ts';
import { createTestApp, stopClock, type TestApp } from '../../../test/test-app.ts';

type Query = NonNullable<ConsoleQueryOf<'auditEntries'>>;

let test: TestApp;
let auditor: ConsoleCaller;
beforeAll(async () => {
  test = await createTestApp();
  auditor = await consoleAs(test, ['auditor']);
});
afterAll(() => test.close());

/** Small, because inside one transaction each entry reads past every earlier version of the head row. */
const ENTRIES_AT_ONCE = 1_000;

/** Appends entries about subjects `<from>` to `<to>`, a second apart. */
async function append(from: number, to: number, action = 'row.change'): Promise<void> {
  for (let first = from; first <= to; first += ENTRIES_AT_ONCE) {
    await appendAtOnce(first, Math.min(to, first + ENTRIES_AT_ONCE - 1), action);
  }
}

async function appendAtOnce(from: number, to: number, action: string): Promise<void> {
  await sql`
    select audit_append('2026-01-01'::timestamptz + number * interval '1 second', null, null, null, ${action}, 'row',
                        number::text, case when number % 2 = 0 then 'done' else 'refused' end, 'request', null, null,
                        'salt', '{}')
      from generate_series(${from}::int, ${to}::int) number`.execute(test.deps.db);
}

let advance: (byMs: number) => void;
async function page(query: Query) {
  // Each page counts against the person's limit.
  advance(1_000);
  const { status, body } = await auditor.call('auditEntries', { query });
  expect(status, JSON.stringify(body)).toBe(200);
  return body as {
    items: { id: number; subject: { id: string } }[];
    next_cursor: string | null;
    count: { value: number; is_at_least: boolean; estimate?: number };
  };
}

/** The subjects of all pages. `meanwhile` runs between the first and the second. */
async function walk(query: Query, meanwhile?: () => Promise<void>): Promise<number[]> {
  const subjects: number[] = [];
  let cursor: string | undefined;
  for (;;) {
    const { items, next_cursor: next } = await page({ ...query, ...(cursor && { cursor }) });
    subjects.push(...items.map(({ subject }) => Number(subject.id)));
    if (next === null) return subjects;
    if (cursor === undefined) await meanwhile?.();
    cursor = next;
  }
}

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe('a list', () => {
  beforeAll(async () => {
    await append(1, 60);
  });

  it('[O-045] pages without gaps or duplicates while rows are added', async () => {
    advance = stopClock(test);
    const query = { action: 'row.change', limit: 7 };
    const newest = await walk({ ...query, sort: 'newest' }, () => append(61, 70));
    expect(newest).toEqual(range(1, 60).toReversed());
    const oldest = await walk({ ...query, sort: 'oldest' }, () => append(71, 75));
    expect(oldest).toEqual(range(1, 75));
  });

  it('has 25 rows a page unless another number up to 100 is asked for', async () => {
    advance = stopClock(test);
    expect((await page({})).items).toHaveLength(25);
    expect((await page({ limit: 70 })).items).toHaveLength(70);
    const { status } = await auditor.call('auditEntries', { query: { limit: 101 } });
    expect(status).toBe(400);
  });

  it('is filtered by each of its columns and by time', async () => {
    advance = stopClock(test);
    const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
    const query = { action: 'row.change', sort: 'oldest', limit: 100 } as const;
    expect(await walk({ ...query, from: at(10), to: at(13) })).toEqual([10, 11, 12]);
    expect(await walk({ ...query, to: at(5), outcome: 'refused' })).toEqual([1, 3]);
    expect(await walk({ ...query, subject_type: 'row', subject_id: '7' })).toEqual([7]);
    expect(await walk({ ...query, staff_id: auditor.staffId })).toEqual([]);
    expect(await walk({ ...query, from: '2030-01-01T00:00:00Z' })).toEqual([]);
  });

  it('[O-046] refuses a cursor of other filters, of another sort, and one that it did not make', async () => {
    advance = stopClock(test);
    const query = { action: 'row.change', limit: 5 };
    const { next_cursor: cursor } = await page(query);
    expect(cursor).not.toBeNull();
    const [text = '', mac = ''] = (cursor ?? '').split('.');
    const forged = Buffer.from('[["1"],{"value":1,"is_at_least":false}]').toString('base64url');
    const others: Query[] = [
      { ...query, sort: 'oldest', cursor: cursor ?? '' },
      { ...query, action: 'row.read', cursor: cursor ?? '' },
      { ...query, outcome: 'done', cursor: cursor ?? '' },
      { limit: 5, cursor: cursor ?? '' },
      ...['', '.', 'x', text, `${text}.`, `${forged}.${mac}`, `${mac}.${text}`].map((wrong) => ({
        ...query,
        cursor: wrong,
      })),
    ];
    for (const other of others) {
      advance(1_000);
      const { status, body } = await auditor.call('auditEntries', { query: other });
      expect([other, status, body.code]).toEqual([other, 400, 'invalid_cursor']);
    }
    expect((await page({ ...query, limit: 9, cursor: cursor ?? '' })).items).toHaveLength(9);
  });

  it(
    '[O-047] counts exactly up to 10,000 rows, and estimates beyond',
    { tags: 'long' },
    async () => {
      advance = stopClock(test);
      const query = { action: 'row.many', limit: 2 };
      expect((await page(query)).count).toEqual({ value: 0, is_at_least: false });
      await append(1, 10_000, 'row.many');
      const full = await page(query);
      expect(full.count).toEqual({ value: 10_000, is_at_least: false });
      await append(10_001, 10_500, 'row.many');
      // The cursor carries the count of the first page.
      expect((await page({ ...query, cursor: full.next_cursor ?? '' })).count).toEqual(full.count);
      await sql`analyze audit_entries`.execute(test.admin);
      const { count } = await page(query);
      expect(count).toEqual({ value: 10_000, is_at_least: true, estimate: expect.any(Number) });
      expect(Math.abs((count.estimate ?? 0) - 10_500)).toBeLessThan(1_000);
    },
  );
});
