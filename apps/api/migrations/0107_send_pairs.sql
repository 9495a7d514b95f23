-- Up Migration

set lock_timeout = '2s';

create table send_pairs (
  sender_id    bigint      not null references users,
  recipient_id bigint      not null references users,
  first_at     timestamptz not null,
  last_at      timestamptz not null,
  send_count   integer     not null,
  constraint send_pairs_pkey primary key (sender_id, recipient_id)
) with (autovacuum_vacuum_scale_factor = 0.02);
comment on table send_pairs is
  'Who has sent to whom, so that the wallet can warn of a new receiver (decision 0063). Sends that could be undone are added when they arrive, others every ten minutes';
comment on column send_pairs.send_count is 'How many have arrived';

create table send_pairs_place (
  is_only          boolean primary key default true,
  last_transfer_id bigint  not null,
  constraint send_pairs_place_is_only check (is_only)
);
comment on table send_pairs_place is 'Up to which transfer send_pairs has the sends that arrived at once';
insert into send_pairs_place (last_transfer_id) values (0);

-- Down Migration

drop table send_pairs_place;
drop table send_pairs;
