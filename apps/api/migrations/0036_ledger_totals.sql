-- Up Migration

create table ledger_totals (
  account_id    bigint not null,
  until_id      bigint not null,
  balance_units bigint not null,
  primary key (account_id, until_id)
);
comment on table ledger_totals is
  'Balances after every so many transfers, of accounts that moved since the totals before. Never deleted: some rows per 20,000 transfers';
comment on column ledger_totals.account_id is
  'Below 0: an account of the programme. From 0: all customers together in the asset with this number';
comment on column ledger_totals.until_id is 'The last transfer that is in it. Every set of totals has a row of account 0';

-- The balances before a transfer: of every account of the programme, from its running balances, and of all customers together in
-- each asset, from the amounts that moved. They have no number in common, so a wrong row shows in their sum.
-- No rows are returned if more than p_rows_max transfers follow the totals before p_id.
drop function ledger_balances_before(bigint, int);
create function ledger_balances_before(p_id bigint, p_rows_max int) returns table (account_id bigint, balance_units bigint)
language plpgsql stable as $$
declare
  base bigint;
begin
  select coalesce(max(t.until_id), 0) into base from ledger_totals t where t.account_id = 0 and t.until_id < p_id;
  perform from ledger_transfers r where r.id > base and r.id < p_id order by r.id offset p_rows_max limit 1;
  if found then return; end if;
  return query
    with moved as materialized (
      select r.id, r.debit_account_id, r.credit_account_id, r.amount_units, r.debit_after, r.credit_after
        from ledger_transfers r where r.id > base and r.id < p_id
    ), latest as (
      select distinct on (leg.account) leg.account, leg.balance from (
        select m.debit_account_id as account, m.id, m.debit_after as balance from moved m where m.debit_account_id < 0
        union all
        select m.credit_account_id, m.id, m.credit_after from moved m where m.credit_account_id < 0) leg
       order by leg.account, leg.id desc
    ), change as (
      select m.debit_account_id & 7 as account,
             sum(case when m.credit_account_id > 0 then m.amount_units else 0 end)
             - sum(case when m.debit_account_id > 0 then m.amount_units else 0 end) as units
        from moved m group by 1
    ), account as (
      select a.id from ledger_accounts a where a.id < 0 union all select generate_series(0, 3)
    )
    select account.id, coalesce(latest.balance, coalesce(total.units, 0) + coalesce(change.units, 0))::bigint
      from account
      left join latest on latest.account = account.id
      left join change on change.account = account.id
      left join lateral (
        select t.balance_units as units from ledger_totals t
         where t.account_id = account.id and t.until_id <= base order by t.until_id desc limit 1) total on true;
end $$;

comment on function ledger_balances_before is 'A trial balance at any time.';

-- Adds the next totals if there are p_rows transfers for them. They stand after every p_rows-th transfer whoever adds them and
-- whenever, so a table that was emptied is filled with the same rows.
create function ledger_add_totals(p_rows int) returns boolean language plpgsql as $$
declare
  base bigint; next_id bigint;
begin
  select coalesce(max(t.until_id), 0) into base from ledger_totals t where t.account_id = 0;
  select r.id into next_id from ledger_transfers r where r.id > base order by r.id offset p_rows - 1 limit 1;
  if next_id is null then return false; end if;
  insert into ledger_totals (account_id, until_id, balance_units)
    select b.account_id, next_id, b.balance_units
      from ledger_balances_before(next_id + 1, p_rows) b
      left join lateral (
        select t.balance_units from ledger_totals t
         where t.account_id = b.account_id order by t.until_id desc limit 1) former on true
     where b.account_id = 0 or b.balance_units <> coalesce(former.balance_units, 0)
  on conflict do nothing;
  return true;
end $$;

comment on function ledger_add_totals is 'Keeps the transfers few that a trial balance reads.';

-- Down Migration

drop function ledger_add_totals(int);
drop function ledger_balances_before(bigint, int);
drop table ledger_totals;
create function ledger_balances_before(p_id bigint, p_near int) returns table (account_id bigint, balance_units bigint)
language plpgsql stable as $$
declare
  account record; t ledger_transfers; next_id bigint; near jsonb;
begin
  select coalesce(jsonb_object_agg(legs.account, legs.balance), '{}') into near from (
    select distinct on (leg.account) leg.account, leg.balance
      from (select * from ledger_transfers where id < p_id order by id desc limit p_near) row,
           lateral (values (row.debit_account_id, row.debit_after), (row.credit_account_id, row.credit_after)) leg (account, balance)
     where leg.account < 0 order by leg.account, row.id desc) legs;
  for account in select a.id, a.balance_units as balance, a.last_transfer_id as last from ledger_accounts a where a.id < 0 order by a.id desc
  loop
    account_id := account.id;
    balance_units := case when account.last < p_id then account.balance else (near ->> account.id::text)::bigint end;
    if balance_units is null then
      balance_units := 0; next_id := account.last;
      while next_id >= p_id loop
        select * into t from ledger_transfers where id = next_id;
        if t.debit_account_id = account.id then
          next_id := t.debit_prev_id; balance_units := t.debit_after + t.amount_units;
        else
          next_id := t.credit_prev_id; balance_units := t.credit_after - t.amount_units;
        end if;
      end loop;
    end if;
    return next;
  end loop;
end $$;

comment on function ledger_balances_before is 'A trial balance at any time, without a second copy of any balance.';
