/** The daily looks for late card money read only what waits for a partner, however much has found its own. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPlannedDatabase } from '../../../../test/planned-database.ts';
import type { Db } from '../../../platform/database/database.ts';
import { selectLateBookings, selectLateTransactions } from './reconciliation.sql.ts';

/** Enough for the planner to choose as it does for millions. */
const MATCHED_COUNT = 20_000;

let db: Db;
let planOf: Awaited<ReturnType<typeof openPlannedDatabase>>['planOf'];
let close: () => Promise<void>;
beforeAll(async () => {
  ({ db, planOf, close } = await openPlannedDatabase());
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
afterAll(() => close());

it.each([
  ['card_transactions_waiting', () => selectLateTransactions(db, new Date(), 1)],
  ['card_bookings_unmatched', () => selectLateBookings(db, new Date(), 1)],
])('by the index %s', async (index, look) => {
  expect(await look()).toEqual([]);
  const nodes = await planOf(look);
  expect(nodes.map((node) => node['Index Name'])).toContain(index);
});
