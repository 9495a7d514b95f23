-- Up Migration

-- What programs may do to the ledger is a function of its owner, so that their own role may write none of its tables (decision 0048).
-- Each runs under a fixed search_path: a caller's table of the same name, temporary or not, is never found.

create function ledger_state_name(p_state smallint) returns text language sql immutable as $$
  select case when p_state >= 16 then 'held' else (array['open', 'restricted', 'frozen', 'closed'])[p_state + 1] end
$$;

create function ledger_account_state(p_account_id bigint) returns text language sql stable as $$
  select ledger_state_name(state) from ledger_accounts where id = p_account_id
$$;
comment on function ledger_account_state is 'The name of the state of an account; null if there is none.';

create function ledger_lock() returns void language plpgsql as $$
begin
  perform from ledger_head for update;
end $$;
comment on function ledger_lock is 'Holds the ledger''s only lock until the transaction ends.';

create function ledger_open_accounts(p_ids bigint[], p_assets text[], p_codes text[]) returns void language sql as $$
  insert into ledger_accounts (id, asset, code) select * from unnest(p_ids, p_assets, p_codes) on conflict (id) do nothing
$$;
comment on function ledger_open_accounts is 'Opens empty accounts. Those that stand already stay as they are.';

create function ledger_set_state(p_ids bigint[], p_state smallint, p_keep_stopped boolean) returns int language plpgsql as $$
declare
  changed int;
begin
  update ledger_accounts set state = p_state
   where id = any (p_ids) and (not p_keep_stopped or state = 0 or state >= 16);
  get diagnostics changed = row_count;
  return changed;
end $$;
comment on function ledger_set_state is 'Returns how many accounts it found. With p_keep_stopped, restricted, frozen and closed ones stay: they stop more than a hold.';

create function ledger_open_for_taking(p_ids bigint[], p_amounts bigint[])
returns table (account_id bigint, floor_before bigint, state_before smallint) language sql as $$
  update ledger_accounts account
     set state = 0, floor_units = least(account.floor_units, account.balance_units - taken.amount)
    from unnest(p_ids, p_amounts) taken (id, amount)
   where account.id = taken.id and account.state <> 3
  returning account.id, old.floor_units, old.state
$$;
comment on function ledger_open_for_taking is 'Opens accounts that are about to pay what is taken back, and lowers their floors. Closed ones stay.';

create function ledger_end_taking(p_ids bigint[], p_floors bigint[], p_states smallint[], p_keep_floors boolean)
returns void language sql as $$
  update ledger_accounts account
     set state = former.state, floor_units = case when p_keep_floors then account.floor_units else former.floor end
    from unnest(p_ids, p_floors, p_states) former (id, floor, state)
   where account.id = former.id
$$;

create function ledger_raise_floor(p_account_id bigint) returns bigint language sql as $$
  update ledger_accounts set floor_units = greatest(floor_units, least(balance_units, 0))
   where id = p_account_id returning floor_units
$$;
comment on function ledger_raise_floor is 'Raises a floor to the balance, at most to 0, and returns it; null if there is no account.';

do $$
declare
  door regprocedure;
begin
  foreach door in array array[
    'post_batch(bigint[], int[], int[], bigint[], uuid[], smallint[], smallint[], boolean)', 'ledger_lock()',
    'ledger_open_accounts(bigint[], text[], text[])', 'ledger_set_state(bigint[], smallint, boolean)',
    'ledger_open_for_taking(bigint[], bigint[])', 'ledger_end_taking(bigint[], bigint[], smallint[], boolean)',
    'ledger_raise_floor(bigint)', 'ledger_add_totals(int)', 'ledger_add_piece()', 'ledger_begin_piece()']::regprocedure[]
  loop
    execute format('alter function %s security definer set search_path = public, pg_temp', door);
    execute format('revoke execute on function %s from public', door);
  end loop;
end $$;

-- Down Migration

alter function ledger_begin_piece() security invoker reset search_path;
grant execute on function ledger_begin_piece() to public;
alter function ledger_add_piece() security invoker reset search_path;
grant execute on function ledger_add_piece() to public;
alter function ledger_add_totals(int) security invoker reset search_path;
grant execute on function ledger_add_totals(int) to public;
alter function post_batch(bigint[], int[], int[], bigint[], uuid[], smallint[], smallint[], boolean)
  security invoker reset search_path;
grant execute on function post_batch(bigint[], int[], int[], bigint[], uuid[], smallint[], smallint[], boolean) to public;
drop function ledger_raise_floor(bigint);
drop function ledger_end_taking(bigint[], bigint[], smallint[], boolean);
drop function ledger_open_for_taking(bigint[], bigint[]);
drop function ledger_set_state(bigint[], smallint, boolean);
drop function ledger_open_accounts(bigint[], text[], text[]);
drop function ledger_lock();
drop function ledger_account_state(bigint);
drop function ledger_state_name(smallint);
