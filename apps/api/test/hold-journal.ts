import { sql } from 'kysely';
import { vi } from 'vitest';
import type { TestApp } from './test-app.ts';

/** Locks the journal until several statements wait for it. Returns what `ask` has started. */
export function holdJournal<T extends object>(
  { admin }: Pick<TestApp, 'admin'>,
  ask: () => T,
): Promise<T> {
  return admin.transaction().execute(async (tx) => {
    await sql`lock table ledger_transfers in access exclusive mode`.execute(tx);
    const started = ask();
    const waiting = sql<{ count: number }>`
      select count(*)::int as count from pg_locks
       where not granted and relation = 'ledger_transfers'::regclass`;
    await vi.waitUntil(async () => ((await waiting.execute(tx)).rows[0]?.count ?? 0) > 1, {
      timeout: 15_000,
      interval: 5,
    });
    return started;
  });
}
