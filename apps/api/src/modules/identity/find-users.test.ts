/** The plans of the console's lists and searches, with enough rows for the planner to choose an index. */
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyTemplate } from '../../../test/test-database.ts';
import type { Db, Tables } from '../../platform/database/database.ts';
import {
  selectUsers,
  selectUsersByEmailPart,
  selectUsersByEmailPrefix,
  selectUsersByUuidRange,
} from './find-users.sql.ts';
import { selectSignIns } from './sessions/sessions.sql.ts';

const USER_COUNT = 50_000;

let database: Awaited<ReturnType<typeof copyTemplate>>;
let pool: pg.Pool;
let db: Db;
const asked: { sql: string; parameters: readonly unknown[] }[] = [];
beforeAll(async () => {
  database = await copyTemplate();
  pool = new pg.Pool({ connectionString: database.url, max: 2 });
  // Its connections may still be closing when the database is dropped.
  pool.on('error', () => undefined);
  db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query: { sql: text, parameters } }) => void asked.push({ sql: text, parameters }),
  });
  await sql`
    insert into users (email, password_hash, created_at)
    select md5(n::text) || '@athos.example', 'none', now() - n * interval '1 minute'
      from generate_series(1, ${USER_COUNT}::int) n`.execute(db);
  await sql`
    insert into sessions (user_id, expires_at) select id, now() from users, generate_series(1, 2)`.execute(
    db,
  );
  await sql`vacuum analyze users, sessions`.execute(db);
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

interface Plan {
  readonly 'Node Type': string;
  readonly 'Index Name'?: string;
  readonly 'Plan Rows': number;
  readonly Plans?: readonly Plan[];
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

/** The plan of the last statement that `ask` runs. */
async function planOf(ask: () => Promise<unknown>): Promise<Plan[]> {
  await ask();
  const { sql: text = '', parameters = [] } =
    asked.findLast(({ sql: statement }) => !statement.startsWith('explain')) ?? {};
  const { rows } = await pool.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    `explain (format json) ${text}`,
    [...parameters],
  );
  const plan = rows[0]?.['QUERY PLAN'][0].Plan;
  if (plan === undefined) throw new Error('no plan');
  return nodesOf(plan);
}

const page = { sort: 'newest', limit: 25 } as const;
const after = { at: '2026-01-01T00:00:00Z', id: '25000' };

describe('reads only what it shows', () => {
  it.each<[string, string, () => Promise<unknown>]>([
    ['the first page', 'users_by_time', () => selectUsers(db, {}, page)],
    ['a later page', 'users_by_time', () => selectUsers(db, {}, { ...page, after })],
    ['the oldest', 'users_by_time', () => selectUsers(db, {}, { ...page, sort: 'oldest' })],
    [
      'a span of time',
      'users_by_time',
      () => selectUsers(db, { to: '2026-01-01T00:00:00Z' }, page),
    ],
    [
      'the beginning of an address',
      'users_by_email_prefix',
      () => selectUsersByEmailPrefix(db, 'abc1', 50),
    ],
    ['a part of an address', 'users_by_email_part', () => selectUsersByEmailPart(db, 'abc12', 50)],
    [
      'the beginning of a uuid',
      'users_uuid_key',
      () =>
        selectUsersByUuidRange(
          db,
          {
            first: 'abcd0000-0000-0000-0000-000000000000',
            last: 'abcdffff-ffff-ffff-ffff-ffffffffffff',
          },
          50,
        ),
    ],
    [
      'sign-ins',
      'sessions_of_user',
      () => selectSignIns(db, 7n, { beforeId: undefined, limit: 26 }),
    ],
  ])('%s, by %s', async (_what, index, ask) => {
    const nodes = await planOf(ask);
    const types = nodes.map((node) => node['Node Type']);
    expect(types.filter((type) => type === 'Seq Scan' || type === 'Sort')).toEqual([]);
    expect(nodes.map((node) => node['Index Name'])).toContain(index);
  });
});
