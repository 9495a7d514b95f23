-- Up Migration

-- The filter of the history distinguishes what an account paid from what it received, since one kind of transfer has two types
-- there. Filtered afterwards, one page walked the journal up to twenty times.
drop function ledger_walk(bigint[], bigint[], int, int, smallint[], timestamptz, timestamptz);

create function ledger_walk(
  p_accounts bigint[], p_next bigint[], p_limit int, p_scan_max int,
  p_paid_kinds smallint[], p_received_kinds smallint[], p_from timestamptz, p_to timestamptz
) returns table (transfer ledger_transfers, next_ids bigint[])
language plpgsql stable
as $function$
declare
  n constant int := cardinality(p_accounts);
  t ledger_transfers; newest bigint; emitted int := 0; scanned int := 0; i int; kinds smallint[];
begin
  next_ids := p_next;
  if next_ids is null then
    select array_agg(coalesce(a.last_transfer_id, 0) order by u.o) into next_ids
      from unnest(p_accounts) with ordinality u (id, o) left join ledger_accounts a on a.id = u.id;
  end if;
  while emitted < p_limit and scanned < p_scan_max loop
    newest := 0;
    for i in 1..n loop newest := greatest(newest, next_ids[i]); end loop;
    exit when newest = 0;
    select * into t from ledger_transfers where id = newest;
    scanned := scanned + 1;
    transfer := null;
    for i in 1..n loop
      continue when next_ids[i] <> newest;
      if t.debit_account_id = p_accounts[i] then
        next_ids[i] := t.debit_prev_id; transfer := t; kinds := p_paid_kinds;
      elsif t.credit_account_id = p_accounts[i] then
        next_ids[i] := t.credit_prev_id; transfer := t; kinds := p_received_kinds;
      else next_ids[i] := 0;
      end if;
    end loop;
    continue when transfer is null;
    if t.at < p_from then next_ids := array_fill(0::bigint, array[n]); exit; end if;
    if (p_to is null or t.at < p_to) and (kinds is null or t.kind = any (kinds)) then
      emitted := emitted + 1;
      return next;
    end if;
  end loop;
  transfer := null;
  return next;
end $function$;
comment on function ledger_walk is 'History by the lists in the journal: as fast at 100,000 movements as at 20, and no index to write.';

-- Down Migration

drop function ledger_walk(bigint[], bigint[], int, int, smallint[], smallint[], timestamptz, timestamptz);

create function ledger_walk(
  p_accounts bigint[], p_next bigint[], p_limit int, p_scan_max int, p_kinds smallint[], p_from timestamptz, p_to timestamptz
) returns table (transfer ledger_transfers, next_ids bigint[])
language plpgsql stable as $$
declare
  n constant int := cardinality(p_accounts);
  t ledger_transfers; newest bigint; emitted int := 0; scanned int := 0; i int;
begin
  next_ids := p_next;
  if next_ids is null then
    select array_agg(coalesce(a.last_transfer_id, 0) order by u.o) into next_ids
      from unnest(p_accounts) with ordinality u (id, o) left join ledger_accounts a on a.id = u.id;
  end if;
  while emitted < p_limit and scanned < p_scan_max loop
    newest := 0;
    for i in 1..n loop newest := greatest(newest, next_ids[i]); end loop;
    exit when newest = 0;
    select * into t from ledger_transfers where id = newest;
    scanned := scanned + 1;
    transfer := null;
    for i in 1..n loop
      continue when next_ids[i] <> newest;
      if t.debit_account_id = p_accounts[i] then next_ids[i] := t.debit_prev_id; transfer := t;
      elsif t.credit_account_id = p_accounts[i] then next_ids[i] := t.credit_prev_id; transfer := t;
      else next_ids[i] := 0;
      end if;
    end loop;
    continue when transfer is null;
    if t.at < p_from then next_ids := array_fill(0::bigint, array[n]); exit; end if;
    if (p_to is null or t.at < p_to) and (p_kinds is null or t.kind = any (p_kinds)) then
      emitted := emitted + 1;
      return next;
    end if;
  end loop;
  transfer := null;
  return next;
end $$;

comment on function ledger_walk is 'History by the lists in the journal: as fast at 100,000 movements as at 20, and no index to write.';
