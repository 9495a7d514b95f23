-- Up Migration

create table account_holds (
  id        bigint generated always as identity primary key,
  user_id   bigint not null references users,
  kinds     text[] not null,
  cause     text not null check (cause in ('staff', 'dispute', 'warning', 'debt')),
  cause_id  text not null,
  reason    text not null,
  placed_by uuid,
  placed_at timestamptz not null,
  ends_at   timestamptz,
  lifted_by uuid,
  lifted_at timestamptz,
  constraint account_holds_kinds check (
    cardinality(kinds) > 0 and kinds <@ array['sign_in', 'send', 'receive', 'spend', 'top_up', 'redeem']
  )
);
create unique index account_holds_standing on account_holds (user_id, cause, cause_id) where lifted_at is null;
create index account_holds_by_user on account_holds (user_id, id);
create index account_holds_ending on account_holds (ends_at) where lifted_at is null;
create index account_holds_by_lifting on account_holds (lifted_at) where lifted_at is not null;
comment on table account_holds is
  'What a user may not do, why and until when. A hold stands until it is lifted. Lifted ones are deleted after 500 days';
comment on column account_holds.cause_id is 'The dispute, warning or debt; of a hold by staff an id of its own. Each cause lifts only its own';
comment on column account_holds.placed_by is 'The member of staff; null if the system did';

-- Down Migration

drop table account_holds;
