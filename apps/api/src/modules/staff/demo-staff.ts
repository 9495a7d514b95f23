import { randomUUID } from 'node:crypto';
import type { BuiltInRole } from '@athos/contract/console/permissions';
import type { Organisation } from '@athos/contract/console/staff';
import { ConfigError } from '../../config/config.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log/log.ts';
import { dateOf } from '../../platform/clock.ts';
import { invariant } from '../../platform/errors.ts';
import { confirmFactor, insertTotp } from './factors/factors.sql.ts';
import {
  activateStaff,
  insertStaff,
  replaceRoles,
  selectStaffByEmail,
} from './people/people.sql.ts';
import { sealTotpSecret, type StaffDeps } from './staff-deps.ts';
import { selectDemoStaff } from './staff.sql.ts';

interface DemoPerson {
  readonly email: string;
  readonly name: string;
  readonly organisation: Organisation;
  readonly role: BuiltInRole;
  readonly password: string;
  readonly totpSecret: string;
}

type SeedDeps = Pick<StaffDeps, 'db' | 'clock' | 'passwords' | 'sealed'>;

/** Creates an active member of staff with an authenticator app. An existing one with the same address is left unchanged. */
export async function ensureDemoStaff(deps: SeedDeps, person: DemoPerson): Promise<void> {
  const { db, clock, passwords } = deps;
  const { email, name, organisation, role, password, totpSecret } = person;
  if ((await selectStaffByEmail(db, email)) !== undefined) return;
  const passwordHash = await passwords.hash(password);
  const now = dateOf(clock);
  await db.transaction().execute(async (tx) => {
    const staffId = await insertStaff(tx, { email, name, organisation, now, isDemo: true });
    invariant(staffId !== undefined, 'one process seeds at a time');
    await replaceRoles(tx, staffId, { roleIds: [role], by: null, now });
    await activateStaff(tx, staffId, { name, passwordHash });
    const id = randomUUID();
    const secret = sealTotpSecret(deps, id, totpSecret);
    await insertTotp(tx, { id, staffId, secret, now });
    await confirmFactor(tx, id, { name: 'Phone', now });
  });
}

interface StartDeps {
  readonly db: Db;
  readonly log: Log;
  readonly config: { readonly isProduction: boolean };
}

/**
 * Refuses a production start on a database with demo staff, whose passwords are public. If the database does not answer yet, the start
 * continues, since production accepts no session of demo staff anyway.
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
