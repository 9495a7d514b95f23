import { randomBytes, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLedgerBooks, type LedgerBooks } from '../../test/ledger-books.ts';
import {
  asRole,
  createDatabase,
  databaseUrlNamed,
  dropDatabase,
} from '../../test/test-database.ts';
import { dumpSchema } from '../../test/dump-schema.ts';
import { migrate } from '../migrate.ts';
import { createSigningKeys } from '../platform/keys/signing-keys.ts';
import { createLog } from '../platform/log/log.ts';
import { ensureRoles, LOGIN_ROLES, type LoginRole } from '../roles.ts';
import { insertCheckpoint } from './checkpoints.ts';
import { verifyLedger } from './verify.ts';

const REFUSED = '42501';
const PROGRAMS = ['athos_api', 'athos_worker'] as const;

let books: LedgerBooks;
let clients: Readonly<Record<LoginRole, pg.Client>>;

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

beforeAll(async () => {
  books = await createLedgerBooks();
  const open = LOGIN_ROLES.map(
    async (role) => [role, await connect(asRole(books.databaseUrl, role))] as const,
  );
  clients = Object.fromEntries(await Promise.all(open)) as Record<LoginRole, pg.Client>;
});

afterAll(async () => {
  await Promise.all(Object.values(clients).map((client) => client.end()));
  await books.close();
});

