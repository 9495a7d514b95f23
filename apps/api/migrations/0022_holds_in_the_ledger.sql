-- Up Migration

-- A hold stops some movements of an account and lets the others through (docs/ledger.md, "States").
alter table ledger_accounts
  drop constraint ledger_accounts_state,
  add constraint ledger_accounts_state check (state between 0 and 3 or state between 17 and 23);
comment on column ledger_accounts.state is
  '0 open; 1 restricted and 2 frozen pay nothing out; 3 closed pays nothing out and takes nothing in. 16 + mask, held: 1 sends nothing, 2 spends nothing, 4 receives nothing.';
comment on column ledger_accounts.floor_units is
  'The balance never falls below it: 0, save where value enters from outside, for costs, and while a user owes what was clawed back.';

-- Who owes something. It must not name balance_units, even in its condition: that would end the HOT updates of every transfer.
create index ledger_accounts_in_debt on ledger_accounts (id) where id > 0 and floor_units < 0;

-- Posts transfers in one statement, with the same result as posting them one by one in their order.
--
-- p_accounts: the distinct accounts, sorted. p_debits and p_credits: positions in p_accounts. At most 1023 transfers.
-- codes: 0 done, 1 insufficient, 2 unknown account, 3 same account, 4 bad amount, 5 replay (with the first id and balances),
-- 6 key reused with other parameters, 7 restricted, 8 frozen, 9 closed, 10 accounts of two assets, 11 held back by a hold of the
-- payer, 12 by a hold of the receiver.
-- p_all_or_none: nothing is written unless every code is 0; callers must read the codes accordingly. After the commit, the
-- other processes are notified of users' new balances on channel ledger_posted ("account:transfer:balance,...").
--
-- Guards in order: amount, same account, existence, one asset, replay, state, money.
create or replace function post_batch(
  p_accounts bigint[], p_debits int[], p_credits int[], p_amounts bigint[],
  p_keys uuid[], p_lines smallint[], p_kinds smallint[], p_all_or_none boolean,
  out codes int[], out ids bigint[], out debit_afters bigint[], out credit_afters bigint[]
) language plpgsql
-- The plans must stay what they are for one row and for 10 million, on whoever's connection.
set plan_cache_mode = force_generic_plan set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off
as $$
declare
  n constant int := cardinality(p_amounts);
  amount_max constant bigint := 1000000000000000;
  zeros constant bigint[] := array_fill(0::bigint, array[n]);
  chain bytea; base bigint; batch_at timestamptz; at_us bigint;
  -- accounts, by position in p_accounts
  present bigint[]; opening bigint[]; floors bigint[]; states smallint[]; opening_last bigint[];
  balances bigint[]; lasts bigint[];
  -- what is already stored under a key, by the position of the key's first transfer in this batch
  exact boolean := p_all_or_none;
  leader int[]; known_ids bigint[]; known_credits bigint[]; known_amounts bigint[]; known_kinds smallint[];
  known_debit_afters bigint[]; known_credit_afters bigint[];
  debit_prevs bigint[]; credit_prevs bigint[]; stored int;
  i int; x int; y int; g int; amount bigint; next_id bigint; replays int; doubtful boolean; digests bytea; row_bytes bytea;
