-- Up Migration

set lock_timeout = '2s';

alter table handles
  add column removed_at timestamptz,
  add constraint handles_removed check (removed_at is null or ended_at is not null) not valid;
alter table handles validate constraint handles_removed;
comment on column handles.removed_at is 'When staff took it away. Nobody gets it, or one that looks like it, again';
comment on table handles is 'By which names customers are found. One that was given up stays blocked for a year, then it is deleted; one that staff took away stays';

-- Down Migration

set lock_timeout = '2s';
comment on table handles is 'By which names customers are found. One that was given up stays blocked for a year, then it is deleted';
alter table handles drop column removed_at;
