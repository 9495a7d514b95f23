-- Up Migration

set lock_timeout = '2s';

create table redemption_conflicts (
  id                   bigint      generated always as identity primary key,
  item_id              bigint      not null references purchase_items,
  first_redemption_id  bigint      not null references redemptions,
  first_at             timestamptz not null,
  log_id               uuid        not null references offline_logs on delete cascade,
  entry_hash           bytea       not null,
  at                   timestamptz not null,
  venue_id             integer     not null references venues,
  staff_user_id        bigint      not null references users,
  holder_user_id       bigint      references users,
  value_ath_hundredths integer     not null,
  made_at              timestamptz not null,
  state                text        not null default 'open' check (state in ('open', 'written_off', 'explained')),
  words                text,
  resolved_by          uuid        references staff,
  resolved_at          timestamptz,
  unique (log_id, entry_hash, item_id),
  constraint redemption_conflicts_resolved check ((state = 'open') = (resolved_at is null))
);
create index redemption_conflicts_by_venue on redemption_conflicts (venue_id, id);
create index redemption_conflicts_by_time on redemption_conflicts (made_at);
create index redemption_conflicts_of_log on redemption_conflicts (log_id, made_at);
create index redemption_conflicts_of_holder on redemption_conflicts (holder_user_id, made_at) where holder_user_id is not null;
comment on table redemption_conflicts is 'Items that were handed out twice: by a redemption, and by an entry of a scanner without a network. Deleted 500 days after they were found';
comment on column redemption_conflicts.first_at is 'When the item was redeemed, as log, entry, time, venue and staff say of the second time';
comment on column redemption_conflicts.value_ath_hundredths is 'What the item cost: what the second handover is worth';

-- Down Migration

drop table redemption_conflicts;
