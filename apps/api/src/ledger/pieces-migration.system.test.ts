import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { runner } from 'node-pg-migrate';
import pg from 'pg';
import { expect, it } from 'vitest';
import { createDatabase, databaseUrlNamed, dropDatabase } from '../../test/test-database.ts';
import { migrate } from '../migrate.ts';
import { MIGRATION_LOADERS } from '../migration-files.ts';
import { MIGRATIONS_DIR as dir } from '../migrations.ts';
import { createLog } from '../platform/log/log.ts';
import { verifyLedger } from './verify.ts';

const log = createLog('silent');

async function run(url: string, direction: 'up' | 'down', count: number): Promise<void> {
  const dbClient = new pg.Client({ connectionString: url });
  await dbClient.connect();
  await runner({
    dbClient,
    dir,
    migrationsTable: 'migrations',
    migrationLoaderStrategies: MIGRATION_LOADERS,
    singleTransaction: false,
    log: () => undefined,
    direction,
    count,
  });
  await dbClient.end();
}

it('[P-042] makes a full journal the first piece without rewriting it, and one table again on the way back', async () => {
  const name = `athos_test_${randomBytes(6).toString('hex')}`;
  await createDatabase(name);
  const url = databaseUrlNamed(name);
  const files = (await readdir(dir)).toSorted();
  const before = files.findIndex((file) => file.startsWith('0091'));
  await run(url, 'up', before);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const post = () =>
    client.query(`select * from post_batch('{-8,8}', '{1,1}', '{2,2}', '{5,7}', array[uuidv7(), gen_random_uuid()],
      '{0,0}', '{6,6}', false)`);
  const rows = async () => (await client.query('select * from ledger_transfers order by id')).rows;
  const fileOf = async (table: string) =>
    (await client.query('select pg_relation_filenode($1::regclass) as file', [table])).rows;
  await client.query(`insert into ledger_accounts (id, asset) values (8, 'ATH')`);
  await post();
  const [posted, file] = [await rows(), await fileOf('ledger_transfers')];
  await migrate(url, log);
  expect([await rows(), await fileOf('ledger_transfers_0')]).toEqual([posted, file]);
  await client.query('select ledger_add_piece(), ledger_begin_piece()');
  await post();
  await post();
  const all = await rows();
  expect(all.length).toBe(6);
  expect((await verifyLedger({ databaseUrl: url })).fault).toBeUndefined();
  await run(url, 'down', files.length - before);
  expect(await rows()).toEqual(all);
  await post();
  expect((await verifyLedger({ databaseUrl: url })).fault).toBeUndefined();
  await client.end();
  await dropDatabase(name);
});
