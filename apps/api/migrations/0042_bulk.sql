-- Up Migration

create table bulk_runs (
  id          uuid primary key,
  staff_id    uuid not null references staff,
  act         jsonb not null,
  reason      text not null,
  state       text not null default 'previewed' check (state in ('previewed', 'waiting', 'running', 'done')),
  rows_total  int not null check (rows_total between 0 and 10000),
  created_at  timestamptz not null,
  finished_at timestamptz
);
create index bulk_runs_by_time on bulk_runs (created_at);
comment on table bulk_runs is 'Acts of staff on many customers. A preview is deleted an hour after it was made, a run after 90 days';
comment on column bulk_runs.act is 'The act and what it needs, as the contract names it';

create table bulk_rows (
  run_id        uuid not null references bulk_runs on delete cascade,
  line          int not null,
  customer_uuid uuid not null,
  outcome       text check (outcome in ('done', 'failed')),
  failure_code  text,
  failure       text,
  primary key (run_id, line)
);
create index bulk_rows_open on bulk_rows (run_id, line) where outcome is null;
comment on table bulk_rows is 'The customers of a bulk act, fixed by its preview';
comment on column bulk_rows.outcome is 'Written in the transaction of the act, so that a run that was cut off does no row twice. Null until then';

-- Down Migration

drop table bulk_rows;
drop table bulk_runs;
