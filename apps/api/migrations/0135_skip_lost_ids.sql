-- Up Migration

set lock_timeout = '2s';

create function ledger_make_piece(p_number bigint) returns void language plpgsql as $$
declare
  piece_size constant bigint := 17592186044416; piece text := format('ledger_transfers_%s', p_number);
begin
  execute format('create table %I (like ledger_transfers including constraints)', piece);
  execute format('create unique index %I on %I (key, (debit_account_id >> 3), line)', piece || '_once', piece);
  perform ledger_protect_piece(piece::regclass);
  execute format('alter table ledger_transfers attach partition %I for values from (%s) to (%s)',
    piece, p_number * piece_size, (p_number + 1) * piece_size);
end $$;

create or replace function ledger_add_piece() returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  piece_size constant bigint := 17592186044416; number int;
begin
  lock table ledger_transfers in share update exclusive mode;
  select h.piece_first_id / piece_size + 1 into strict number from ledger_head h;
  if ledger_newest_piece() >= number then return false; end if;
  perform ledger_make_piece(number);
  return true;
end $$;

-- A restore to the past sets the sequence back too, so without this step new transfers would take the ids of lost ones. It is no door
-- of the programs: whoever could skip ids at will could use them up.
create function ledger_skip_lost_ids(p_anchored_id bigint) returns bigint language plpgsql as $$
declare
  piece_size constant bigint := 17592186044416;
  -- Blocks that may have been drawn after the anchor: more than a day of 2,000 batches a second, which no ledger posts, and less than
  -- 2 % of a piece. Anchors are a minute apart, and their alarm fires after five.
  unanchored_max constant bigint := 268435456;
  next_block constant bigint := p_anchored_id / 1024 + unanchored_max;
begin
  lock table ledger_transfers in share update exclusive mode;
  perform from ledger_head for update;
  if (select last_value from ledger_transfer_blocks) >= next_block then
    return (select last_value from ledger_transfer_blocks) * 1024;
  end if;
  for number in ledger_newest_piece() + 1 .. next_block * 1024 / piece_size loop
    perform ledger_make_piece(number);
  end loop;
  perform setval('ledger_transfer_blocks', next_block, false);
  return next_block * 1024;
end $$;
comment on function ledger_skip_lost_ids is
  'After a restore to the past: ids go on far above an anchor of the lost time. Returns an id that no later one is below.';
revoke execute on function ledger_skip_lost_ids(bigint) from public;

-- Down Migration

set lock_timeout = '2s';
drop function ledger_skip_lost_ids(bigint);
create or replace function ledger_add_piece() returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
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
drop function ledger_make_piece(bigint);
