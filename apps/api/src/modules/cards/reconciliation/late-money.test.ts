/** The daily looks for late card money read only what waits for a partner, however much has found its own. */
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { copyTemplate } from '../../../../test/test-database.ts';
import type { Db, Tables } from '../../../platform/database/database.ts';
import { selectLateBookings, selectLateTransactions } from './reconciliation.sql.ts';

/** Enough for the planner to choose as it does for millions. */
const MATCHED_COUNT = 20_000;

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
    with booked as (
      insert into card_bookings (id, what, amount_usd_cents, booked_at, matched_at)
      select gen_random_uuid(), 'payment', 1868, now() - n * interval '1 minute', now()
        from generate_series(1, ${MATCHED_COUNT}::int) n
      returning id, booked_at)
    insert into card_transactions
      (id, type, amount_usd_cents, fee_usd_cents, net_usd_cents, created_at, listed_at, booking_id)
    select 'txn_' || id, 'charge', 1868, 84, 1784, booked_at, booked_at, id from booked`.execute(
    db,
  );
  await sql`
    insert into card_transactions
      (id, type, amount_usd_cents, fee_usd_cents, net_usd_cents, created_at, listed_at, explanation)
    select 'txn_' || n, 'adjustment', 1, 0, 1, now(), now() - n * interval '1 hour', 'Known'
      from generate_series(1, 500) n`.execute(db);
  await sql`vacuum analyze card_bookings, card_transactions`.execute(db);
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

it.each([
  ['card_transactions_waiting', () => selectLateTransactions(db, new Date(), 1)],
  ['card_bookings_unmatched', () => selectLateBookings(db, new Date(), 1)],
])('by the index %s', async (index, look) => {
  expect(await look()).toEqual([]);
  const { sql: text = '', parameters = [] } = asked.at(-1) ?? {};
  const { rows } = await pool.query<{ 'QUERY PLAN': string }>(`explain ${text}`, [...parameters]);
  expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain(index);
});
