-- Up Migration

-- A user exists once a verification link was opened. Until then there is only a sign-up.
create table users (
  id bigint generated always as identity primary key,
  uuid uuid not null unique default gen_random_uuid(),
  email text unique check (email = lower(btrim(email))),
  password_hash text,
  role text not null default 'user' check (role in ('user', 'scanner', 'operator')),
  terms_version text,
  terms_accepted_at timestamptz,
  created_at timestamptz not null default now(),
  closed_at timestamptz,
  constraint closed_users_keep_no_personal_data
    check ((closed_at is null) = (email is not null and password_hash is not null))
);
comment on column users.uuid is 'Public address of the account: what people send to';
comment on column users.email is 'Null once the account is closed';

create table sign_ups (
  id bigint generated always as identity primary key,
  email text not null check (email = lower(btrim(email))),
  password_hash text not null,
  terms_version text,
  terms_accepted_at timestamptz,
  created_at timestamptz not null default now(),
  mailed_at timestamptz
);
create index sign_ups_by_email on sign_ups (email, id);
comment on table sign_ups is 'Unverified accounts. A link activates only the password given in its own sign-up';
create index sign_ups_by_time on sign_ups (created_at);
comment on column sign_ups.mailed_at is 'When its last mail was sent; null before the first';

create table link_codes (
  code_hash bytea primary key,
  purpose text not null check (purpose in ('verify', 'reset')),
  sign_up_id bigint references sign_ups on delete cascade,
  user_id bigint references users on delete cascade,
  expires_at timestamptz not null,
  constraint one_subject check ((purpose = 'verify') = (sign_up_id is not null) and (purpose = 'reset') = (user_id is not null))
);
create index link_codes_by_sign_up on link_codes (sign_up_id);
create index link_codes_by_user on link_codes (user_id);
create index link_codes_by_expiry on link_codes (expires_at);
comment on table link_codes is 'Codes of mailed links, as SHA-256. A used code is deleted';

create table sessions (
  id uuid primary key default uuidv7(),
  user_id bigint not null references users on delete cascade,
  created_at timestamptz not null default now(),
  refreshed_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index sessions_by_user on sessions (user_id) where revoked_at is null;
create index sessions_by_expiry on sessions (expires_at);

create table known_devices (
  user_id bigint not null references users on delete cascade,
  device_hash bytea not null,
  first_seen_at timestamptz not null default now(),
  primary key (user_id, device_hash)
);

create table sign_in_failures (
  subject bytea primary key,
  failure_count integer not null check (failure_count > 0),
  counted_since timestamptz not null,
  last_failed_at timestamptz not null
);
create index sign_in_failures_by_time on sign_in_failures (last_failed_at);
comment on table sign_in_failures is
  'Sign-in attempts that failed or are under way, and requests for mails, by keyed hash of an e-mail or network address';
comment on column sign_in_failures.counted_since is 'Begin of the hour, or day, in which failure_count was counted';

-- Down Migration
drop table sign_in_failures, known_devices, sessions, link_codes, sign_ups, users;
