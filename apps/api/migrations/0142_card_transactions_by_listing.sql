-- Up Migration

-- The daily sums add what was listed since those of the day before (modules/cards/reconciliation/totals.ts).
create index concurrently card_transactions_by_listing on card_transactions (listed_at) include (net_usd_cents);

-- Down Migration

drop index concurrently card_transactions_by_listing;
