-- Up Migration

-- Normally no row is late (modules/cards/reconciliation/reconciliation.sql.ts), and looking for one must not walk those with a booking.
create index concurrently card_transactions_waiting on card_transactions (listed_at) where booking_id is null and explanation is null;

-- Down Migration

drop index concurrently card_transactions_waiting;
