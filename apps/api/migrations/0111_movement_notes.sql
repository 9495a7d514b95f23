-- Up Migration

set lock_timeout = '2s';

create table movement_notes (
  user_id     bigint      not null references users,
  movement_id bigint      not null,
  sealed      bytea       not null,
  changed_at  timestamptz not null,
  primary key (user_id, movement_id)
);
comment on table movement_notes is 'What customers note about their own movements: at most 2,000 each. Deleted with the account';
comment on column movement_notes.movement_id is 'The number of the entry in the history, with or without a transfer';
comment on column movement_notes.sealed is 'Note and labels as JSON, sealed (platform/sealed.ts)';

-- Down Migration

drop table movement_notes;
