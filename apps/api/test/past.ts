/** The past of the demo, for its tests. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { sql } from 'kysely';
import { TEST_ENV, type TestApp } from './test-app.ts';

/**
 * What stays the same whenever the same past is made: names, figures, times. Ids and secrets are drawn anew. Customers of after
 * `until` are not part of it.
 */
export async function figuresOfPast({ deps: { db } }: TestApp, until: Date): Promise<unknown> {
  const { rows } = await sql`
    select 'customer' as what, email as name, created_at as at, sum(balance_units)::text as figure
      from users join ledger_accounts account on account.id > 0 and account.id >> 3 = users.id
     where created_at < ${until}::timestamptz group by 1, 2, 3
    union all select 'journal', kind || ' ' || amount_units, at, count(*)::text from ledger_transfers group by 2, 3
    union all select 'stat', metric, bucket, sum(count) || ' ' || sum(units) from stat_hours group by 2, 3
    union all select 'order', email || ' ' || state, card_orders.created_at, total_usd_cents::text
      from card_orders join users on users.id = user_id
    union all select 'scan', outcome || ' ' || array_to_string(titles, ','), at, count(*)::text from scans group by 2, 3
    union all select 'dispute', status, opened_at, amount_usd_cents::text from card_disputes
    union all select 'request', action || ' ' || state, requested_at, count(*)::text from approvals group by 2, 3
     order by 1, 2, 3, 4`.execute(db);
  return rows;
}

const PROGRAM = join(import.meta.dirname, '../src/seed/main.ts');
const TRANSFERS_BEFORE_END = 200;

/** Runs the seed as `npm start` does, and kills it once value has moved. */
export async function killSeedInTheMiddle(
  { deps }: TestApp,
  { databaseUrl, mediaDir }: { readonly databaseUrl: string; readonly mediaDir: string },
): Promise<void> {
  const child = spawn(process.execPath, [PROGRAM], {
    stdio: 'ignore',
    env: {
      ...TEST_ENV,
      PATH: process.env['PATH'],
      DATABASE_URL: databaseUrl,
      MEDIA_DIR: mediaDir,
      EXPORT_DIR: join(mediaDir, 'exports'),
      DEMO: '1',
    },
  });
  const ended = once(child, 'exit');
  let count = 0;
  while (count < TRANSFERS_BEFORE_END && child.exitCode === null) {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from ledger_transfers`.execute(deps.db);
    count = rows[0]?.count ?? 0;
  }
  child.kill('SIGKILL');
  await ended;
  if (count < TRANSFERS_BEFORE_END) throw new Error('the seed ended before it was killed');
}
