-- Up Migration

create table database_use (
  is_only  boolean     primary key default true check (is_only),
  use      text        not null check (use in ('live', 'rehearsal')),
  began_at timestamptz not null default now()
);
comment on table database_use is
  'What the first production start used this database for. It never becomes the other: a rehearsal''s balances were paid for by nobody';

-- Down Migration

drop table database_use;
