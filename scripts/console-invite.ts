/**
 * `npm run console:invite -- ADDRESS --role provider_owner`: prints a link that makes one of the first two owners a member of staff. It
 * works on DATABASE_URL or, by default, on the embedded database in DATA_DIR, whether or not the system is running.
 */
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { inviteCommand } from '../apps/api/src/modules/staff/index.ts';
import type { Addresses } from './start/announce.ts';
import { attachDatabase } from './start/attach-database.ts';
import { dataPaths } from './start/paths.ts';

/** The console's origin: CONSOLE_URL, or the one recorded by the last start in DATA_DIR. */
function consoleOrigin(): string {
  const { CONSOLE_URL: given, DATABASE_URL: database, DATA_DIR: dataDir } = process.env;
  if (given) return new URL(given).origin;
  const { addresses: file } = dataPaths(resolve(dataDir || 'data'));
  const isEmbedded = !database && existsSync(file);
  const { console: url } = isEmbedded
    ? (JSON.parse(readFileSync(file, 'utf8')) as Partial<Addresses>)
    : {};
  if (url === undefined) throw new Error('Set CONSOLE_URL to the address of the console.');
  return new URL(url).origin;
}

async function main(): Promise<void> {
  const origin = consoleOrigin();
  const database = await attachDatabase();
  try {
    const text = await inviteCommand(database.url, origin, process.argv.slice(2));
    process.stdout.write(`${text}\n`);
  } finally {
    await database.release();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
