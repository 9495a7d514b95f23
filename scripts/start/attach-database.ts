import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { attachPostgres, type AttachedPostgres } from '@athos/postgres/attach';
import { dataPaths } from './paths.ts';

/**
 * The database that a command works on: the one of DATABASE_URL or, by default, the embedded one in DATA_DIR, whether or not
 * the system is running.
 */
export async function attachDatabase(): Promise<AttachedPostgres> {
  const given = process.env['DATABASE_URL'];
  if (given !== undefined && given !== '') return { url: given, release: () => Promise.resolve() };
  const dataDir = resolve(process.env['DATA_DIR'] ?? 'data');
  const { postgres } = dataPaths(dataDir);
  if (!existsSync(postgres)) {
    throw new Error(
      `There is no database in ${dataDir}: start the system once, or set DATABASE_URL.`,
    );
  }
  return attachPostgres(postgres);
}
