/**
 * `npm run system:tell -- backup | restore_test [NOTE]`: records for the console that a backup or a restore test has just succeeded, in the
 * database of DATABASE_URL, by default the embedded one.
 */
import { tellCommand } from '../apps/api/src/platform/health/tell-command.ts';
import { attachDatabase } from './start/attach-database.ts';

async function main(): Promise<void> {
  const database = await attachDatabase();
  try {
    process.stdout.write(`${await tellCommand(database.url, process.argv.slice(2))}\n`);
  } finally {
    await database.release();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
