-- Up Migration

-- The ledger: double entry behind one function. A transfer moves an amount from a debit to a credit account of one asset, in
-- one row, so the sum over all accounts of an asset is 0 by construction. Only post_batch writes balances and journal.

create table ledger_accounts (
  id               bigint   primary key,
  asset            text     not null,
  code             text,
  balance_units    bigint   not null default 0,
  floor_units      bigint   not null default 0,
  last_transfer_id bigint   not null default 0,
  state            smallint not null default 0,
  constraint ledger_accounts_not_below_floor check (balance_units >= floor_units),
  constraint ledger_accounts_asset check (
    (id & 7) = case asset when 'ATH' then 0 when 'ATH2' then 1 when 'ATH3' then 2 when 'USD' then 3 end
    and asset in ('ATH', 'ATH2', 'ATH3', 'USD')
  ),
  constraint ledger_accounts_holder check (id <> 0 and (code is not null) = (id < 0)),
  constraint ledger_accounts_state check (state between 0 and 3)
) with (fillfactor = 70);

comment on table ledger_accounts is
  'One stored balance in one asset. Users: id = user * 8 + asset number. The programme''s own: id = asset number - n * 8, with a code.';
comment on column ledger_accounts.balance_units is 'Micro-units of a token, cents of USD. Changed by post_batch alone.';
comment on column ledger_accounts.floor_units is 'The balance never falls below it: 0, save where value enters from outside.';
comment on column ledger_accounts.last_transfer_id is 'Head of the account''s list of transfers, newest first; 0 if there is none.';
comment on column ledger_accounts.state is
  '0 open; 1 restricted and 2 frozen pay nothing out; 3 closed pays nothing out and takes nothing in.';

create table ledger_transfers (
  id                bigint      primary key,
  debit_account_id  bigint      not null,
  credit_account_id bigint      not null,
  amount_units      bigint      not null,
  debit_after       bigint      not null,
  credit_after      bigint      not null,
  debit_prev_id     bigint      not null,
  credit_prev_id    bigint      not null,
  at                timestamptz not null,
  key               uuid        not null,
  line              smallint    not null,
  kind              smallint    not null,
  constraint ledger_transfers_amount check (amount_units > 0),
  constraint ledger_transfers_two_accounts check (debit_account_id <> credit_account_id),
  constraint ledger_transfers_one_asset check ((debit_account_id & 7) = (credit_account_id & 7))
);

-- The payer is the holder of the debit account: a key used for one asset is used up for all assets.
-- The key comes first: keys are time-ordered (UUIDv7), so writes hit warm pages. At 10 million rows this takes a third of the WAL.
create unique index ledger_transfers_once on ledger_transfers (key, (debit_account_id >> 3), line);

-- No foreign keys to ledger_accounts: post_batch has just read both rows, accounts are never deleted, and ledger:verify checks.
comment on table ledger_transfers is 'The journal: one row per movement with both legs. Never changed, never deleted.';
comment on column ledger_transfers.id is 'nextval * 1024 + position in the batch: rising, not gapless.';
comment on column ledger_transfers.debit_after is 'Balance of the debit account after this transfer.';
comment on column ledger_transfers.debit_prev_id is 'The debit account''s transfer before this one, 0 for its first.';
comment on column ledger_transfers.key is 'Idempotency key of the payer: of the user, whatever the asset.';
comment on column ledger_transfers.line is 'Number within the transfers of one payer under one key; 0 for one alone.';
comment on column ledger_transfers.kind is 'TransferKind of the API: 1 send, 2 card credit, 3 purchase, 4 tip, ...';

create table ledger_batches (
  first_id       bigint  primary key,
  transfer_count integer not null,
  row_digests    bytea   not null,
  hash           bytea   not null
);

comment on table ledger_batches is 'The hash chain: one link per batch, over the hash before it and the rows stored.';
comment on column ledger_batches.hash is 'SHA-256 of the hash before, row_digests and the rows'' text.';
comment on column ledger_batches.row_digests is 'First 4 bytes of the SHA-256 of each row, so that a broken link can name its row.';

create table ledger_head (
  singleton     boolean primary key default true,
  hash          bytea   not null,
  posted_at     timestamptz not null default '-infinity',
  replay_count  bigint  not null default 0,
  constraint ledger_head_one_row check (singleton)
) with (fillfactor = 10);

