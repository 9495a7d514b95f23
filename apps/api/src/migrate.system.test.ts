import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runner, type RunnerOption } from 'node-pg-migrate';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { dumpSchema } from '../test/dump-schema.ts';
import { recordLog } from '../test/recorded-log.ts';
import {
  copyTemplate,
  createDatabase,
  databaseUrlNamed,
  dropDatabase,
} from '../test/test-database.ts';
import { migrate } from './migrate.ts';
import { MIGRATION_LOADERS } from './migration-files.ts';
import { newestMigration } from './migrations.ts';
import { createLog } from './platform/log/log.ts';

const SCHEMA_FILE = new URL('../schema.sql', import.meta.url);
const log = createLog('silent');
const dir = fileURLToPath(new URL('../migrations', import.meta.url));

/** Runs migrations on a connection that is closed afterwards. The library does not wait until its own connection is closed. */
async function run(url: string, options: Pick<RunnerOption, 'direction' | 'count'>) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const parts = {
      dbClient: client,
      dir,
      migrationsTable: 'migrations',
      migrationLoaderStrategies: MIGRATION_LOADERS,
      log: () => undefined,
    };
    return await runner({ ...parts, ...options });
  } finally {
    await client.end();
  }
}

describe('migrations', () => {
  it('add up to schema.sql', async () => {
    const { adminUrl: url, drop } = await copyTemplate();
    const schema = await dumpSchema(url);
    await drop();
    if (process.env['UPDATE_SCHEMA'] === '1') await writeFile(SCHEMA_FILE, schema);
    // If this fails after a migration has changed, run `npm run schema`.
    expect(schema).toBe(await readFile(SCHEMA_FILE, 'utf8'));
  });

  it('have a number each', async () => {
    const files = await readdir(dir);
    for (const file of files) expect(file).toMatch(/^\d{4}_\w+(\.contract)?\.sql$/);
    expect(new Set(files.map((file) => file.slice(0, 4))).size).toBe(files.length);
  });

  it('have tables whose rows soon die vacuumed at 2 % of dead rows', async () => {
    const { adminUrl: url, drop } = await copyTemplate();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query<{ name: string }>(
      `select relname as name from pg_class where reloptions @> array['autovacuum_vacuum_scale_factor=0.02']`,
    );
    await client.end();
    await drop();
    expect(rows.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['sessions', 'link_codes', 'attempt_counters', '_private_jobs']),
    );
  });

  it('roll back one by one, down to the ledger, and forward again to the same schema', async () => {
    const { adminUrl: url, drop } = await copyTemplate();
    const before = await dumpSchema(url);
    const back = await run(url, { direction: 'down', count: (await readdir(dir)).length - 1 });
    expect(back.at(-1)?.name).toBe('0002_users');
    await migrate(url, log);
    expect(await dumpSchema(url)).toBe(before);
    await drop();
  });

  it('carry over the counted attempts and the card orders of a running system', async () => {
    const name = `athos_test_${randomBytes(6).toString('hex')}`;
    await createDatabase(name);
    const url = databaseUrlNamed(name);
    await run(url, { direction: 'up', count: 9 });
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(`
      insert into users (email, password_hash) values ('ada@athos.example', '');
      insert into payment_orders (id, user_id, amount_micro_ath, usd_per_ath, price_usd_cents, product_fee_usd_cents,
          processing_fee_usd_cents, total_usd_cents, created_at, expires_at)
        select uuidv7(), id, 1, 1, 1, 1, 1, 3, now(), now() from users;
      insert into payment_requests select user_id, id, '', id, now() from payment_orders;
      insert into payment_declines select 'charge', id, user_id, now() from payment_orders;
      insert into payment_events values ('event', '', null, null, now(), now(), null);
      insert into payment_quotas select id, now(), 1, now(), 1 from users;
      insert into sign_in_failures values ('\\x01', 300, now() - interval '20 minutes', now());
      insert into reward_guesses values ('\\x02', 9, now()), ('\\x03', 0, now())`);
    await migrate(url, log);
    const { rows } = await client.query(`
      select attempt_count, extract(minutes from window_ends_at - last_attempt_at)::int % 60 as minutes_left,
        (select count(*)::int from card_orders join card_quotes on order_id = id
           join card_declines using (order_id) cross join card_events) as order_count
      from attempt_counters order by subject`);
    await client.end();
    await dropDatabase(name);
    expect(rows).toEqual([
      { attempt_count: 300, minutes_left: 40, order_count: 1 },
      { attempt_count: 9, minutes_left: 0, order_count: 1 },
      { attempt_count: 0, minutes_left: 0, order_count: 1 },
    ]);
  });

  it('end sessions that are idle in a transaction after a minute, unless the operator has chosen another time', async () => {
    const timeoutAfter = async (prepare: (name: string) => string): Promise<string | undefined> => {
      const name = `athos_test_${randomBytes(6).toString('hex')}`;
      await createDatabase(name);
      const url = databaseUrlNamed(name);
      const ask = async (text: string) => {
        const client = new pg.Client({ connectionString: url });
        await client.connect();
        const { rows } = await client.query<{ idle_in_transaction_session_timeout: string }>(text);
        await client.end();
        return rows[0]?.idle_in_transaction_session_timeout;
      };
      await ask(prepare(name));
      await migrate(url, log);
      const timeout = await ask('show idle_in_transaction_session_timeout');
      await dropDatabase(name);
      return timeout;
    };
    expect(await timeoutAfter(() => 'select')).toBe('1min');
    expect(
      await timeoutAfter(
        (name) => `alter database ${name} set idle_in_transaction_session_timeout = '10s'`,
      ),
    ).toBe('10s');
  });

  it('run once when several processes start together', async () => {
    const name = `athos_test_${randomBytes(6).toString('hex')}`;
    await createDatabase(name);
    const url = databaseUrlNamed(name);
    await Promise.all([migrate(url, log), migrate(url, log), migrate(url, log)]);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query(
      'select name, count(*)::int as times from migrations group by name',
    );
    await client.end();
    await dropDatabase(name);
    expect(rows.length).toBeGreaterThanOrEqual(4);
    expect(rows.every(({ times }) => times === 1)).toBe(true);
  });

  it('[P-055] wait for a lock for 2 s at most, and are repeated until they get it', async () => {
    const name = `athos_test_${randomBytes(6).toString('hex')}`;
    await createDatabase(name);
    const url = databaseUrlNamed(name);
    const folder = await mkdtemp(join(tmpdir(), 'migrations-'));
    const write = (file: string, up: string) =>
      writeFile(join(folder, file), `-- Up Migration\n${up};\n-- Down Migration\nselect 1;\n`);
    await write(
      '0001_first.sql',
      `create table seen as select current_setting('lock_timeout') as timeout`,
    );
    await write('0002_second.sql', 'alter table held add column note text');
    const holder = new pg.Client({ connectionString: url });
    await holder.connect();
    await holder.query('create table held (id int)');
    await holder.query('begin; lock table held in access share mode');
    // The single attempt fails. Migrations applied before it stay, and the table is free for others.
    await expect(migrate(url, log, { dir: folder, attemptCountMax: 1 })).rejects.toThrow(
      'could not lock its table',
    );
    const { log: recorded, lines } = recordLog();
    const migrated = migrate(url, recorded, { dir: folder });
    await expect.poll(() => lines.some((line) => line.includes('tried again'))).toBe(true);
    await holder.query('commit');
    await migrated;
    const { rows } = await holder.query<{ timeout: string; notes: number }>(
      'select timeout, (select count(note)::int from held) as notes from seen',
    );
    expect(rows).toEqual([{ timeout: '2s', notes: 0 }]);
    await holder.end();
    await dropDatabase(name);
    await rm(folder, { recursive: true });
  });

  it('leave contract steps for a run of their own, which may come after later migrations', async () => {
    const name = `athos_test_${randomBytes(6).toString('hex')}`;
    await createDatabase(name);
    const url = databaseUrlNamed(name);
    const folder = await mkdtemp(join(tmpdir(), 'migrations-'));
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const write = (file: string, up = 'select 1') =>
      writeFile(join(folder, file), `-- Up Migration\n${up};\n-- Down Migration\nselect 1;\n`);
    const expand = () => migrate(url, log, { dir: folder, areContractStepsRun: false });
    const applied = async () => {
      const { rows } = await client.query<{ name: string }>('select name from migrations');
      return rows.map((row) => row.name);
    };
    const processes =
      'create table program_processes (program text, version text, seen_at timestamptz)';
    await write('0001_first.sql', `create table kept (old int, fresh int); ${processes}`);
    await write('0002_drop.contract.sql', 'alter table kept drop column old');
    await write('0003_third.sql');
    await expand();
    expect(await applied()).toEqual(['0001_first', '0003_third']);
    expect(newestMigration(folder)).toBe('0003_third');
    await write('0004_last.contract.sql');
    // What processes wait for is not a step that only runs once they have started.
    expect(newestMigration(folder)).toBe('0003_third');
    await migrate(url, log, { dir: folder });
    const all = ['0001_first', '0003_third', '0002_drop.contract', '0004_last.contract'];
    expect(await applied()).toEqual(all);
    await write('0005_next.sql');
    await expand();
    await migrate(url, log, { dir: folder });
    expect(await applied()).toEqual([...all, '0005_next']);
    await write('0000_late.sql');
    await expect(expand()).rejects.toThrow('0000_late has a lower number than 0005_next');
    await client.end();
    await dropDatabase(name);
    await rm(folder, { recursive: true });
  });

  it('refuse contract steps while a process of the release before runs, and do the others', async () => {
    const name = `athos_test_${randomBytes(6).toString('hex')}`;
    await createDatabase(name);
    const folder = await mkdtemp(join(tmpdir(), 'migrations-'));
    const client = new pg.Client({ connectionString: databaseUrlNamed(name) });
    await client.connect();
    const write = (file: string, up: string) =>
      writeFile(join(folder, file), `-- Up Migration\n${up};\n-- Down Migration\nselect 1;\n`);
    const migrateAll = () => migrate(databaseUrlNamed(name), log, { dir: folder });
    const seen = (program: string, version: string, age: string) =>
      client.query(`insert into program_processes values ($1, $2, now() - $3::interval)`, [
        program,
        version,
        age,
      ]);
    await write(
      '0001_first.sql',
      'create table program_processes (program text, version text, seen_at timestamptz)',
    );
    await migrateAll();
    await write('0002_second.sql', 'create table second (id int)');
    await write('0003_drop.contract.sql', 'create table contracted (id int)');
    await seen('api', '0002_second', '10 s');
    await seen('worker', '0003_drop.contract', '1 s');
    await seen('console', '0001_first', '46 s');
    await expect(migrateAll()).rejects.toThrow('its processes still run: api of 0002_second.');
    const found = () =>
      client.query(
        `select to_regclass('second') as second, to_regclass('contracted') as contracted`,
      );
    expect((await found()).rows).toEqual([{ second: 'second', contracted: null }]);
    await client.query(`delete from program_processes where program = 'api'`);
    await migrateAll();
    expect((await found()).rows).toEqual([{ second: 'second', contracted: 'contracted' }]);
    await client.end();
    await dropDatabase(name);
    await rm(folder, { recursive: true });
  });

  it('build an index while the table is written to, and anew if an attempt left one that is not valid', async () => {
    const name = `athos_test_${randomBytes(6).toString('hex')}`;
    await createDatabase(name);
    const url = databaseUrlNamed(name);
    const folder = await mkdtemp(join(tmpdir(), 'migrations-'));
    const index = 'create index concurrently written_by_id on written (id)';
    await writeFile(
      join(folder, '0001_index.sql'),
      `-- Up Migration\n\n${index};\n\n-- Down Migration\n\ndrop index concurrently written_by_id;\n`,
    );
    const [holder, other] = [1, 2].map(() => new pg.Client({ connectionString: url })) as [
      pg.Client,
      pg.Client,
    ];
    await Promise.all([holder.connect(), other.connect()]);
    const indexes = async () => {
      const { rows } = await other.query<{ valid: boolean }>(
        `select indisvalid as valid from pg_index where indexrelid = to_regclass('written_by_id')`,
      );
      return rows.map(({ valid }) => valid);
    };
    await holder.query('create table written (id int)');
    await holder.query('begin; insert into written values (1)');
    await expect(migrate(url, log, { dir: folder, attemptCountMax: 1 })).rejects.toThrow(
      'could not lock its table',
    );
    expect(await indexes()).toEqual([false]);
    const { log: recorded, lines } = recordLog();
    const migrated = migrate(url, recorded, { dir: folder });
    await expect.poll(() => lines.some((line) => line.includes('tried again'))).toBe(true);
    // Other statements do not wait behind the build.
    await other.query(`set lock_timeout = '500ms'`);
    await other.query('insert into written values (2)');
    await holder.query('commit');
    await migrated;
    expect(await indexes()).toEqual([true]);
    await runner({
      dbClient: other,
      dir: folder,
      direction: 'down',
      migrationsTable: 'migrations',
      migrationLoaderStrategies: MIGRATION_LOADERS,
      singleTransaction: false,
      log: () => undefined,
    });
    expect(await indexes()).toEqual([]);
    await Promise.all([holder.end(), other.end()]);
    await dropDatabase(name);
    await rm(folder, { recursive: true });
  });

  it('[D-009] [D-012] [D-013] [D-016] [D-017] store tokens and cents as bigint, prices as integer, rates as numeric and times as timestamptz', async () => {
    const schema = await readFile(SCHEMA_FILE, 'utf8');
    const columns = [...schema.matchAll(/^ {2}(\w+) ([a-z][\w ]*(?:\([\d,]+\))?)/gm)].map(
      ([, name = '', type = '']) => ({ name, type }),
    );
    const typesOf = (pattern: RegExp) =>
      new Set(
        columns
          .filter(({ name }) => pattern.test(name))
          .map(({ type }) => type.replace(/ (not null|default.*|generated.*)$/, '')),
      );
    expect(typesOf(/_micro_ath$|_units$|_usd_cents$|^(debit|credit)_after$/)).toEqual(
      new Set(['bigint']),
    );
    expect(typesOf(/_at$|^at$/)).toEqual(new Set(['timestamp with time zone']));
    expect(typesOf(/^price_ath_hundredths$/)).toEqual(new Set(['integer']));
    expect(typesOf(/^usd_per_ath$/)).toEqual(new Set(['numeric(18,8)']));
  });
});
