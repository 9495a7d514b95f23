-- Up Migration

alter table bulk_runs
  add column rows_done integer,
  add column rows_failed integer,
  drop constraint bulk_runs_state_check,
  add constraint bulk_runs_state_check
    check (state in ('previewed', 'waiting', 'running', 'done', 'stopped'));

comment on column bulk_runs.rows_done is 'Counted when the run ends, so that a list of runs counts no rows. Null until then, as is rows_failed';

update bulk_runs run
   set (rows_done, rows_failed) = (select count(*) filter (where outcome = 'done'), count(*) filter (where outcome = 'failed')
                                     from bulk_rows where run_id = run.id)
 where state = 'done';

create index bulk_runs_by_staff on bulk_runs (staff_id, id) where state <> 'previewed';

-- Down Migration

drop index bulk_runs_by_staff;

update bulk_runs set state = 'done' where state = 'stopped';

alter table bulk_runs
  drop constraint bulk_runs_state_check,
  add constraint bulk_runs_state_check check (state in ('previewed', 'waiting', 'running', 'done')),
  drop column rows_failed,
  drop column rows_done;
