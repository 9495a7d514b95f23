import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { attachPostgres, type AttachedPostgres } from '@athos/postgres/attach';
import { secureAddress } from '../../apps/api/src/config/server.ts';
import { readGiven, type Given } from '../../apps/api/src/config/topic.ts';
import { dataPaths } from './paths.ts';

/** The address of an external database, with the settings to verify its server. */
export function givenAddress({
  DATABASE_URL: databaseUrl,
  DATABASE_CA_FILE: databaseCaFile,
  DATABASE_SERVER_NAME: databaseServerName,
}: Given): string | undefined {
  return databaseUrl === undefined
    ? undefined
    : secureAddress({ databaseUrl, databaseCaFile, databaseServerName });
}

/**
 * The database that a command works on: the one of DATABASE_URL or, by default, the embedded one in DATA_DIR, whether or not
 * the system is running.
 */
export async function attachDatabase(): Promise<AttachedPostgres> {
  const url = givenAddress(readGiven(process.env).given);
  if (url !== undefined) return { url, release: () => Promise.resolve() };
  const dataDir = resolve(process.env['DATA_DIR'] ?? 'data');
  const { postgres } = dataPaths(dataDir);
  if (!existsSync(postgres)) {
    throw new Error(
      `There is no database in ${dataDir}: start the system once, or set DATABASE_URL.`,
    );
  }
  return attachPostgres(postgres);
}
