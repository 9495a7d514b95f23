import { ConfigError } from '../../config/config.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log/log.ts';
import { selectDemoStaff } from './staff.sql.ts';

interface StartDeps {
  readonly db: Db;
  readonly log: Log;
  readonly config: { readonly isProduction: boolean };
}

/**
 * Refuses a production start on a database with staff of the demo, whose passwords everybody can read. If the database does not
 * answer yet, the start goes on: no session of demo staff is accepted in production.
 */
export async function requireNoDemoStaff({ db, log, config }: StartDeps): Promise<void> {
  if (!config.isProduction) return;
  const emails = await selectDemoStaff(db).catch((error: unknown) => {
    log.warn({ err: error }, 'staff of the demo could not be looked for');
    return [];
  });
  if (emails.length === 0) return;
  throw new ConfigError([
    `CONSOLE: the database has staff of the demo, which is never part of a production start: ${emails.join(', ')}`,
  ]);
}
