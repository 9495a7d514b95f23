/**
 * `npm run database:roles -- --passwords FOLDER`: creates the roles of the database that DATABASE_URL names, as a superuser. Each file in
 * the folder is named after a role and holds its password. A role without a file keeps its password. May be repeated.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureRoles, LOGIN_ROLES } from '../apps/api/src/roles.ts';
import { attachDatabase } from './start/attach-database.ts';

const { values } = parseArgs({ options: { passwords: { type: 'string' } } });

/** Editors end a file with a line feed. */
const readPassword = (file: string): string => readFileSync(file, 'utf8').replace(/\r?\n$/, '');

try {
  const given = LOGIN_ROLES.flatMap((role) => {
    const file = join(values.passwords ?? '', role);
    return values.passwords !== undefined && existsSync(file) ? [[role, readPassword(file)]] : [];
  });
  const database = await attachDatabase();
  try {
    await ensureRoles(database.url, Object.fromEntries(given));
  } finally {
    await database.release();
  }
  const names = given.map(([role]) => role).join(', ');
  process.stdout.write(`The roles stand. Passwords were set for: ${names || 'none'}.\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
