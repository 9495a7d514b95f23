import { sql } from 'kysely';
import { vi } from 'vitest';
import type { TestApp } from './test-app.ts';

/** Resolves when a statement on the database of `test`, one that contains `text`, waits for a lock. */
export async function waitForLock({ deps }: Pick<TestApp, 'deps'>, text = ''): Promise<void> {
  const waiters = sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock' and position(${text} in query) > 0`;
  await vi.waitUntil(async () => (await waiters.execute(deps.db)).rows[0]?.count !== 0, {
    timeout: 15_000,
    interval: 5,
  });
}
