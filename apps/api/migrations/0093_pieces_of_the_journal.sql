-- Up Migration

-- The journal becomes a table of pieces, 2^44 ids each: more blocks than the ledger can post in 100 days, and one lasts a month. The
-- table of today is the first piece. Nothing of it is rewritten or read, since its rows were found to be below 2^44 before.
drop function ledger_walk(bigint[], bigint[], int, int, smallint[], smallint[], timestamptz, timestamptz);
alter table ledger_transfers rename to ledger_transfers_0;
alter index ledger_transfers_pkey rename to ledger_transfers_0_pkey;
alter index ledger_transfers_once rename to ledger_transfers_0_once;
drop trigger ledger_transfers_append_only on ledger_transfers_0;

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
) partition by range (id);
comment on table ledger_transfers is 'The journal: one row per movement with both legs. Never changed, never deleted.';
comment on column ledger_transfers.id is 'nextval * 1024 + position in the batch: rising, not gapless.';
comment on column ledger_transfers.debit_after is 'Balance of the debit account after this transfer.';
comment on column ledger_transfers.debit_prev_id is 'The debit account''s transfer before this one, 0 for its first.';
comment on column ledger_transfers.key is 'Idempotency key of the payer: of the user, whatever the asset.';
comment on column ledger_transfers.line is 'Number within the transfers of one payer under one key; 0 for one alone.';
comment on column ledger_transfers.kind is 'TransferKind of the API: 1 send, 2 card credit, 3 purchase, 4 tip, ...';
create trigger ledger_transfers_append_only before update or delete or truncate on ledger_transfers
  for each statement execute function ledger_refuse_change();
revoke update, delete, truncate on ledger_transfers from public, current_user;

alter table ledger_transfers attach partition ledger_transfers_0 for values from (minvalue) to (17592186044416);
alter table ledger_transfers_0 drop constraint ledger_transfers_piece;

-- A statement that names a piece passes neither the rights nor the triggers of the journal, so each piece has its own. Rows that come
-- through the journal do not fire them. Rows are never changed, so vacuum has only to freeze them: after each million.
create function ledger_protect_piece(p_piece regclass) returns void language plpgsql as $$
begin
  execute format(
    'create trigger ledger_piece_append_only before insert or update or delete or truncate on %s
       for each statement execute function ledger_refuse_change()', p_piece);
  execute format('revoke insert, update, delete, truncate on %s from public, current_user', p_piece);
  execute format(
    'alter table %s set (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 1000000)', p_piece);
end $$;
select ledger_protect_piece('ledger_transfers_0');

create function ledger_newest_piece() returns int language sql stable as $$
  select max(substring(c.relname from '[0-9]+$')::int) from pg_inherits i join pg_class c on c.oid = i.inhrelid
   where i.inhparent = 'ledger_transfers'::regclass
$$;
comment on function ledger_newest_piece is 'The number of the newest piece of the journal, whether or not it is written to yet.';

-- Makes the piece after the one that is being written, unless it stands already. Postings go on meanwhile.
create function ledger_add_piece() returns boolean language plpgsql as $$
declare
  piece_size constant bigint := 17592186044416; number int; piece text;
begin
  lock table ledger_transfers in share update exclusive mode;
  select h.piece_first_id / piece_size + 1 into strict number from ledger_head h;
  if ledger_newest_piece() >= number then return false; end if;
  piece := format('ledger_transfers_%s', number);
  execute format('create table %I (like ledger_transfers including constraints)', piece);
  execute format('create unique index %I on %I (key, (debit_account_id >> 3), line)', piece || '_once', piece);
  perform ledger_protect_piece(piece::regclass);
  execute format('alter table ledger_transfers attach partition %I for values from (%s) to (%s)',
    piece, number * piece_size, (number + 1) * piece_size);
  return true;
end $$;
comment on function ledger_add_piece is 'Makes the next piece of the journal ahead of its time.';

-- The next batch begins the next piece: its block number is drawn ahead. Refused as long as that piece does not stand.
create function ledger_begin_piece() returns boolean language plpgsql as $$
declare
  piece_size constant bigint := 17592186044416; number bigint;
begin
  -- Under the ledger's lock, so that two at once do not skip a piece.
  select h.piece_first_id / piece_size + 1 into strict number from ledger_head h for update;
  if ledger_newest_piece() < number then return false; end if;
  if (select last_value from ledger_transfer_blocks) < number * piece_size / 1024 then
    perform setval('ledger_transfer_blocks', number * piece_size / 1024, false);
  end if;
  return true;
end $$;
comment on function ledger_begin_piece is 'Ends the piece of the journal that is being written.';

create function ledger_walk(
  p_accounts bigint[], p_next bigint[], p_limit int, p_scan_max int,
  p_paid_kinds smallint[], p_received_kinds smallint[], p_from timestamptz, p_to timestamptz
) returns table (transfer ledger_transfers, next_ids bigint[])
language plpgsql stable set plan_cache_mode = force_generic_plan
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

-- Where the ledger stood when it was found to be right, signed outside of the database.
create table ledger_checkpoints (
  transfer_id     bigint      primary key,
  batch_id        bigint      not null,
  transfer_count  bigint      not null,
  batch_count     bigint      not null,
  hash            bytea       not null,
  accounts_digest bytea       not null,
  totals          text        not null,
  made_at         timestamptz not null,
  key_id          text        not null,
  signature       text        not null
);
comment on table ledger_checkpoints is
  'Where the ledger stood when a verification found it right. Deleted after 90 days, except the last of each piece';
comment on column ledger_checkpoints.transfer_id is 'The last transfer that it covers';
comment on column ledger_checkpoints.accounts_digest is 'SHA-256 over every account that had moved: id, balance, last transfer';
comment on column ledger_checkpoints.totals is 'Balances of the programme''s accounts, and of all customers by asset';

-- Down Migration

drop table ledger_checkpoints;
drop function ledger_walk(bigint[], bigint[], int, int, smallint[], smallint[], timestamptz, timestamptz);
drop function ledger_begin_piece();
drop function ledger_add_piece();
drop function ledger_newest_piece();
alter table ledger_transfers detach partition ledger_transfers_0;
drop trigger ledger_piece_append_only on ledger_transfers_0;
drop function ledger_protect_piece(regclass);
grant insert on ledger_transfers_0 to current_user;
insert into ledger_transfers_0 select * from ledger_transfers;
drop table ledger_transfers;
alter table ledger_transfers_0 rename to ledger_transfers;
alter table ledger_transfers reset (autovacuum_vacuum_insert_scale_factor, autovacuum_vacuum_insert_threshold);
alter index ledger_transfers_0_pkey rename to ledger_transfers_pkey;
alter index ledger_transfers_0_once rename to ledger_transfers_once;
create trigger ledger_transfers_append_only before update or delete or truncate on ledger_transfers
  for each statement execute function ledger_refuse_change();
update ledger_head set piece_first_id = 0, piece_keys_after = '-infinity';
-- A journal with rows of later pieces cannot be cut again by these migrations.
do $$
begin
  if not exists (select from ledger_transfers where id >= 17592186044416) then
    alter table ledger_transfers add constraint ledger_transfers_piece check (id < 17592186044416);
  end if;
end $$;

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
