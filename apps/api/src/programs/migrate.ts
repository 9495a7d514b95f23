/** Migrates the database's schema, marks what it is used for, and exits. It runs before the other programs of a new version. */
import { migrate } from '../migrate.ts';
import { openDatabase } from '../platform/database/database.ts';
import { claimDatabase } from './database-use.sql.ts';
import { runProgram } from './run-program.ts';

runProgram('migrate', async (config, log) => {
  await migrate(config.databaseUrl, log);
  const database = openDatabase(config.databaseUrl, log, {
    size: 1,
    applicationName: 'athos-migrate',
  });
  await claimDatabase({ db: database.db, config }).finally(() => database.close());
  return undefined;
});
