-- Up Migration

-- Times rise with ids, so a range of times is a range of ids: every transfer from this id on is at or after the time, and every
-- one below it is before. Some 35 reads of the primary key at any size.
create function ledger_first_id_at(p_at timestamptz) returns bigint language plpgsql stable as $$
declare
  low bigint := 0; high bigint; middle bigint; found_id bigint; found_at timestamptz;
begin
  select coalesce(max(id), 0) + 1 into high from ledger_transfers;
  while high - low > 1 loop
    middle := low + (high - low) / 2;
    select id, at into found_id, found_at from ledger_transfers where id >= middle order by id limit 1;
    if found_at < p_at then low := found_id; else high := middle; end if;
  end loop;
  return high;
end $$;

comment on function ledger_first_id_at is 'Where a time begins in the journal.';

-- The balances of the programme's accounts before a transfer, from the running balances in the journal. A busy account has a row
-- shortly before it, found by reading p_near rows backwards; a quiet one has few rows after it, found by walking its list. Of n
-- rows an account with every k-th of them costs at most the lesser of k and n / k rows, so about the root of n.
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

create table ledger_verifications (
  id            uuid        primary key,
  requested_at  timestamptz not null,
  requested_by  uuid        references staff,
  started_at    timestamptz,
  finished_at   timestamptz,
  row_count     bigint      not null default 0,
  rows_total    bigint      not null default 0,
  account_count bigint,
  head          text,
  fault_row     text,
  fault_reason  text,
  has_failed    boolean     not null default false
);
create unique index ledger_verifications_one_open on ledger_verifications ((finished_at is null)) where finished_at is null;
create index ledger_verifications_by_time on ledger_verifications (requested_at);
comment on table ledger_verifications is 'Verifications of the whole ledger and what they found. Deleted after 500 days';
comment on column ledger_verifications.requested_by is 'Null: the programme, at night';
comment on column ledger_verifications.row_count is 'Transfers read so far, in every pass';
comment on column ledger_verifications.fault_row is 'The first wrong row; null if the ledger is right';

-- Down Migration

drop table ledger_verifications;
drop function ledger_balances_before(bigint, int);
drop function ledger_first_id_at(timestamptz);
