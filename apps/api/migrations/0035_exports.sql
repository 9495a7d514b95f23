-- Up Migration

create table exports (
  id              uuid primary key,
  staff_id        uuid not null references staff,
  content         text not null,
  filters         jsonb not null,
  user_id         bigint references users,
  state           text not null default 'waiting' check (state in ('waiting', 'running', 'ready', 'failed', 'deleted')),
  rows_done       bigint not null default 0,
  rows_total      bigint,
  byte_count      bigint,
  created_at      timestamptz not null,
  finished_at     timestamptz,
  expires_at      timestamptz,
  link_hash       bytea,
  link_expires_at timestamptz
);
create index exports_by_staff on exports (staff_id, id);
create index exports_by_time on exports (created_at);
create index exports_of_user on exports (user_id) where user_id is not null;
comment on table exports is 'Files that staff asked for. A file is deleted 72 h after it was written, its row 90 days after it was asked for';
comment on column exports.id is 'UUIDv7, and the name of the file';
comment on column exports.user_id is 'Of a person''s data: whose';
comment on column exports.link_hash is 'SHA-256 of the code of the last link; null once it was used';

-- Down Migration

drop table exports;