begin
  if n = 0 or n > 1023 then raise exception 'a batch holds 1 to 1023 transfers, not %', n; end if;

  -- One lock for the whole ledger, taken before anything is read: no order of account locks can deadlock, and ids and chain
  -- rise together. Batches come one after the other anyway; locking every account row as well cost more and gained nothing.
  select h.hash, greatest(h.posted_at, clock_timestamp()) into strict chain, batch_at from ledger_head h for update;
  base := nextval('ledger_transfer_blocks') * 1024;
  at_us := (extract(epoch from batch_at) * 1000000)::bigint;

  select array_agg(s.id), array_agg(s.balance_units), array_agg(s.floor_units), array_agg(s.last_transfer_id), array_agg(s.state)
    into present, opening, floors, opening_last, states
    from (select a.id, a.balance_units, a.floor_units, a.last_transfer_id, a.state
            from ledger_accounts a where a.id = any (p_accounts) order by a.id) s;
  if present is distinct from p_accounts then
    select array_agg(a.balance_units order by u.o), array_agg(a.floor_units order by u.o),
           array_agg(a.last_transfer_id order by u.o), array_agg(a.state order by u.o)
      into opening, floors, opening_last, states
      from unnest(p_accounts) with ordinality u (id, o) left join ledger_accounts a on a.id = u.id;
  end if;

  -- At most two passes. The first assumes that every key is new, which it nearly always is. If a key turns out not to be, or
  -- a refusal could be the repeat of something that went through, the second knows every key from the start.
  loop
    balances := opening; lasts := opening_last;
    codes := array_fill(0, array[n]); ids := zeros; debit_afters := zeros; credit_afters := zeros;
    debit_prevs := zeros; credit_prevs := zeros;
    stored := 0; replays := 0; doubtful := false;

    if exact then
      select array_agg(k.leader order by k.o), array_agg(coalesce(t.id, 0) order by k.o), array_agg(t.credit_account_id order by k.o),
             array_agg(t.amount_units order by k.o), array_agg(t.kind order by k.o),
             array_agg(t.debit_after order by k.o), array_agg(t.credit_after order by k.o)
        into leader, known_ids, known_credits, known_amounts, known_kinds, known_debit_afters, known_credit_afters
        from (select u.o, u.key, u.line, p_accounts[u.debit] >> 3 as payer,
                     min(u.o) over (partition by u.key, p_accounts[u.debit] >> 3, u.line)::int as leader
                from unnest(p_keys, p_debits, p_lines) with ordinality u (key, debit, line, o)) k
        left join ledger_transfers t on t.key = k.key and (t.debit_account_id >> 3) = k.payer and t.line = k.line;
    end if;

    for i in 1..n loop
      x := p_debits[i]; y := p_credits[i]; amount := p_amounts[i];
      if amount is null or amount <= 0 or amount > amount_max then codes[i] := 4; continue; end if;
      if x = y then codes[i] := 3; continue; end if;
      if balances[x] is null or balances[y] is null then codes[i] := 2; continue; end if;
      if (p_accounts[x] & 7) <> (p_accounts[y] & 7) then codes[i] := 10; continue; end if;
      if exact then
        g := leader[i];
        if known_ids[g] <> 0 then
          -- The same payer and the same credit account: the same asset, so the same debit account too.
          if known_credits[g] = p_accounts[y] and known_amounts[g] = amount and known_kinds[g] = p_kinds[i] then
            codes[i] := 5; ids[i] := known_ids[g]; replays := replays + 1;
            debit_afters[i] := known_debit_afters[g]; credit_afters[i] := known_credit_afters[g];
          else
            codes[i] := 6;
          end if;
          continue;
        end if;
      end if;
      -- Open accounts cost one comparison on each side. A hold on receiving stops sends, tips and rewards; a hold on sending stops
      -- sends; a hold on spending stops purchases and tips. Value that returns passes, as does what the programme moves itself.
      if states[y] > 2 then
        if states[y] = 3 then codes[i] := 2; doubtful := true; continue; end if;
        if (states[y] & 4) <> 0 and p_kinds[i] in (1, 4, 5) then codes[i] := 12; doubtful := true; continue; end if;
      end if;
      if states[x] <> 0 then
        if states[x] < 16 then codes[i] := 6 + states[x]; doubtful := true; continue; end if;
        if ((states[x] & 1) <> 0 and p_kinds[i] = 1) or ((states[x] & 2) <> 0 and p_kinds[i] in (3, 4)) then
          codes[i] := 11; doubtful := true; continue;
        end if;
      end if;
      if balances[x] - amount < floors[x] then codes[i] := 1; doubtful := true; continue; end if;

      next_id := base + stored; stored := stored + 1;
      balances[x] := balances[x] - amount;
      balances[y] := balances[y] + amount;
      ids[i] := next_id; debit_afters[i] := balances[x]; credit_afters[i] := balances[y];
      debit_prevs[i] := lasts[x]; credit_prevs[i] := lasts[y];
      lasts[x] := next_id; lasts[y] := next_id;
      if exact then
        known_ids[g] := next_id; known_credits[g] := p_accounts[y]; known_amounts[g] := amount; known_kinds[g] := p_kinds[i];
        known_debit_afters[g] := balances[x]; known_credit_afters[g] := balances[y];
      end if;
    end loop;

    if doubtful and not exact then exact := true; continue; end if;
    if p_all_or_none and stored < n then stored := 0; end if;
    exit when stored = 0;

    begin
      -- What is stored is what is hashed: a row's text is its columns in this order. ledger:verify builds the same from the table.
      with posted as materialized (
        select u.id, p_accounts[u.debit] as debit, p_accounts[u.credit] as credit, u.amount, u.debit_after, u.credit_after,
               u.debit_prev, u.credit_prev, u.key, u.line, u.kind
          from unnest(codes, ids, p_debits, p_credits, p_amounts, debit_afters, credit_afters, debit_prevs, credit_prevs,
                      p_keys, p_lines, p_kinds)
               u (code, id, debit, credit, amount, debit_after, credit_after, debit_prev, credit_prev, key, line, kind)
         where u.code = 0
      ), inserted as (
        insert into ledger_transfers (id, debit_account_id, credit_account_id, amount_units, debit_after, credit_after,
                                      debit_prev_id, credit_prev_id, at, key, line, kind)
        select p.id, p.debit, p.credit, p.amount, p.debit_after, p.credit_after, p.debit_prev, p.credit_prev,
               batch_at, p.key, p.line, p.kind
          from posted p
      )
      select string_agg(substr(sha256(r.bytes), 1, 4), '' order by r.id), string_agg(r.bytes, '\x0a' order by r.id)
        into digests, row_bytes
        from (select p.id, convert_to(concat_ws('|', p.id, p.debit, p.credit, p.amount, p.debit_after, p.credit_after,
                                                p.debit_prev, p.credit_prev, at_us, p.key, p.line, p.kind), 'UTF8') as bytes
                from posted p) r;
      exit;
    exception when unique_violation then
      if exact then raise; end if;
      exact := true;
    end;
  end loop;

  if stored > 0 then
    update ledger_accounts a set balance_units = u.balance, last_transfer_id = u.last
      from unnest(p_accounts, balances, lasts, opening_last) u (id, balance, last, last_before)
     where a.id = u.id and u.last <> u.last_before;

    chain := sha256(chain || digests || row_bytes);
    insert into ledger_batches (first_id, transfer_count, row_digests, hash) values (base, stored, digests, chain);
    update ledger_head set hash = chain, posted_at = batch_at, replay_count = replay_count + replays;
    if p_all_or_none then
      -- A payload is below 8,000 bytes. Beyond some 100 accounts the listeners learn by their next poll.
      perform pg_notify('ledger_posted', p.payload) from (
        select string_agg(concat_ws(':', u.id, u.last, u.balance), ',') as payload
          from unnest(p_accounts, balances, lasts) u (id, balance, last) where u.id > 0) p
      where p.payload <> '' and length(p.payload) < 7900;
    end if;
  elsif replays > 0 then
    update ledger_head set replay_count = replay_count + replays;
  end if;
