-- Up Migration

-- Rows of these tables live for minutes or days, so most of what a table holds at any time is soon dead. With the default of 20 %, a
-- table of a million sessions keeps 200,000 dead rows and its indexes with them, and each vacuum has that much more to do at once.
alter table sessions          set (autovacuum_vacuum_scale_factor = 0.02);
alter table sign_ups          set (autovacuum_vacuum_scale_factor = 0.02);
alter table link_codes        set (autovacuum_vacuum_scale_factor = 0.02);
alter table attempt_counters  set (autovacuum_vacuum_scale_factor = 0.02);
alter table code_claims       set (autovacuum_vacuum_scale_factor = 0.02);
alter table factor_challenges set (autovacuum_vacuum_scale_factor = 0.02);
alter table staff_sessions    set (autovacuum_vacuum_scale_factor = 0.02);
alter table card_quotes       set (autovacuum_vacuum_scale_factor = 0.02);
alter table graphile_worker._private_jobs set (autovacuum_vacuum_scale_factor = 0.02);

-- Down Migration

alter table graphile_worker._private_jobs reset (autovacuum_vacuum_scale_factor);
alter table card_quotes       reset (autovacuum_vacuum_scale_factor);
alter table staff_sessions    reset (autovacuum_vacuum_scale_factor);
alter table factor_challenges reset (autovacuum_vacuum_scale_factor);
alter table code_claims       reset (autovacuum_vacuum_scale_factor);
alter table attempt_counters  reset (autovacuum_vacuum_scale_factor);
alter table link_codes        reset (autovacuum_vacuum_scale_factor);
alter table sign_ups          reset (autovacuum_vacuum_scale_factor);
alter table sessions          reset (autovacuum_vacuum_scale_factor);
