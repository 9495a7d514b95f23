-- Up Migration

-- Both read the whole journal while it is written to.
alter table ledger_transfers validate constraint ledger_transfers_piece;
do $$
declare
  newest constant timestamptz :=
    (select max(uuid_extract_timestamp(key)) from ledger_transfers where uuid_extract_version(key) = 7);
begin
  update ledger_head set newest_key_at = greatest(newest_key_at, newest);
end $$;

-- Down Migration

select;
