-- Up Migration

set lock_timeout = '2s';

create table offline_entries (
  log_id         uuid        not null references offline_logs on delete cascade,
  entry_hash     bytea       not null,
  seq            bigint      not null,
  state          text        not null check (state in ('booked', 'kept', 'settled', 'left')),
  fault          text,
  at_ms          bigint      not null,
  received_at    timestamptz not null,
  staff_uuid     uuid        not null,
  venue_id       integer     not null,
  previous_hash  bytea       not null,
  signature      bytea       not null,
  code           text,
  item_ids       bigint[]    not null,
  holder_user_id bigint      references users,
  redemption_id  bigint      references redemptions,
  outcomes       jsonb       not null default '[]',
  primary key (log_id, entry_hash),
  constraint offline_entries_fault check (state in ('booked', 'settled') or fault is not null)
);
create unique index offline_entries_by_seq on offline_entries (log_id, seq) where state = 'booked';
create index offline_entries_kept on offline_entries (log_id) where state = 'kept';
create index offline_entries_by_time on offline_entries (received_at);
create index offline_entries_of_holder on offline_entries (holder_user_id) where holder_user_id is not null;
create index offline_entries_by_redemption on offline_entries (redemption_id) where redemption_id is not null;
comment on table offline_entries is 'Redemptions without a network as scanners told of them (decision 0064). Deleted 500 days after they came';
comment on column offline_entries.entry_hash is 'SHA-256 of what the scanner''s key signed';
comment on column offline_entries.state is 'kept: waits for a person, who books what holds of it (settled) or leaves it (left)';
comment on column offline_entries.fault is 'Why it was kept';
comment on column offline_entries.venue_id is 'As the scanner said, like staff_uuid';
comment on column offline_entries.code is 'The ticket code that the scanner read. Forgotten when its holder is erased';

-- Down Migration

drop table offline_entries;