comment on table ledger_head is 'The last hash of the chain. Its row lock is the ledger''s only lock.';
comment on column ledger_head.posted_at is 'Time of the last batch: the times of the journal never fall, whatever the clock does.';
comment on column ledger_head.replay_count is
  'Repeated answers are counted, so that a repeat commits like a first: a read-only one could be answered by a server that already lost its place.';

insert into ledger_head (hash) values (sha256('ledger'));

create sequence ledger_transfer_blocks;

-- The programme's accounts. Value enters through issuance and card_provider, whose low floor still prevents overflowing sums.
insert into ledger_accounts (id, asset, code, floor_units)
select asset_number - system_number * 8, asset, code, floor_units
from (values ('ATH', 0), ('ATH2', 1), ('ATH3', 2)) assets (asset, asset_number)
cross join (values
  ('issuance', 1, -9000000000000000000), ('merchant', 2, 0), ('breakage', 3, 0)
) systems (code, system_number, floor_units)
union all
select 3 - system_number * 8, 'USD', code, floor_units
from (values
  ('card_provider', 4, -9000000000000000000), ('token_sales', 5, 0), ('programme_fee', 6, 0), ('processing_fee', 7, 0)
) systems (code, system_number, floor_units);

create unique index ledger_accounts_code on ledger_accounts (code, asset) where code is not null;

-- Append only -------------------------------------------------------------------------------------------------------------

create function ledger_refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% on % is refused: the ledger only grows', tg_op, tg_table_name using errcode = 'restrict_violation';
end $$;

create trigger ledger_transfers_append_only before update or delete or truncate on ledger_transfers
  for each statement execute function ledger_refuse_change();
create trigger ledger_batches_append_only before update or delete or truncate on ledger_batches
  for each statement execute function ledger_refuse_change();
create trigger ledger_accounts_stay before delete or truncate on ledger_accounts
  for each statement execute function ledger_refuse_change();
create trigger ledger_head_stays before delete or truncate on ledger_head
  for each statement execute function ledger_refuse_change();

create function ledger_refuse_opening_balance() returns trigger language plpgsql as $$
begin
  raise exception 'ledger account % must open empty: value comes by transfer', new.id using errcode = 'restrict_violation';
end $$;

create trigger ledger_accounts_open_empty before insert on ledger_accounts
  for each row when (new.balance_units <> 0 or new.last_transfer_id <> 0)
  execute function ledger_refuse_opening_balance();

revoke update, delete, truncate on ledger_transfers, ledger_batches from public, current_user;
revoke delete, truncate on ledger_accounts, ledger_head from public, current_user;

-- Writing -----------------------------------------------------------------------------------------------------------------

-- Posts transfers in one statement, with the same result as posting them one by one in their order.
--
-- p_accounts: the distinct accounts, sorted. p_debits and p_credits: positions in p_accounts. At most 1023 transfers.
-- codes: 0 done, 1 insufficient, 2 unknown account, 3 same account, 4 bad amount, 5 replay (with the first id and balances),
-- 6 key reused with other parameters, 7 restricted, 8 frozen, 9 closed, 10 accounts of two assets.
-- p_all_or_none: nothing is written unless every code is 0; callers must read the codes accordingly. After the commit, the
-- other processes are notified of users' new balances on channel ledger_posted ("account:transfer:balance,...").
--
-- Guards in order: amount, same account, existence, one asset, replay, state, money.
create function post_batch(
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

comment on function post_batch is 'The only writer of balances and journal.';

-- Reading -----------------------------------------------------------------------------------------------------------------

-- Merges the lists of several accounts, newest first, starting at the given transfers (0: that list has ended).
-- The last row has a null id; its next_ids say where to continue, also if p_scan_max rows were read and few matched.
-- A start that does not belong to its account ends that list, so a forged one reveals nothing.
create function ledger_walk(
  p_accounts bigint[], p_next bigint[], p_limit int, p_scan_max int, p_kinds smallint[], p_from timestamptz, p_to timestamptz
) returns table (transfer ledger_transfers, next_ids bigint[]) language plpgsql stable as $$
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
