-- Up Migration

set lock_timeout = '2s';

alter table ledger_verifications add column progressed_at timestamptz;
comment on column ledger_verifications.progressed_at is 'When the run last told that it reads. A run that tells nothing for long counts as abandoned';

-- Down Migration

-- Before walks from the first row had a turn of their own, one verification could be unfinished at a time. Both kinds being unfinished
-- would stop the Down of 0145, so the walk ends here.
set lock_timeout = '2s';
update ledger_verifications set finished_at = now(), has_failed = true where is_whole and finished_at is null;
alter table ledger_verifications drop column progressed_at;
