-- Up Migration

set lock_timeout = '2s';

create table profiles (
  user_id      bigint  primary key references users (id) on delete cascade,
  display_name text    check (char_length(display_name) between 2 and 40),
  shows_name   boolean not null default false,
  is_findable  boolean not null default true
);
comment on table profiles is 'How customers want to be shown to others. Deleted with the account';
comment on column profiles.shows_name is 'Whether those who send to them see the name';
comment on column profiles.is_findable is 'Whether they are found by their handle';

create table handles (
  skeleton   text        primary key,
  user_id    bigint      references users (id) on delete set null,
  handle     text        check (handle ~ '^[a-z][a-z0-9_]{2,19}$'),
  claimed_at timestamptz not null,
  ended_at   timestamptz,
  constraint handles_live check (ended_at is not null or (user_id is not null and handle is not null))
);
create unique index handles_of_user on handles (user_id) where ended_at is null;
create index handles_by_end on handles (ended_at) where ended_at is not null;
comment on table handles is 'By which names customers are found. One that was given up stays blocked for a year, then it is deleted';
comment on column handles.skeleton is 'What handles that look alike have in common';

create table pay_codes (
  id        uuid        primary key,
  user_id   bigint      not null references users (id) on delete cascade,
  code_hash bytea       not null unique,
  details   bytea       not null,
  made_at   timestamptz not null
);
create index pay_codes_of_user on pay_codes (user_id);
comment on table pay_codes is 'Links by which a customer is paid. Deleted when their owner ends them, at most 20 of each';
comment on column pay_codes.code_hash is 'SHA-256 of the code in the link';
comment on column pay_codes.details is 'Code, label, amount and note as JSON, sealed';

-- Down Migration

set lock_timeout = '2s';
drop table pay_codes;
drop table handles;
drop table profiles;
