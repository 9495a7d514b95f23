/** The plans of the console's lists and searches, with enough rows for the planner to choose an index. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPlannedDatabase } from '../../../test/planned-database.ts';
import type { Db } from '../../platform/database/database.ts';
import {
  selectUsers,
  selectUsersByEmailPart,
  selectUsersByEmailPrefix,
  selectUsersByUuidRange,
} from './find-users.sql.ts';
import { selectSignIns } from './sessions/sessions.sql.ts';

const USER_COUNT = 50_000;

let db: Db;
let planOf: Awaited<ReturnType<typeof openPlannedDatabase>>['planOf'];
let close: () => Promise<void>;
beforeAll(async () => {
  ({ db, planOf, close } = await openPlannedDatabase());
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
afterAll(() => close());

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
