-- Up Migration

set lock_timeout = '2s';

create table receipt_shares (
  id          uuid        primary key,
  user_id     bigint      not null references users,
  transfer_id bigint      not null,
  token_hash  bytea       not null unique,
  with_names  boolean     not null,
  made_at     timestamptz not null,
  expires_at  timestamptz not null,
  constraint receipt_shares_run_out check (expires_at > made_at)
);
create index receipt_shares_of_user on receipt_shares (user_id, expires_at);
create index receipt_shares_by_end on receipt_shares (expires_at);
comment on table receipt_shares is 'Links with which customers show a receipt to others. Deleted when they are ended or have run out';
comment on column receipt_shares.token_hash is 'SHA-256 of the 128 random bits in the link';
comment on column receipt_shares.with_names is 'Whether the accounts of both sides are shown';

-- Down Migration

drop table receipt_shares;
