-- Up Migration

-- The journal is cut into pieces by id (docs/ledger.md, "Pieces"). Each has its own unique keys, so post_batch must know which keys
-- cannot be in an earlier piece: those whose UUIDv7 time is after that of every key there.
alter table ledger_head
  add column newest_key_at timestamptz not null default '-infinity',
  add column piece_first_id bigint not null default 0,
  add column piece_keys_after timestamptz not null default '-infinity';
comment on column ledger_head.newest_key_at is 'The latest time in any version 7 key of the journal.';
comment on column ledger_head.piece_first_id is 'Where the piece begins that is being written; 0 for the first.';
comment on column ledger_head.piece_keys_after is 'A version 7 key with a later time is in no earlier piece.';

-- The first piece ends at 2^44. Validated by the next migration, so that nobody waits for the scan.
alter table ledger_transfers add constraint ledger_transfers_piece check (id < 17592186044416) not valid;

do $$
declare
  definition text := pg_get_functiondef('post_batch'::regproc);
  change text[];
begin
  foreach change slice 1 in array array[
    ['chain bytea; base bigint; batch_at timestamptz; at_us bigint;',
     'chain bytea; base bigint; batch_at timestamptz; at_us bigint;
  -- pieces: which one is written, and the time after which a key is in no earlier one
  piece_size constant bigint := 17592186044416; piece_first bigint; keys_after timestamptz; newest_key timestamptz; batch_key timestamptz;'],
    ['select h.hash, greatest(h.posted_at, ledger_clock()) into strict chain, batch_at from ledger_head h for update;',
     'select h.hash, greatest(h.posted_at, ledger_clock()), h.piece_first_id, h.piece_keys_after, h.newest_key_at
    into strict chain, batch_at, piece_first, keys_after, newest_key from ledger_head h for update;'],
    ['  at_us := (extract(epoch from batch_at) * 1000000)::bigint;',
     '  at_us := (extract(epoch from batch_at) * 1000000)::bigint;

  -- The first batch of a piece. What was posted before it is in earlier ones.
  if base >= piece_first + piece_size then piece_first := base - base % piece_size; keys_after := newest_key; end if;
  if piece_first > 0 and not exact then
    exact := exists (select from unnest(p_keys) k
                      where (uuid_extract_version(k) = 7 and uuid_extract_timestamp(k) > keys_after) is not true);
  end if;'],
    ['from (select u.o, u.key, u.line, p_accounts[u.debit] >> 3 as payer,',
     'from (select u.o, u.key, u.line, p_accounts[u.debit] >> 3 as payer,
                     case when uuid_extract_version(u.key) = 7 and uuid_extract_timestamp(u.key) > keys_after
                          then piece_first else 0 end as from_id,'],
    ['and (t.debit_account_id >> 3) = k.payer and t.line = k.line;',
     'and (t.debit_account_id >> 3) = k.payer and t.line = k.line and t.id >= k.from_id;'],
    ['select string_agg(substr(sha256(r.bytes), 1, 4), '''' order by r.id), string_agg(r.bytes, ''\x0a'' order by r.id)
        into digests, row_bytes
        from (select p.id, convert_to(',
     'select string_agg(substr(sha256(r.bytes), 1, 4), '''' order by r.id), string_agg(r.bytes, ''\x0a'' order by r.id),
             max(uuid_extract_timestamp(r.key)) filter (where uuid_extract_version(r.key) = 7)
        into digests, row_bytes, batch_key
        from (select p.id, p.key, convert_to('],
    ['set hash = chain, posted_at = batch_at, replay_count = replay_count + replays;',
     'set hash = chain, posted_at = batch_at, replay_count = replay_count + replays,
      newest_key_at = greatest(newest_key, batch_key), piece_first_id = piece_first, piece_keys_after = keys_after;']
  ] loop
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
    ['
  -- pieces: which one is written, and the time after which a key is in no earlier one
  piece_size constant bigint := 17592186044416; piece_first bigint; keys_after timestamptz; newest_key timestamptz; batch_key timestamptz;', ''],
    ['select h.hash, greatest(h.posted_at, ledger_clock()), h.piece_first_id, h.piece_keys_after, h.newest_key_at
    into strict chain, batch_at, piece_first, keys_after, newest_key from ledger_head h for update;',
     'select h.hash, greatest(h.posted_at, ledger_clock()) into strict chain, batch_at from ledger_head h for update;'],
    ['

  -- The first batch of a piece. What was posted before it is in earlier ones.
  if base >= piece_first + piece_size then piece_first := base - base % piece_size; keys_after := newest_key; end if;
  if piece_first > 0 and not exact then
    exact := exists (select from unnest(p_keys) k
                      where (uuid_extract_version(k) = 7 and uuid_extract_timestamp(k) > keys_after) is not true);
  end if;', ''],
    ['
                     case when uuid_extract_version(u.key) = 7 and uuid_extract_timestamp(u.key) > keys_after
                          then piece_first else 0 end as from_id,', ''],
    [' and t.id >= k.from_id;', ';'],
    [',
             max(uuid_extract_timestamp(r.key)) filter (where uuid_extract_version(r.key) = 7)
        into digests, row_bytes, batch_key
        from (select p.id, p.key, convert_to(', '
        into digests, row_bytes
        from (select p.id, convert_to('],
    [',
      newest_key_at = greatest(newest_key, batch_key), piece_first_id = piece_first, piece_keys_after = keys_after;', ';']
  ] loop
    if position(change[1] in definition) = 0 then raise exception 'post_batch has no %', change[1]; end if;
    definition := replace(definition, change[1], change[2]);
  end loop;
  execute definition;
end $$;

alter table ledger_transfers drop constraint if exists ledger_transfers_piece;
alter table ledger_head drop column newest_key_at, drop column piece_first_id, drop column piece_keys_after;
