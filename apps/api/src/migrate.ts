import { runMigrations as migrateJobs } from 'graphile-worker';
import { runner } from 'node-pg-migrate';
import pg from 'pg';
import { RESTORE_LEDGER_CLOCK } from './ledger/index.ts';
import { MIGRATIONS_DIR } from './migrations.ts';
import type { Log } from './platform/log/log.ts';

/** An arbitrary constant for the advisory lock that lets one process migrate while the others wait. */
const MIGRATION_LOCK = 7_214_300_001;

/** Migrates the job queue's schema and ours to the newest version. Processes that start together take turns. */
export async function migrate(databaseUrl: string, log: Log): Promise<void> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'athos-migrate',
  });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await migrateJobs({ connectionString: databaseUrl });
    const done = await runner({
      dbClient: client,
      dir: MIGRATIONS_DIR,
      direction: 'up',
      migrationsTable: 'migrations',
      checkOrder: true,
      noLock: true,
      log: () => undefined,
    });
    // Before any program relies on it: a start that was cut off while the demo's past was made has left it in the past.
    await client.query(RESTORE_LEDGER_CLOCK);
    if (done.length > 0) log.info({ migrations: done.map(({ name }) => name) }, 'migrated');
  } finally {
    // Closing the connection releases the lock.
    await client.end();
  }
}
