-- Up Migration

-- The walk from the first row may take longer than a day. The nightly verification does not wait for it.
drop index concurrently ledger_verifications_one_open;

-- Down Migration

-- Fails while a verification of each kind is unfinished. The Down of 0150 has ended the walk from the first row. If a worker has begun
-- another one since, stop the workers and end it by hand:
--   update ledger_verifications set finished_at = now(), has_failed = true where is_whole and finished_at is null
create unique index concurrently ledger_verifications_one_open on ledger_verifications ((finished_at is null)) where finished_at is null;
