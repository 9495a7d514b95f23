-- Up Migration

create table account_closures (
  user_id bigint primary key references users,
  key uuid not null,
  closed_at timestamptz not null,
  mail_to text,
  erased_at timestamptz
);
create index account_closures_unfinished on account_closures (closed_at) where erased_at is null or mail_to is not null;
comment on table account_closures is 'Deleted accounts. Their users and journal rows stay without anything that leads to a person';
comment on column account_closures.key is 'Idempotency key of the request: of the ledger transfers that forfeited the balances too';
comment on column account_closures.mail_to is 'Where the last mail goes. Null once it was sent, or was tried for long enough';
comment on column account_closures.erased_at is 'When the job had erased the personal data; null before';

-- Down Migration
drop table account_closures;
