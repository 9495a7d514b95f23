-- Up Migration

-- The time of the journal. A function of its own, so that the demo can make its past (apps/api/src/seed/history); never replaced
-- in production. The planner puts its body in its place, so a batch pays no call for it.
create function ledger_clock() returns timestamptz language sql volatile
  as 'select clock_timestamp()';

do $$
begin
  execute replace(
    pg_get_functiondef('post_batch'::regproc),
    'greatest(h.posted_at, clock_timestamp())', 'greatest(h.posted_at, ledger_clock())');
end $$;

-- Down Migration

do $$
begin
  execute replace(
    pg_get_functiondef('post_batch'::regproc),
    'greatest(h.posted_at, ledger_clock())', 'greatest(h.posted_at, clock_timestamp())');
end $$;

drop function ledger_clock();