end $$;

-- Down Migration

-- Posts transfers in one statement, with the same result as posting them one by one in their order.
--
-- p_accounts: the distinct accounts, sorted. p_debits and p_credits: positions in p_accounts. At most 1023 transfers.
-- codes: 0 done, 1 insufficient, 2 unknown account, 3 same account, 4 bad amount, 5 replay (with the first id and balances),
-- 6 key reused with other parameters, 7 restricted, 8 frozen, 9 closed, 10 accounts of two assets.
-- p_all_or_none: nothing is written unless every code is 0; callers must read the codes accordingly. After the commit, the
-- other processes are notified of users' new balances on channel ledger_posted ("account:transfer:balance,...").
--
-- Guards in order: amount, same account, existence, one asset, replay, state, money.
create or replace function post_batch(
  p_accounts bigint[], p_debits int[], p_credits int[], p_amounts bigint[],
  p_keys uuid[], p_lines smallint[], p_kinds smallint[], p_all_or_none boolean,
  out codes int[], out ids bigint[], out debit_afters bigint[], out credit_afters bigint[]
) language plpgsql
-- The plans must stay what they are for one row and for 10 million, on whoever's connection.
set plan_cache_mode = force_generic_plan set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off
as $$
declare
  n constant int := cardinality(p_amounts);
  amount_max constant bigint := 1000000000000000;
  zeros constant bigint[] := array_fill(0::bigint, array[n]);
  chain bytea; base bigint; batch_at timestamptz; at_us bigint;
  -- accounts, by position in p_accounts
  present bigint[]; opening bigint[]; floors bigint[]; states smallint[]; opening_last bigint[];
  balances bigint[]; lasts bigint[];
  -- what is already stored under a key, by the position of the key's first transfer in this batch
  exact boolean := p_all_or_none;
  leader int[]; known_ids bigint[]; known_credits bigint[]; known_amounts bigint[]; known_kinds smallint[];
  known_debit_afters bigint[]; known_credit_afters bigint[];
  debit_prevs bigint[]; credit_prevs bigint[]; stored int;
  i int; x int; y int; g int; amount bigint; next_id bigint; replays int; doubtful boolean; digests bytea; row_bytes bytea;
