-- Up Migration

-- A forgotten session in a transaction keeps every old version of the busiest rows, which each transfer then reads. pg_dump and
-- our own connections set limits of their own. A role that does not own the database leaves it as it is: docs/operating.md says
-- what to do then, and the worker raises an alarm about old transactions.
do $$
begin
  if not exists (
    select from pg_db_role_setting s, unnest(s.setconfig) as setting
     where s.setdatabase = (select oid from pg_database where datname = current_database())
       and s.setrole = 0 and setting like 'idle_in_transaction_session_timeout=%') then
    execute format('alter database %I set idle_in_transaction_session_timeout = %L', current_database(), '1min');
  end if;
exception when insufficient_privilege then
  raise warning 'idle_in_transaction_session_timeout is not set: this role does not own the database';
end $$;

-- Down Migration

do $$
begin
  execute format('alter database %I reset idle_in_transaction_session_timeout', current_database());
exception when insufficient_privilege then
  raise warning 'idle_in_transaction_session_timeout is not reset: this role does not own the database';
end $$;
