-- Up Migration

set lock_timeout = '2s';

alter table ledger_verifications add column is_whole boolean not null default false;
comment on column ledger_verifications.is_whole is 'Whether it begins at the first row, and not at a checkpoint. One of each may be unfinished';

-- Down Migration

set lock_timeout = '2s';
alter table ledger_verifications drop column is_whole;