/** The SQLSTATE of a refusal; `done` if the statement was executed. */
async function outcomeOf(role: LoginRole, statement: string): Promise<string> {
  try {
    await clients[role].query(statement);
    return 'done';
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
}

/** The statements that are not refused for lack of a privilege. */
async function notRefused(role: LoginRole, statements: readonly string[]): Promise<string[]> {
  const wrong: string[] = [];
  for (const statement of statements) {
    const outcome = await outcomeOf(role, statement);
    if (outcome !== REFUSED) wrong.push(`${role}: ${statement}: ${outcome}`);
  }
  return wrong;
}

async function column(statement: string): Promise<string[]> {
  const { rows } = await books.admin.query<{ value: string }>(statement);
  return rows.map(({ value }) => value);
}

/** Pieces of the journal are tables too. */
const ledgerTables = () =>
  column(`select c.oid::regclass::text as value from pg_class c
     where c.relkind in ('r', 'p') and pg_get_userbyid(c.relowner) = 'athos_ledger' order by 1`);

async function writes(): Promise<string[]> {
  const { rows } = await books.admin.query<{ name: string; first: string }>(
    `select c.oid::regclass::text as name, a.attname as first from pg_class c
       join pg_attribute a on a.attrelid = c.oid and a.attnum = 1
      where c.relkind in ('r', 'p') and pg_get_userbyid(c.relowner) = 'athos_ledger'`,
  );
  return rows.flatMap(({ name, first }) => [
    `insert into ${name} select * from ${name}`,
    `insert into ${name} default values`,
    `update ${name} set ${first} = ${first}`,
    `delete from ${name}`,
    `truncate ${name}`,
    `select from ${name} for update`,
    `do $$ begin lock table ${name} in share row exclusive mode; end $$`,
    `merge into ${name} using (select 1) one on false when matched then delete`,
    `copy ${name} from stdin`,
  ]);
}

describe('roles of the database', () => {
  it('[P-067] refuse every write of every table of the ledger to the programs with 42501, whatever they try before', async () => {
    await books.admin.query('select ledger_add_piece()');
    expect(await ledgerTables()).toEqual([
      'ledger_accounts',
      'ledger_batches',
      'ledger_head',
      'ledger_totals',
      'ledger_transfers',
      'ledger_transfers_0',
      'ledger_transfers_1',
    ]);
    const statements = await writes();
    for (const role of PROGRAMS) {
      expect(await notRefused(role, statements)).toEqual([]);
      // A role that may read a table gets only a warning that nothing was granted.
      await clients[role].query(`grant all on all tables in schema public to ${role}`);
      const tricks = [
        `grant athos_ledger to ${role}`,
        `set role athos_ledger`,
        `set role athos_migrate`,
        `set session authorization athos_ledger`,
        `set session_replication_role = replica`,
        `alter role ${role} superuser`,
        `alter table ledger_transfers disable trigger all`,
        `alter table ledger_accounts owner to ${role}`,
        `create function public.mine() returns void language sql security definer as 'delete from ledger_totals'`,
        `create rule mine as on insert to users do also delete from ledger_totals`,
        `create policy mine on ledger_accounts`,
        `do $$ begin execute 'delete from ledger_totals'; end $$`,
        `copy ledger_totals to program 'true'`,
      ];
      expect(await notRefused(role, tricks)).toEqual([]);
      expect(await notRefused(role, statements)).toEqual([]);
      await clients[role].query('reset role');
    }
    await clients.athos_read.query('set default_transaction_read_only = off');
    const ways = ['athos_read', 'athos_monitor', 'athos_backup'] as const;
    for (const role of ways) expect(await notRefused(role, statements)).toEqual([]);
  });

  it('post to the real books, whatever a program puts in front of them', async () => {
    const account = await books.openUser(1n, 100n);
    const { rows } = await books.admin.query<{ name: string }>('select current_database() as name');
    await books.admin.query(`grant temporary on database ${rows[0]?.name} to athos_api`);
    const client = clients.athos_api;
    await client.query(`
      create temp table ledger_accounts (like public.ledger_accounts);
      create temp table ledger_head (like public.ledger_head);
      create temp table ledger_transfers (like public.ledger_transfers);
      create function pg_temp.ledger_clock() returns timestamptz language sql as 'select ''infinity''::timestamptz';
      insert into ledger_accounts select * from public.ledger_accounts;
      update ledger_accounts set floor_units = -1000000000000;
      insert into ledger_head select * from public.ledger_head;
      set search_path = pg_temp, public`);
    const post = (amount: number) =>
      client.query(
        `select codes::text from post_batch(array[-8, ${account}]::bigint[], '{2}', '{1}', '{${amount}}', '{${randomUUID()}}', '{0}', '{6}', true)`,
      );
    // Code 1 is "not enough": the floor of the real books applies.
    expect((await post(101)).rows).toEqual([{ codes: '{1}' }]);
    expect((await post(40)).rows).toEqual([{ codes: '{0}' }]);
    await client.query(`select ledger_set_state(array[${account}], 3::smallint, false)`);
    const { rows: shadow } = await client.query('select count(*)::int as n from ledger_transfers');
    expect(shadow).toEqual([{ n: 0 }]);
    expect(await books.balance(account)).toBe(60n);
    const state = await column(
      `select state::text as value from ledger_accounts where id = ${account}`,
    );
    expect(state).toEqual(['3']);
    await client.query('discard all');
    await books.expectBooksBalance();
  });

  it('[P-068] refuse the programs every change of the schema', async () => {
    const { rows } = await books.admin.query<{ name: string }>('select current_database() as name');
    const database = rows[0]?.name ?? '';
    await books.admin.query(`revoke temporary on database ${database} from public, athos_api`);
    const statements = [
      'create table mine (id int)',
      'create temp table mine (id int)',
      'create table graphile_worker.mine (id int)',
      'create unlogged table mine as select 1',
      'create schema mine',
      'create view mine as select 1',
      'create materialized view mine as select 1',
      'create sequence mine',
      'create type mine as enum ()',
      'create domain mine as int',
      `create function mine() returns int language sql as 'select 1'`,
      `create or replace function ledger_clock() returns timestamptz language sql as 'select now()'`,
      `create operator public.=== (function = int4eq, leftarg = int, rightarg = int)`,
      'drop extension pg_trgm',
      'create index mine on users (id)',
      'create statistics mine on id, email from users',
      'create publication mine for all tables',
      'create event trigger mine on ddl_command_end execute function ledger_refuse_change()',
      'create trigger mine before insert on users for each row execute function ledger_refuse_change()',
      'alter table users add column mine int',
      'alter table users disable trigger all',
      'alter function post_batch security invoker',
      'alter schema public rename to mine',
      `alter database ${database} set synchronous_commit = off`,
      'alter system set fsync = off',
      'alter default privileges for role athos_ledger grant all on tables to public',
      'comment on table users is null',
      'drop table users',
      'drop function post_batch',
      'drop schema public cascade',
      `drop database ${database}`,
      'truncate users cascade',
      'create role mine',
    ];
    for (const role of PROGRAMS) expect(await notRefused(role, statements)).toEqual([]);
  });

  it('give each table its owner, and the programs what they need of it', async () => {
    expect(
      await column(`select c.oid::regclass::text as value from pg_class c
         where c.relnamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace) and c.relkind in ('r', 'p', 'v', 'S')
           and pg_get_userbyid(c.relowner) not in ('athos_owner', 'athos_ledger')`),
    ).toEqual([]);
    for (const role of PROGRAMS) {
      const less = await column(`
        select c.relname || ': ' || string_agg(lower(a.privilege_type), ', ' order by a.privilege_type) as value
          from pg_class c, aclexplode(c.relacl) a
         where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.grantee = '${role}'::regrole
         group by c.relname
        having string_agg(a.privilege_type, ',' order by a.privilege_type) <> 'DELETE,INSERT,SELECT,UPDATE' order by 1`);
      expect(less).toEqual([
        'audit_details: insert, select, update',
        'audit_entries: insert, select',
        'audit_head: select, update',
        'database_use: select',
        'journal_days: insert, select',
        'journal_seal_keys: insert, select',
        'journal_seals: insert, select',
        'ledger_accounts: select',
        'ledger_batches: select',
        'ledger_head: select',
        'ledger_totals: select',
        'ledger_transfers: select',
        'ledger_transfers_0: select',
        'ledger_transfers_1: select',
        'migrations: select',
      ]);
      expect(
        await column(`select c.relname as value from pg_class c where c.relnamespace = 'public'::regnamespace
           and c.relkind in ('r', 'p') and not has_table_privilege('${role}', c.oid, 'select')`),
      ).toEqual([]);
      // A ticket is signed with its number, which is drawn before the ticket is inserted.
      expect(
        await column(`select sequencename::text as value from pg_sequences where schemaname = 'public'
           and sequencename !~ '^ledger_' and not has_sequence_privilege('${role}', format('%I.%I', schemaname, sequencename), 'usage')`),
      ).toEqual([]);
    }
  });

  it('run every function of the ledger that writes as its owner, with a fixed search_path, for programs alone', async () => {
    const doors = await column(`select p.oid::regproc::text as value from pg_proc p
       where p.prosecdef and p.pronamespace = 'public'::regnamespace order by 1`);
    expect(doors).toEqual([
      'ledger_add_piece',
      'ledger_add_totals',
      'ledger_begin_piece',
      'ledger_end_taking',
      'ledger_lock',
      'ledger_open_accounts',
      'ledger_open_for_taking',
      'ledger_raise_floor',
      'ledger_set_state',
      'post_batch',
    ]);
    const unsafe = await column(`select p.oid::regproc::text as value from pg_proc p
       where p.prosecdef and p.pronamespace = 'public'::regnamespace
         and ('search_path=public, pg_temp' <> all (coalesce(p.proconfig, '{}')) or pg_get_userbyid(p.proowner) <> 'athos_ledger'
              or has_function_privilege('athos_read', p.oid, 'execute')
              or not has_function_privilege('athos_api', p.oid, 'execute'))`);
    expect(unsafe).toEqual([]);
  });

  it('let the reader read everything but secrets, and write nothing', async () => {
    expect(await outcomeOf('athos_read', 'select email from users')).toBe('done');
    expect(await outcomeOf('athos_read', 'select * from ledger_transfers')).toBe('done');
    expect(
      await notRefused('athos_read', [
        'select password_hash from users',
        'select * from staff',
        'select secret from staff_factors',
        'select token_hash from staff_sessions',
        'select answer from console_acts',
        'select salt from audit_details',
        'select digest from audit_entries',
        'select * from graphile_worker._private_jobs',
      ]),
    ).toEqual([]);
    expect(await outcomeOf('athos_read', 'delete from users')).toMatch(/^(25006|42501)$/);
  });

  it('let backups tell that they were made, and neither read nor write another table', async () => {
    const open = await column(`select c.oid::regclass::text as value from pg_class c
       where pg_get_userbyid(c.relowner) in ('athos_owner', 'athos_ledger') and c.relkind in ('r', 'p', 'v')
         and has_table_privilege('athos_backup', c.oid, 'select, insert, update, delete, truncate')`);
    expect(open).toEqual(['told_events']);
  });

  it.each(['athos_read', 'athos_migrate', 'athos_worker'] as const)(
    'let %s verify the ledger, from its first row and from a signed checkpoint on',
    async (role) => {
      const databaseUrl = asRole(books.databaseUrl, role);
      const keys = createSigningKeys([randomBytes(32)]);
      await books.openUser(BigInt(2 + LOGIN_ROLES.indexOf(role)), 100n);
      const whole = await verifyLedger({ databaseUrl, keys });
      expect(whole).toMatchObject({ fault: undefined, checkpoint: undefined });
      // Each signs with a key of its own, and the table keeps one checkpoint of a place.
      await books.admin.query('delete from ledger_checkpoints');
      const madeAt = new Date('2026-11-01T03:23:00Z');
      for (const stand of whole.stands)
        await insertCheckpoint(books.db, keys, { ...stand, madeAt });
      const later = await verifyLedger({ databaseUrl, keys });
      expect(later).toMatchObject({ fault: undefined, checkpoint: { hash: whole.head } });
    },
  );

  it(
    'migrate a new database to the same schema without being a superuser',
    { tags: 'long' },
    async () => {
      const name = `athos_test_${randomBytes(6).toString('hex')}`;
      await createDatabase(name);
      const url = databaseUrlNamed(name);
      await ensureRoles(url, {});
      await migrate(asRole(url, 'athos_migrate'), createLog('silent'));
      // Migrates again, now that the objects have their owners.
      await migrate(asRole(url, 'athos_migrate'), createLog('silent'));
      expect(await dumpSchema(url)).toBe(
        await readFile(new URL('../../schema.sql', import.meta.url), 'utf8'),
      );
      const api = await connect(asRole(url, 'athos_api'));
      const { rows } = await api.query(`select count(*)::int as n from ledger_accounts`);
      expect(rows).not.toEqual([{ n: 0 }]);
      await expect(api.query('create temp table mine (id int)')).rejects.toMatchObject({
        code: REFUSED,
      });
      await api.end();
      await dropDatabase(name);
    },
  );
});
