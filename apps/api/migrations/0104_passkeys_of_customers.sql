-- Up Migration

set lock_timeout = '2s';

create table passkey_handles (
  user_id bigint primary key references users (id) on delete cascade,
  handle  bytea  not null unique
);
comment on table passkey_handles is 'What authenticators store to tell accounts apart: 32 random bytes, which lead to nothing outside this table';

create table passkeys (
  id            uuid        primary key,
  user_id       bigint      not null references users (id) on delete cascade,
  credential_id bytea       not null unique,
  public_key    bytea       not null,
  sign_count    bigint      not null,
  transports    text[]      not null,
  name          text        not null,
  created_at    timestamptz not null,
  used_at       timestamptz
);
comment on table passkeys is 'The passkeys of customers. Each signs in alone, because it verifies its holder';
comment on column passkeys.sign_count is 'The newest count of the authenticator; 0 if it does not count. A falling one is the sign of a copy';
comment on column passkeys.transports is 'How browsers can reach the authenticator';
create index passkeys_of_user on passkeys (user_id, created_at);

-- Down Migration

set lock_timeout = '2s';
drop table passkeys;
drop table passkey_handles;
