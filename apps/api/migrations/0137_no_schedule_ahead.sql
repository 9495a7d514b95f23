-- Up Migration

set lock_timeout = '2s';

-- A worker whose clock is ahead would note scheduled jobs as made until then, and no other worker would make one before, also after its
-- clock is right. What it makes is left out, and the others make it when it is time.
create function refuse_schedule_ahead() returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  if new.last_execution > now() + interval '5 minutes' then return null; end if;
  return new;
end $$;

create trigger refuse_schedule_ahead before insert or update on graphile_worker._private_known_crontabs
  for each row execute function refuse_schedule_ahead();

-- Down Migration

drop trigger refuse_schedule_ahead on graphile_worker._private_known_crontabs;
drop function refuse_schedule_ahead();
