-- Up Migration

set lock_timeout = '2s';

create table totp_secrets (
  id           uuid        primary key,
  user_id      bigint      not null references users (id) on delete cascade,
  secret       bytea       not null,
  created_at   timestamptz not null,
  confirmed_at timestamptz,
  last_step    bigint
);
comment on table totp_secrets is 'The authenticator app of a customer: one that asks for codes, and one that is being set up';
comment on column totp_secrets.secret is 'Sealed (decision 0016)';
comment on column totp_secrets.last_step is 'The newest time step that was used; each is used once';
create unique index totp_secrets_of_user on totp_secrets (user_id, (confirmed_at is null));

create table recovery_codes (
  user_id    bigint      not null references users (id) on delete cascade,
  code_hash  bytea       not null,
  created_at timestamptz not null,
  used_at    timestamptz,
  primary key (user_id, code_hash)
);
comment on table recovery_codes is 'Each replaces a code of the authenticator app once. A new set replaces the rows of the old one';

create table sign_in_challenges (
  challenge_hash  bytea       primary key,
  user_id         bigint      not null references users (id) on delete cascade,
  password_digest bytea       not null,
  expires_at      timestamptz not null,
  tries           smallint    not null default 0
) with (autovacuum_vacuum_scale_factor = 0.02);
comment on table sign_in_challenges is 'Sign-ins whose password was right and whose code is still missing. Deleted every ten minutes when they have expired';
comment on column sign_in_challenges.challenge_hash is 'SHA-256 of 256 random bits that only the caller holds';
comment on column sign_in_challenges.password_digest is 'SHA-256 of the password''s hash: another password ends the sign-in';
comment on column sign_in_challenges.tries is 'Codes that were tried; the fifth wrong one ends the sign-in';
create index sign_in_challenges_of_user on sign_in_challenges (user_id, expires_at);
create index sign_in_challenges_by_expiry on sign_in_challenges (expires_at);

-- Down Migration

set lock_timeout = '2s';
drop table sign_in_challenges;
drop table recovery_codes;
drop table totp_secrets;
