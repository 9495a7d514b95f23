-- Up Migration

-- The walk from the first row may take longer than a day. The nightly verification does not wait for it.
drop index concurrently ledger_verifications_one_open;

-- Down Migration

create unique index concurrently ledger_verifications_one_open on ledger_verifications ((finished_at is null)) where finished_at is null;
