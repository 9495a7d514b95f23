-- Up Migration

set lock_timeout = '2s';

create table confirmation_limits (
  user_id         bigint      primary key references users (id) on delete cascade,
  usd_cents       bigint      check (usd_cents between 0 and 20000),
  next_usd_cents  bigint      check (next_usd_cents between 0 and 20000),
  next_from       timestamptz,
  spent_usd_cents bigint      not null default 0 check (spent_usd_cents >= 0),
  constraint confirmation_limits_next check (next_from is not null or next_usd_cents is null)
);
comment on table confirmation_limits is 'Above which sum an account confirms what it spends, and what it has spent since it last did. Deleted with the account';
comment on column confirmation_limits.usd_cents is 'What the owner chose. Null: 200 USD with a second factor, none without';
comment on column confirmation_limits.next_usd_cents is 'What replaces it at next_from, where the owner has raised it';

create table counted_spends (
  user_id     bigint      not null references confirmation_limits on delete cascade,
  key         uuid        not null,
  act_hash    bytea       not null,
  counted_at  timestamptz not null,
  primary key (user_id, key)
);
create index counted_spends_by_time on counted_spends (counted_at);
comment on table counted_spends is 'Requests that such an account may repeat without another confirmation and without being counted again. Deleted after a day';

-- Down Migration

set lock_timeout = '2s';
drop table counted_spends;
drop table confirmation_limits;
