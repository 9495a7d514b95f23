/** The data set of the console's measurement, loaded in bulk with balanced books. */
import { sql } from 'kysely';
import pg from 'pg';
import { createTasks } from '../../apps/api/src/capabilities.ts';
import { addTotals } from '../../apps/api/src/ledger/index.ts';
import { createDeps } from '../../apps/api/src/deps.ts';
import { openStaffSession } from '../../apps/api/src/modules/staff/index.ts';
import { sessionCookie } from '../../apps/api/src/platform/console/console-cookie.ts';
import { createLog } from '../../apps/api/src/platform/log/log.ts';
import { configFor } from '../programs.ts';
import { say } from '../samples.ts';
import type { ConsoleScale } from '../scale.ts';
import { fillCampaigns } from './campaigns.sql.ts';
import { fillCards } from './cards.sql.ts';
import { fillCustomers } from './customers.sql.ts';
import { fillJournal } from './journal.sql.ts';
import { fillShop } from './shop.sql.ts';
import { fillActs, fillStaff } from './staff.sql.ts';

/** Fills an empty, migrated database. */
export async function fillConsoleData(databaseUrl: string, scale: ConsoleScale): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const steps: Readonly<Record<string, () => Promise<void>>> = {
    staff: () => fillStaff(client),
    customers: () => fillCustomers(client, scale),
    journal: () => fillJournal(client, scale),
    'card money': () => fillCards(client, scale),
    shop: () => fillShop(client, scale),
    campaigns: () => fillCampaigns(client, scale),
    acts: () => fillActs(client, scale),
  };
  try {
    // Rows are loaded as from a dump: all referenced rows exist, so no trigger has to check them.
    await client.query(`set session_replication_role = replica; set synchronous_commit = off;
      set maintenance_work_mem = '512MB'; set max_parallel_maintenance_workers = 2`);
    for (const [name, fill] of Object.entries(steps)) {
      const startMs = performance.now();
      await fill();
      say(`  ${name}: ${Math.round((performance.now() - startMs) / 1000)} s`);
    }
    await client.query('vacuum (freeze, analyze)');
  } finally {
    await client.end();
  }
}

const PATIENCE_MS = String(10 * 60_000);

/** Adds the rows that the worker would have added by now, and returns the cookies of signed-in members of staff. */
export async function openConsole(databaseUrl: string): Promise<string[]> {
  const patient = new URL(databaseUrl);
  // No limit, because all at once, these jobs take as much time as the worker spreads over months.
  for (const limit of ['statement_timeout', 'query_timeout'])
    patient.searchParams.set(limit, PATIENCE_MS);
  const config = configFor(patient.href);
  const deps = createDeps(config, createLog('warn'));
  try {
    while (!(await addTotals(deps.db)));
    // The dashboard's figures, computed as in production.
    for (const name of ['reports_ledger', 'reports_roll']) {
      await createTasks(deps).upkeep[name]?.({}, {} as never);
    }
    // Otherwise plans would depend on whether autovacuum has run.
    await sql`analyze stat_hours, stat_days`.execute(deps.db);
    const people = await deps.db.selectFrom('staff').select('id').execute();
    const facts = { isEnrolled: true, networkAddress: '127.0.0.1', userAgent: 'bench' };
    const sessions = await Promise.all(
      people.map(({ id: staffId }) => openStaffSession(deps.db, deps, { staffId, ...facts })),
    );
    return sessions.map(({ token }) => sessionCookie(config.console, token).split(';')[0] ?? '');
  } finally {
    await deps.close();
  }
}
