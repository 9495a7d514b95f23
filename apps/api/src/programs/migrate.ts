/**
 * Migrates the database's schema, marks what it is used for, and exits. It runs before the other programs of a new version, and with
 * `--contract`, which adds the contract steps, when no process of the version before is left.
 */
import { parseArgs } from 'node:util';
import { migrate } from '../migrate.ts';
import { openDatabase } from '../platform/database/database.ts';
import { claimDatabase } from './database-use.sql.ts';
import { runProgram } from './run-program.ts';

runProgram('migrate', async (config, log) => {
  const { values } = parseArgs({ options: { contract: { type: 'boolean', default: false } } });
  await migrate(config.databaseUrl, log, { areContractStepsRun: values.contract });
  const database = openDatabase(config.databaseUrl, log, {
    size: 1,
    applicationName: 'athos-migrate',
  });
  await claimDatabase({ db: database.db, config }).finally(() => database.close());
  return undefined;
});
