import { createLog } from '../src/platform/log/log.ts';
import { migrate } from '../src/migrate.ts';
import { MIGRATIONS_DIR } from '../src/migrations.ts';
import {
  createDatabase,
  databaseUrlNamed,
  dropDatabase,
  ensureTestRoles,
  leaveServer,
} from './test-database.ts';

const name = `athos_template_${process.pid}`;

let isCreated = false;

/**
 * Vitest global setup: migrates one database that every test file copies, in a tenth of the time that migrating takes. `npm run
 * test:compat` names migrations of its own, without the contract steps that the release before does not bear. A run may contain tests of
 * several projects with this setup; the first creates the database.
 */
export async function setup(): Promise<void> {
  if (process.env['ATHOS_TEST_TEMPLATE'] === name) return;
  await ensureTestRoles();
  await createDatabase(name);
  isCreated = true;
  await leaveServer();
  const dir = process.env['COMPAT_MIGRATIONS'] ?? MIGRATIONS_DIR;
  await migrate(databaseUrlNamed(name), createLog('error'), { dir });
  process.env['ATHOS_TEST_TEMPLATE'] = name;
}

export async function teardown(): Promise<void> {
  if (!isCreated) return;
  await dropDatabase(name);
  await leaveServer();
}
