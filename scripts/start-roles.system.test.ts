import { cpSync, globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { attachPostgres } from '@athos/postgres/attach';
import { deletePostgres, startPostgres } from '@athos/postgres/launch';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { migrate } from '../apps/api/src/migrate.ts';
import { MIGRATIONS_DIR } from '../apps/api/src/migrations.ts';
import { openDatabase, type Database } from '../apps/api/src/platform/database/database.ts';
import { createLog } from '../apps/api/src/platform/log/log.ts';
import { dataPaths } from './start/paths.ts';
import { startSystem, waitFor, type StartedSystem } from './start/test-start.ts';

/** The first migration with database roles. */
const DOORS = '0095';

let dataDir: string;
let system: StartedSystem | undefined;
let observer: Database | undefined;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'athos-start-roles-'));
});
afterEach(async () => {
  await observer?.close();
  observer = undefined;
  await system?.stop();
  system = undefined;
  await deletePostgres(dataPaths(dataDir).postgres);
  rmSync(dataDir, { recursive: true, force: true });
});

/** Reads as the server's superuser, on a single connection, because the server may still list one that was just closed. */
async function column(statement: string): Promise<string[]> {
  if (observer === undefined) {
    const { url } = await attachPostgres(dataPaths(dataDir).postgres);
    observer = openDatabase(url, createLog('silent'), {
      size: 1,
      applicationName: 'athos-observer',
    });
  }
  const { rows } = await observer.pool.query<{ value: string }>(statement);
  return rows.map(({ value }) => value);
}

/** Connections that are still being opened are left out: they have no user yet. */
const connections = () =>
  column(`select distinct usename || ': ' || application_name as value from pg_stat_activity
           where backend_type = 'client backend' and pid <> pg_backend_pid() and usename is not null
           order by 1`);

/** Both programs have used the database, and no connection belongs to an owner or a superuser. */
async function expectRestrictedPrograms(): Promise<void> {
  await waitFor(async () => {
    const users = new Set((await connections()).map((line) => line.split(':')[0]));
    return users.has('athos_api') && users.has('athos_worker');
  });
  const others = (await connections()).filter((line) => !/^athos_(api|worker): /.test(line));
  expect(others).toEqual([]);
  const powers = await column(`select rolname as value from pg_roles
     where rolname in ('athos_api', 'athos_worker')
       and (rolsuper or rolcreaterole or rolcreatedb or rolbypassrls
            or pg_has_role(rolname, 'athos_ledger', 'member') or pg_has_role(rolname, 'athos_owner', 'member'))`);
  expect(powers).toEqual([]);
}

const foreignTables = () =>
  column(`select c.oid::regclass::text as value from pg_class c
     where c.relkind in ('r', 'p') and c.relnamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace)
       and pg_get_userbyid(c.relowner) not in ('athos_owner', 'athos_ledger')`);

async function expectSending(): Promise<void> {
  const { addresses } = system ?? {};
  const { email, password } = addresses?.demoSignIns[0] ?? {};
  const headers = { 'content-type': 'application/json' };
  const signIn = await fetch(`${addresses?.wallet}/api/account/login`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ email, password, tenant_id: 1, mode: 'production' }),
  });
  expect(signIn.status).toBe(200);
  const register = await fetch(`${addresses?.wallet}/api/account/register`, {
    method: 'POST',
    headers,
    body: JSON.stringify({
      email: 'zoe@example.com',
      password: 'Correct-horse-7',
      tenant_id: 1,
      mode: 'production',
    }),
  });
  expect(register.status).toBeLessThan(300);
  // The worker takes the job that the API enqueued.
  await waitFor(async () => {
    const mails = await fetch(`${addresses?.mailbox}/api/messages?to=zoe%40example.com`);
    return ((await mails.json()) as unknown[]).length === 1;
  });
}

it('runs its programs under the roles that own nothing', async () => {
  system = await startSystem({ dataDir });
  await expectRestrictedPrograms();
  await expectSending();
  expect(await foreignTables()).toEqual([]);
});

it('hands data over that a version before the roles made as one owner', async () => {
  const earlier = join(dataDir, 'earlier-migrations');
  mkdirSync(earlier);
  for (const file of globSync(join(MIGRATIONS_DIR, '*.sql'))) {
    if (basename(file) < DOORS) cpSync(file, join(earlier, basename(file)));
  }
  const postgres = await startPostgres({ dataDir: dataPaths(dataDir).postgres, durable: false });
  try {
    await migrate(postgres.url, createLog('silent'), { dir: earlier });
  } finally {
    await postgres.stop();
  }
  system = await startSystem({ dataDir });
  await expectRestrictedPrograms();
  await expectSending();
  expect(await foreignTables()).toEqual([]);
});
