-- Up Migration

create table customer_notes (
  id         bigint generated always as identity primary key,
  user_id    bigint not null references users,
  staff_id   uuid not null references staff,
  text       text not null check (char_length(text) between 1 and 2000),
  written_at timestamptz not null
);
create index customer_notes_by_user on customer_notes (user_id, id);
create index customer_notes_by_staff on customer_notes (staff_id);
comment on table customer_notes is 'What staff wrote about a customer. Never changed; deleted with the person';

create table sent_mails (
  id       bigint generated always as identity primary key,
  user_id  bigint not null references users,
  template text not null,
  sent_at  timestamptz not null
);
create index sent_mails_by_user on sent_mails (user_id, id);
create index sent_mails_by_time on sent_mails (sent_at);
comment on table sent_mails is 'Mails that the mail server accepted, without their texts. Kept for 90 days';

-- Newest customers first, and those of a span of time.
create index users_by_time on users (created_at, id);
-- The beginning of an address, whatever the collation of the database.
create index users_by_email_prefix on users (email text_pattern_ops);
-- A part of what stands before the @. In a schema of its own, so that its functions stay out of ours.
create schema trigrams;
create extension pg_trgm schema trigrams;
create index users_by_email_part on users using gin (split_part(email, '@', 1) trigrams.gin_trgm_ops);

-- Sign-ins of a user by time, ended ones too: their ids rise with time. Ending a session now changes no index.
create index sessions_of_user on sessions (user_id, id);
drop index sessions_by_user;

-- Down Migration

create index sessions_by_user on sessions (user_id) where revoked_at is null;
drop index sessions_of_user;
drop index users_by_email_part;
drop extension pg_trgm;
drop schema trigrams;
drop index users_by_email_prefix;
drop index users_by_time;
drop table sent_mails;
drop table customer_notes;
