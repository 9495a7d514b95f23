-- Up Migration

-- Processes with open streams read new rows of the journal (apps/api/src/ledger/journal-tail.ts), so post_batch notifies nobody.
-- A notification takes a lock of the whole database until the commit has ended.
do $$
declare
  definition constant text := pg_get_functiondef('post_batch'::regproc);
  shorter constant text := regexp_replace(definition, '\n    if p_all_or_none then\n[^;]*pg_notify[^;]*;\n    end if;', '');
begin
  if shorter = definition then raise exception 'post_batch notifies nobody'; end if;
  execute shorter;
end $$;

-- Down Migration

do $$
declare
  definition constant text := pg_get_functiondef('post_batch'::regproc);
  last_words constant text := 'set hash = chain, posted_at = batch_at, replay_count = replay_count + replays;';
begin
  execute replace(definition, last_words, last_words || $notify$
    if p_all_or_none then
      -- A payload is below 8,000 bytes. Beyond some 100 accounts the listeners learn by their next poll.
      perform pg_notify('ledger_posted', p.payload) from (
        select string_agg(concat_ws(':', u.id, u.last, u.balance), ',') as payload
          from unnest(p_accounts, balances, lasts) u (id, balance, last) where u.id > 0) p
      where p.payload <> '' and length(p.payload) < 7900;
    end if;$notify$);
end $$;
