-- Up Migration

create table reward_sheets (
  batch_id   uuid    not null references reward_batches,
  form       text    not null,
  state      text    not null default 'waiting' check (state in ('waiting', 'making', 'ready', 'failed')),
  pages_done integer not null default 0,
  page_count integer not null check (page_count > 0),
  file_name  text,
  primary key (batch_id, form)
);
comment on table reward_sheets is 'Batches drawn as PDF, each sealed with the key of its batch and deleted with it';

alter table reward_batches add column link_form text;
comment on column reward_batches.link_form is 'Which file the last link is for';

create table reward_lock_outs (
  id        bigint      primary key generated always as identity,
  subject   bytea       not null unique,
  user_id   bigint      references users,
  place     bytea,
  locked_at timestamptz not null,
  ends_at   timestamptz not null,
  constraint reward_lock_outs_of_one check ((user_id is null) <> (place is null))
);
create index reward_lock_outs_by_end on reward_lock_outs (ends_at);
create index reward_lock_outs_of_user on reward_lock_outs (user_id) where user_id is not null;
comment on table reward_lock_outs is 'Accounts and network places at their limit of wrong reward codes, until its window ends';
comment on column reward_lock_outs.subject is 'Of attempt_counters, which keep hashes alone';
comment on column reward_lock_outs.place is 'Sealed column: the network place';

-- Down Migration

drop table reward_lock_outs;
alter table reward_batches drop column link_form;
drop table reward_sheets;