begin
  if n = 0 or n > 1023 then raise exception 'a batch holds 1 to 1023 transfers, not %', n; end if;

  -- One lock for the whole ledger, taken before anything is read: no order of account locks can deadlock, and ids and chain
  -- rise together. Batches come one after the other anyway; locking every account row as well cost more and gained nothing.
  select h.hash, greatest(h.posted_at, clock_timestamp()) into strict chain, batch_at from ledger_head h for update;
  base := nextval('ledger_transfer_blocks') * 1024;
  at_us := (extract(epoch from batch_at) * 1000000)::bigint;

  select array_agg(s.id), array_agg(s.balance_units), array_agg(s.floor_units), array_agg(s.last_transfer_id), array_agg(s.state)
    into present, opening, floors, opening_last, states
    from (select a.id, a.balance_units, a.floor_units, a.last_transfer_id, a.state
            from ledger_accounts a where a.id = any (p_accounts) order by a.id) s;
  if present is distinct from p_accounts then
    select array_agg(a.balance_units order by u.o), array_agg(a.floor_units order by u.o),
           array_agg(a.last_transfer_id order by u.o), array_agg(a.state order by u.o)
      into opening, floors, opening_last, states
      from unnest(p_accounts) with ordinality u (id, o) left join ledger_accounts a on a.id = u.id;
  end if;

  -- At most two passes. The first assumes that every key is new, which it nearly always is. If a key turns out not to be, or
  -- a refusal could be the repeat of something that went through, the second knows every key from the start.
  loop
    balances := opening; lasts := opening_last;
    codes := array_fill(0, array[n]); ids := zeros; debit_afters := zeros; credit_afters := zeros;
    debit_prevs := zeros; credit_prevs := zeros;
    stored := 0; replays := 0; doubtful := false;

    if exact then
      select array_agg(k.leader order by k.o), array_agg(coalesce(t.id, 0) order by k.o), array_agg(t.credit_account_id order by k.o),
             array_agg(t.amount_units order by k.o), array_agg(t.kind order by k.o),
             array_agg(t.debit_after order by k.o), array_agg(t.credit_after order by k.o)
        into leader, known_ids, known_credits, known_amounts, known_kinds, known_debit_afters, known_credit_afters
        from (select u.o, u.key, u.line, p_accounts[u.debit] >> 3 as payer,
                     min(u.o) over (partition by u.key, p_accounts[u.debit] >> 3, u.line)::int as leader
                from unnest(p_keys, p_debits, p_lines) with ordinality u (key, debit, line, o)) k
        left join ledger_transfers t on t.key = k.key and (t.debit_account_id >> 3) = k.payer and t.line = k.line;
    end if;

    for i in 1..n loop
      x := p_debits[i]; y := p_credits[i]; amount := p_amounts[i];
      if amount is null or amount <= 0 or amount > amount_max then codes[i] := 4; continue; end if;
      if x = y then codes[i] := 3; continue; end if;
      if balances[x] is null or balances[y] is null then codes[i] := 2; continue; end if;
      if (p_accounts[x] & 7) <> (p_accounts[y] & 7) then codes[i] := 10; continue; end if;
      if exact then
        g := leader[i];
        if known_ids[g] <> 0 then
          -- The same payer and the same credit account: the same asset, so the same debit account too.
          if known_credits[g] = p_accounts[y] and known_amounts[g] = amount and known_kinds[g] = p_kinds[i] then
            codes[i] := 5; ids[i] := known_ids[g]; replays := replays + 1;
            debit_afters[i] := known_debit_afters[g]; credit_afters[i] := known_credit_afters[g];
          else
            codes[i] := 6;
          end if;
          continue;
        end if;
      end if;
      if states[y] = 3 then codes[i] := 2; doubtful := true; continue; end if;
      if states[x] <> 0 then codes[i] := 6 + states[x]; doubtful := true; continue; end if;
      if balances[x] - amount < floors[x] then codes[i] := 1; doubtful := true; continue; end if;

      next_id := base + stored; stored := stored + 1;
      balances[x] := balances[x] - amount;
      balances[y] := balances[y] + amount;
      ids[i] := next_id; debit_afters[i] := balances[x]; credit_afters[i] := balances[y];
      debit_prevs[i] := lasts[x]; credit_prevs[i] := lasts[y];
      lasts[x] := next_id; lasts[y] := next_id;
      if exact then
        known_ids[g] := next_id; known_credits[g] := p_accounts[y]; known_amounts[g] := amount; known_kinds[g] := p_kinds[i];
        known_debit_afters[g] := balances[x]; known_credit_afters[g] := balances[y];
      end if;
    end loop;

    if doubtful and not exact then exact := true; continue; end if;
    if p_all_or_none and stored < n then stored := 0; end if;
    exit when stored = 0;

    begin
      -- What is stored is what is hashed: a row's text is its columns in this order. ledger:verify builds the same from the table.
      with posted as materialized (
        select u.id, p_accounts[u.debit] as debit, p_accounts[u.credit] as credit, u.amount, u.debit_after, u.credit_after,
               u.debit_prev, u.credit_prev, u.key, u.line, u.kind
          from unnest(codes, ids, p_debits, p_credits, p_amounts, debit_afters, credit_afters, debit_prevs, credit_prevs,
                      p_keys, p_lines, p_kinds)
               u (code, id, debit, credit, amount, debit_after, credit_after, debit_prev, credit_prev, key, line, kind)
         where u.code = 0
      ), inserted as (
        insert into ledger_transfers (id, debit_account_id, credit_account_id, amount_units, debit_after, credit_after,
                                      debit_prev_id, credit_prev_id, at, key, line, kind)
        select p.id, p.debit, p.credit, p.amount, p.debit_after, p.credit_after, p.debit_prev, p.credit_prev,
               batch_at, p.key, p.line, p.kind
          from posted p
      )
      select string_agg(substr(sha256(r.bytes), 1, 4), '' order by r.id), string_agg(r.bytes, '\x0a' order by r.id)
        into digests, row_bytes
        from (select p.id, convert_to(concat_ws('|', p.id, p.debit, p.credit, p.amount, p.debit_after, p.credit_after,
                                                p.debit_prev, p.credit_prev, at_us, p.key, p.line, p.kind), 'UTF8') as bytes
                from posted p) r;
      exit;
    exception when unique_violation then
      if exact then raise; end if;
      exact := true;
    end;
  end loop;

  if stored > 0 then
    update ledger_accounts a set balance_units = u.balance, last_transfer_id = u.last
      from unnest(p_accounts, balances, lasts, opening_last) u (id, balance, last, last_before)
     where a.id = u.id and u.last <> u.last_before;

    chain := sha256(chain || digests || row_bytes);
    insert into ledger_batches (first_id, transfer_count, row_digests, hash) values (base, stored, digests, chain);
    update ledger_head set hash = chain, posted_at = batch_at, replay_count = replay_count + replays;
    if p_all_or_none then
      -- A payload is below 8,000 bytes. Beyond some 100 accounts the listeners learn by their next poll.
      perform pg_notify('ledger_posted', p.payload) from (
        select string_agg(concat_ws(':', u.id, u.last, u.balance), ',') as payload
          from unnest(p_accounts, balances, lasts) u (id, balance, last) where u.id > 0) p
      where p.payload <> '' and length(p.payload) < 7900;
    end if;
  elsif replays > 0 then
    update ledger_head set replay_count = replay_count + replays;
  end if;
end $$;

drop index ledger_accounts_in_debt;
comment on column ledger_accounts.floor_units is 'The balance never falls below it: 0, save where value enters from outside.';
update ledger_accounts set state = 1 where state > 3;
alter table ledger_accounts
  drop constraint ledger_accounts_state,
  add constraint ledger_accounts_state check (state between 0 and 3);
comment on column ledger_accounts.state is
  '0 open; 1 restricted and 2 frozen pay nothing out; 3 closed pays nothing out and takes nothing in.';
