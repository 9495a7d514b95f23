-- Up Migration

-- One table for everything that is counted within a time window: wrong passwords, requested mails, guessed codes, card orders.
create table attempt_counters (
  subject         bytea       primary key,
  attempt_count   integer     not null check (attempt_count >= 0),
  last_attempt_at timestamptz not null,
  window_ends_at  timestamptz not null
);
create index attempt_counters_by_end on attempt_counters (window_ends_at);
comment on table attempt_counters is 'Attempts within a window of time, by what they are counted for';
comment on column attempt_counters.subject is 'HMAC-SHA-256 of what is counted for, such as an e-mail or network address';
comment on column attempt_counters.attempt_count is 'Of the current window; 0: all were taken back';
comment on column attempt_counters.window_ends_at is 'An attempt at or after this time begins a new window';

-- Wrong passwords of an account were counted for a day, everything else for an hour, and the hashes do not show which is
-- which. All rows get an hour, so some accounts may once be tried a few more times.
insert into attempt_counters (subject, attempt_count, last_attempt_at, window_ends_at)
  select subject, failure_count, last_failed_at, counted_since + interval '1 hour' from sign_in_failures
  union all
  select subject, guess_count, counted_since, counted_since + interval '1 hour' from reward_guesses;

-- payment_quotas is not migrated, because the key of its hashes is not in the database. Its counts, of at most an hour,
-- restart once. The counts of declined cards, the limit that matters, are kept.
drop table payment_quotas, reward_guesses, sign_in_failures;

-- Down Migration

drop table attempt_counters;

create table sign_in_failures (
  subject bytea primary key,
  failure_count integer not null check (failure_count > 0),
  counted_since timestamptz not null,
  last_failed_at timestamptz not null
);
create index sign_in_failures_by_time on sign_in_failures (last_failed_at);
create table reward_guesses (
  subject       bytea       primary key,
  guess_count   integer     not null,
  counted_since timestamptz not null
);
create index reward_guesses_by_time on reward_guesses (counted_since);
create table payment_quotas (
  user_id           bigint      primary key references users,
  minute_began_at   timestamptz not null,
  minute_post_count integer     not null,
  hour_began_at     timestamptz not null,
  hour_post_count   integer     not null
);
