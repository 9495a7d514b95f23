/**
 * Card money. Each customer's credit in the journal is a credited order; other orders were canceled or are in review. The amounts are for
 * lists only: the journal has no entries in USD.
 */
import type pg from 'pg';
import type { ConsoleScale } from '../scale.ts';
import {
  JOURNAL_BEGIN,
  JOURNAL_DAYS,
  keyAt,
  transferId,
  transferKey,
  transferTime,
} from './journal.sql.ts';
import { withoutIndexes } from './load.sql.ts';

const ORDER_COLUMNS = `id, user_id, state, amount_micro_ath, usd_per_ath, price_usd_cents, product_fee_usd_cents,
  processing_fee_usd_cents, total_usd_cents, intent_id, charge_id, created_at, expires_at`;
const ORDER_AMOUNTS = `320000000, 0.1683, 5386, 54, 187, 5627`;

/** One in ten customers also has a canceled order, half of those after a card attempt; one in a thousand has an order in review. */
const ordersSql = (scale: ConsoleScale): string => `
  insert into card_orders (${ORDER_COLUMNS}, closed_at, history_id, was_attempted, review_reason)
  select ${transferKey('n', scale)}, n + 1, 'credited', ${ORDER_AMOUNTS}, 'pi_' || n, 'ch_' || n, at, at + interval '1 hour', at,
         ${transferId('n')}, true, null
    from generate_series(0::bigint, ${scale.customers - 1}) n, lateral (select ${transferTime('n', scale)} as at) paid
  union all
  select ${keyAt('at', `${scale.customers}::bigint + n`)}, n, 'canceled', ${ORDER_AMOUNTS}, 'pi_canceled_' || n, null, at,
         at + interval '1 hour', at, case when n % 20 = 0 then ${transferId(`${scale.journalRows}`)} + n end, n % 20 = 0, null
    from generate_series(10::bigint, ${scale.customers}, 10) n, lateral (select ${transferTime('n', scale)} as at) given_up
  union all
  select ${keyAt('at', `${2 * scale.customers}::bigint + n`)}, n, 'review', ${ORDER_AMOUNTS}, 'pi_review_' || n, 'ch_review_' || n, at,
         at + interval '1 hour', null, null, true, 'amount_differs'
    from generate_series(1::bigint, ${scale.customers}, 1000) n, lateral (select ${transferTime('n', scale)} as at) odd`;

/** One in a thousand bookings waits for its transaction. */
const bookingsSql = `
  insert into card_bookings (id, what, order_id, source_id, amount_usd_cents, fee_usd_cents, booked_at, matched_at)
  select id, 'payment', id, charge_id, total_usd_cents, 187, created_at, case when user_id % 1000 <> 0 then created_at end
    from card_orders where state = 'credited'`;

const transactionsSql = `
  insert into card_transactions (id, type, source_id, amount_usd_cents, fee_usd_cents, net_usd_cents, created_at, listed_at, booking_id)
  select 'txn_' || order_id, 'charge', source_id, amount_usd_cents, 187, amount_usd_cents - 187, booked_at, booked_at, id
    from card_bookings where matched_at is not null
  union all
  select 'txn_odd_' || id, 'adjustment', null, 100, 0, 100, created_at, created_at, null from card_orders where state = 'review'`;

const creditedOf = (every: number): string =>
  `from card_orders o where o.state = 'credited' and o.user_id % ${every} = 0`;

/** Their number grows with the orders, as it would over time. */
const FEW_SQL = [
  `insert into card_refunds (id, order_id, user_id, state, funding, share_micro_ath, taken_micro_ath, price_usd_cents,
     product_fee_usd_cents, processing_fee_usd_cents, total_usd_cents, reason, provider_refund_id, failure, created_at, closed_at)
   select gen_random_uuid(), o.id, o.user_id, case when o.user_id % 1000 = 0 then 'failed' else 'succeeded' end, 'order', 1000000, 1000000,
     17, 1, 1, 19, 'Asked for by the customer', 're_' || o.user_id, null, o.created_at, o.created_at ${creditedOf(50)}`,
  `insert into card_disputes (id, provider_dispute_id, order_id, user_id, status, phase, reason, amount_usd_cents, is_uncredited, due_at,
     opened_at, observed_at, created_at)
   select gen_random_uuid(), 'dp_' || o.user_id, o.id, o.user_id, case when o.user_id % 2000 = 0 then 'needs_response' else 'won' end,
     case when o.user_id % 2000 = 0 then 'open' else 'closed' end, 'fraudulent', o.total_usd_cents, false, o.created_at + interval '10 days',
     o.created_at, o.created_at, o.created_at ${creditedOf(200)}`,
  `insert into card_debts (id, dispute_id, user_id, amount_micro_ath, repaid_micro_ath, created_at, closed_at)
   select gen_random_uuid(), id, user_id, 1000000, case when user_id % 2000 = 0 then 0 else 1000000 end, opened_at,
     case when user_id % 2000 = 0 then null else opened_at end from card_disputes`,
  `insert into card_warnings (id, order_id, user_id, fraud_type, is_actionable, created_at)
   select 'issfr_' || o.user_id, o.id, o.user_id, 'made_with_stolen_card', o.user_id % 2000 = 0, o.created_at ${creditedOf(200)}`,
  `insert into card_days (day, provider_usd_cents, nets_usd_cents, clearing_usd_cents, in_flight_usd_cents, is_agreed, checked_at)
   select at::date, 0, 0, 0, 0, true, at + interval '1 day'
     from generate_series(${JOURNAL_BEGIN}, ${JOURNAL_BEGIN} + interval '${JOURNAL_DAYS - 1} days', interval '1 day') at`,
];

export async function fillCards(client: pg.Client, scale: ConsoleScale): Promise<void> {
  await withoutIndexes(client, 'card_orders', ordersSql(scale));
  await withoutIndexes(client, 'card_bookings', bookingsSql);
  await withoutIndexes(client, 'card_transactions', transactionsSql);
  for (const statement of FEW_SQL) await client.query(statement);
}
