/**
 * `npm run programme -- list | get KEY | set KEY VALUE | reset KEY`: the programme's settings
 * (packages/contract/src/programme.ts) in the database of DATABASE_URL, by default the embedded one.
 */
import { userInfo } from 'node:os';
import { programmeCommand } from '../apps/api/src/platform/settings/programme-command.ts';
import { attachDatabase } from './start/attach-database.ts';

async function main(): Promise<void> {
  const database = await attachDatabase();
  try {
    const by = `command line: ${userInfo().username}`;
    const text = await programmeCommand(database.url, process.argv.slice(2), by);
    process.stdout.write(`${text}\n`);
  } finally {
    await database.release();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
