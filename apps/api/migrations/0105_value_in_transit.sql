-- Up Migration

set lock_timeout = '2s';

-- Where value waits on its way from one customer to another (decision 0058).
insert into ledger_accounts (id, asset, code, floor_units)
select asset_number - 8 * 8, asset, 'in_transit', 0
from (values ('ATH', 0), ('ATH2', 1), ('ATH3', 2)) assets (asset, asset_number)
on conflict (id) do nothing;

-- A hold on sending stops held sends (14) as it stops others, and a hold on receiving stops their arrival (15). What returns (16)
-- passes, like every other return.
do $$
declare
  definition text := pg_get_functiondef('post_batch'::regproc);
  change text[];
begin
  foreach change slice 1 in array array[
    ['(states[y] & 4) <> 0 and p_kinds[i] in (1, 4, 5)', '(states[y] & 4) <> 0 and p_kinds[i] in (1, 4, 5, 15)'],
    ['(states[x] & 1) <> 0 and p_kinds[i] = 1)', '(states[x] & 1) <> 0 and p_kinds[i] in (1, 14))']]
  loop
    if position(change[1] in definition) = 0 then raise exception 'post_batch has no %', change[1]; end if;
    definition := replace(definition, change[1], change[2]);
  end loop;
  execute definition;
end $$;

-- Down Migration

-- Accounts are never deleted, so these stay.
do $$
declare
  definition text := pg_get_functiondef('post_batch'::regproc);
begin
  definition := replace(definition, 'p_kinds[i] in (1, 4, 5, 15)', 'p_kinds[i] in (1, 4, 5)');
  definition := replace(definition, 'p_kinds[i] in (1, 14))', 'p_kinds[i] = 1)');
  execute definition;
end $$;
