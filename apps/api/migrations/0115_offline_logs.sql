-- Up Migration

set lock_timeout = '2s';

create table offline_logs (
  id            uuid        primary key default uuidv7(),
  device_id     uuid        not null references scanner_devices on delete cascade,
  public_key    bytea       not null unique,
  begun_at      timestamptz not null,
  last_seq      bigint      not null default 0,
  last_hash     bytea,
  last_at_ms    bigint      not null default 0,
  last_sync_at  timestamptz,
  suspect_since timestamptz,
  suspect_fault text,
  constraint offline_logs_key_is_compressed check (octet_length(public_key) = 33),
  constraint offline_logs_head check ((last_seq = 0) = (last_hash is null)),
  constraint offline_logs_suspect check ((suspect_since is null) = (suspect_fault is null))
) with (autovacuum_vacuum_scale_factor = 0.02);
create index offline_logs_of_device on offline_logs (device_id, begun_at);
comment on table offline_logs is 'What a key of a scanner has redeemed without a network (decision 0064): one row for each key. Deleted 500 days after its last sync';
comment on column offline_logs.public_key is 'A point of P-256 in its compressed form. The private key never leaves the scanner';
comment on column offline_logs.begun_at is 'When the key was enrolled, the last time. A device works with the key that was enrolled last';
comment on column offline_logs.last_seq is 'Number, hash and time of the last entry that was taken';
comment on column offline_logs.suspect_since is 'Since when nothing of it is booked, because an entry did not hold';

create table scanner_grants (
  log_id        uuid        not null references offline_logs on delete cascade,
  staff_user_id bigint      not null references users,
  venue_id      integer     not null references venues,
  granted_from  timestamptz not null,
  granted_until timestamptz not null,
  primary key (log_id, staff_user_id, venue_id, granted_from)
) with (autovacuum_vacuum_scale_factor = 0.02);
comment on table scanner_grants is 'Who might redeem with which key at which venue without a network, and when. Deleted 500 days after their end';

-- What a scanner has to know of the last minute, in few rows each.
create index purchase_items_by_void on purchase_items (voided_at) where voided_at is not null;
create index redemption_reversals_by_time on redemption_reversals (reversed_at);

-- Down Migration

drop index redemption_reversals_by_time;
drop index purchase_items_by_void;
drop table scanner_grants;
drop table offline_logs;
