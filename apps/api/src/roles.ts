/**
 * The roles of the database. They belong to the whole server, so an administrator creates them, once for each server and again for each
 * new password (`npm run database:roles`). Their privileges in a database are set after its migrations (rights.ts).
 */
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import pg from 'pg';
import { connectTo } from './platform/database/address.ts';
import { applyRights } from './rights.ts';

/** Roles that cannot sign in. */
const OWNERS = ['athos_owner', 'athos_ledger'] as const;
/** A role without a password cannot sign in. */
const LOGINS = [
  'athos_migrate',
  'athos_api',
  'athos_worker',
  'athos_read',
  'athos_monitor',
  'athos_backup',
] as const;

export type LoginRole = (typeof LOGINS)[number];
export const LOGIN_ROLES: readonly LoginRole[] = LOGINS;
export type Passwords = Readonly<Partial<Record<LoginRole, string>>>;

const LOCK = 7_214_300_002;
const ITERATIONS = 4_096;

/** The verifier that the server stores for a password (RFC 5803). It is sent instead of the password, which the server would log. */
function verifierOf(password: string): string {
  // Other characters would need to be prepared with SASLprep first.
  if (!/^[\x21-\x7e]{16,}$/.test(password))
    throw new RangeError('a password of a role has at least 16 characters of ASCII, and no blank');
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha256');
  const keyOf = (name: string) => createHmac('sha256', salted).update(name).digest();
  const stored = createHash('sha256').update(keyOf('Client Key')).digest('base64');
  const server = keyOf('Server Key').toString('base64');
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${stored}:${server}`;
}

const PLAIN = 'nosuperuser nocreatedb nocreaterole noreplication nobypassrls';

/**
 * Creates missing roles, sets the given passwords, and gives the database of `adminUrl` to its owner. May be repeated. `adminUrl` signs
 * in as a superuser.
 */
export async function ensureRoles(adminUrl: string, passwords: Passwords): Promise<void> {
  const client = new pg.Client({ ...connectTo(adminUrl), application_name: 'athos-roles' });
  await client.connect();
  try {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1)', [LOCK]);
    for (const role of [...OWNERS, ...LOGINS]) {
      const { rows } = await client.query('select from pg_roles where rolname = $1', [role]);
      if (rows.length === 0) await client.query(`create role ${role} nologin ${PLAIN}`);
    }
    for (const role of LOGINS) {
      const password = passwords[role];
      if (password === undefined) continue;
      await client.query(`alter role ${role} login ${PLAIN} password '${verifierOf(password)}'`);
    }
    await client.query(ARRANGE);
    await client.query('commit');
    await applyRights(client);
  } finally {
    await client.end();
  }
}

const ARRANGE = `
  grant athos_owner, athos_ledger to athos_migrate;
  grant pg_monitor to athos_monitor;
  grant pg_read_all_stats to athos_api, athos_worker;
  grant pg_read_all_settings, pg_checkpoint to athos_backup;
  grant execute on function pg_backup_start(text, boolean), pg_backup_stop(boolean), pg_switch_wal(),
    pg_create_restore_point(text) to athos_backup;
  alter role athos_read set default_transaction_read_only = on;
  do $$ begin
    execute format('alter database %I owner to athos_owner', current_database());
    execute format('revoke temporary on database %I from public', current_database());
  end $$`;

/** The address of the same database, with another role. */
export function addressAs(databaseUrl: string, role: LoginRole, password: string): string {
  const url = new URL(databaseUrl);
  url.username = role;
  url.password = encodeURIComponent(password);
  return url.href;
}
