-- Up Migration
set lock_timeout = '2s';

create table ticket_phones (
  id         uuid        primary key default uuidv7(),
  user_id    bigint      not null references users,
  public_key bytea       not null,
  label      text        not null,
  made_at    timestamptz not null,
  ended_at   timestamptz,
  constraint ticket_phones_key_is_compressed check (octet_length(public_key) = 33)
);
create unique index ticket_phones_live on ticket_phones (user_id) where ended_at is null;
create index ticket_phones_of_user on ticket_phones (user_id, made_at);
create index ticket_phones_by_end on ticket_phones (ended_at) where ended_at is not null;
comment on table ticket_phones is 'The phone that shows a user''s ticket codes: one at a time. Deleted 30 days after it ended';
comment on column ticket_phones.public_key is 'A point of P-256 in its compressed form. The private key never leaves the phone';
comment on column ticket_phones.label is 'What the phone calls itself';
comment on column ticket_phones.ended_at is 'Since when none of its tickets counts any more';

create table tickets (
  id          bigint      generated always as identity primary key,
  phone_id    uuid        not null references ticket_phones on delete cascade,
  purchase_id bigint      not null references purchases,
  ticket      bytea       not null,
  valid_from  timestamptz not null,
  valid_until timestamptz not null
);
create index tickets_of_phone on tickets (phone_id, valid_from);
create index tickets_by_end on tickets (valid_until);
alter table tickets set (autovacuum_vacuum_scale_factor = 0.02);
comment on table tickets is 'Signed tickets: the items of a purchase for a phone (decision 0059). Deleted 30 days after their time, or with the phone';
comment on column tickets.ticket is 'With its signature, as packages/domain/src/ticket-code.ts spells it';

-- Down Migration

drop table tickets;
drop table ticket_phones;
