-- Up Migration

create table password_changes (
  user_id bigint not null references users on delete cascade,
  key uuid not null,
  request_hash text not null,
  changed_at timestamptz not null,
  primary key (user_id, key)
);
create index password_changes_by_time on password_changes (changed_at);
comment on table password_changes is 'Passwords changed with an Idempotency-Key, for repeats of the same request within a day';
comment on column password_changes.request_hash is 'Argon2id of both passwords of the request';

-- Down Migration
drop table password_changes;
