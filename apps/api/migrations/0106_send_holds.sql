-- Up Migration

set lock_timeout = '2s';

create table send_holds (
  id           uuid        primary key,
  sender_id    bigint      not null references users (id),
  recipient_id bigint      not null references users (id),
  asset        text        not null check (asset in ('ATH', 'ATH2', 'ATH3')),
  amount_units bigint      not null check (amount_units > 0),
  key          uuid        not null,
  undo_seconds smallint    not null check (undo_seconds between 1 and 60),
  state        text        not null default 'held' check (state in ('held', 'posted', 'taken_back', 'returned')),
  reason       text        check (reason in ('recipient_closed', 'recipient_held', 'sender_stopped')),
  made_at      timestamptz not null,
  post_at      timestamptz not null,
  settled_at   timestamptz,
  constraint send_holds_settled check ((state = 'held') = (settled_at is null)),
  constraint send_holds_reason check ((state = 'returned') = (reason is not null)),
  constraint send_holds_key unique (sender_id, key)
) with (autovacuum_vacuum_scale_factor = 0.02);
comment on table send_holds is
  'Sends that can be undone until post_at. While one is held, its amount lies in the ledger account in_transit. The key of the movement out of it is the id.';
comment on column send_holds.key is 'The Idempotency-Key of the request, and the key of the movement into in_transit.';
comment on column send_holds.undo_seconds is 'As the request asked for it, so that its repeat can be told from another request.';
comment on column send_holds.reason is 'Why the amount went back without anybody asking.';

create index send_holds_due on send_holds (post_at) where state = 'held';
create index send_holds_live on send_holds (sender_id) where state = 'held';
create index send_holds_arriving on send_holds (recipient_id) where state = 'held';

-- Down Migration

drop table send_holds;
