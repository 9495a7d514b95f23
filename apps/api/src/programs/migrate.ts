/** Migrates the database's schema and exits. It runs before the other programs of a new version. */
import { migrate } from '../migrate.ts';
import { runProgram } from './run-program.ts';

runProgram(async ({ databaseUrl }, log) => {
  await migrate(databaseUrl, log);
  return undefined;
});
