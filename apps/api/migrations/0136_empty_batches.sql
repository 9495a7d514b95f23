-- Up Migration

set lock_timeout = '2s';

-- An empty batch runs every statement of post_batch on no rows and without the ledger's lock. So a new connection plans them before it
-- takes that lock: planning them under it held the ledger for 35 ms, ten times as long as the batch itself.
do $$
declare
  definition text := pg_get_functiondef('post_batch'::regproc);
  change text[];
begin
  foreach change slice 1 in array array[
    ['if n = 0 or n > 1023 then raise exception ''a batch holds 1 to 1023 transfers, not %'', n; end if;',
     'if n > 1023 then raise exception ''a batch holds at most 1023 transfers, not %'', n; end if;'],
    ['into strict chain, batch_at, piece_first, keys_after, newest_key from ledger_head h for update;
  base := nextval(''ledger_transfer_blocks'') * 1024;',
     'into chain, batch_at, piece_first, keys_after, newest_key from ledger_head h where n > 0 for update;
  -- An empty batch prepares its connection: it runs every statement on no rows, takes no lock and writes nothing.
  if n > 0 then base := nextval(''ledger_transfer_blocks'') * 1024; end if;'],
    ['exit when stored = 0;', 'exit when stored = 0 and n > 0;'],
    ['if stored > 0 then
    update ledger_accounts', 'if stored > 0 or n = 0 then
    update ledger_accounts'],
    ['(first_id, transfer_count, row_digests, hash) values (base, stored, digests, chain);',
     '(first_id, transfer_count, row_digests, hash) select base, stored, digests, chain where n > 0;'],
    ['piece_first_id = piece_first, piece_keys_after = keys_after;',
     'piece_first_id = piece_first, piece_keys_after = keys_after where n > 0;']]
  loop
    if position(change[1] in definition) = 0 then raise exception 'post_batch has no %', change[1]; end if;
    definition := replace(definition, change[1], change[2]);
  end loop;
  execute definition;
end $$;

-- Down Migration

do $$
declare
  definition text := pg_get_functiondef('post_batch'::regproc);
  change text[];
begin
  foreach change slice 1 in array array[
    ['if n > 1023 then raise exception ''a batch holds at most 1023 transfers, not %'', n; end if;',
     'if n = 0 or n > 1023 then raise exception ''a batch holds 1 to 1023 transfers, not %'', n; end if;'],
    ['into chain, batch_at, piece_first, keys_after, newest_key from ledger_head h where n > 0 for update;
  -- An empty batch prepares its connection: it runs every statement on no rows, takes no lock and writes nothing.
  if n > 0 then base := nextval(''ledger_transfer_blocks'') * 1024; end if;',
     'into strict chain, batch_at, piece_first, keys_after, newest_key from ledger_head h for update;
  base := nextval(''ledger_transfer_blocks'') * 1024;'],
    ['exit when stored = 0 and n > 0;', 'exit when stored = 0;'],
    ['if stored > 0 or n = 0 then
    update ledger_accounts', 'if stored > 0 then
    update ledger_accounts'],
    ['(first_id, transfer_count, row_digests, hash) select base, stored, digests, chain where n > 0;',
     '(first_id, transfer_count, row_digests, hash) values (base, stored, digests, chain);'],
    ['piece_first_id = piece_first, piece_keys_after = keys_after where n > 0;',
     'piece_first_id = piece_first, piece_keys_after = keys_after;']]
  loop
    if position(change[1] in definition) = 0 then raise exception 'post_batch has no %', change[1]; end if;
    definition := replace(definition, change[1], change[2]);
  end loop;
  execute definition;
end $$;
