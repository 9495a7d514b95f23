-- Up Migration

set lock_timeout = '2s';

-- Seals lie beside the ledger's own chain (decision 0060): the worker writes them after the postings and locks nothing of the ledger.
create table journal_seals (
  n          bigint      primary key,
  first_id   bigint      not null unique,
  last_id    bigint      not null unique,
  row_count  integer     not null,
  root       bytea       not null,
  nodes      bytea       not null,
  chain_hash bytea       not null,
  salt_key   bytea       not null,
  sealed_at  timestamptz not null,
  previous   bytea       not null,
  hash       bytea       not null,
  signature  bytea       not null,
  public_key bytea       not null,
  constraint journal_seals_are_ordered check (n > 0 and row_count > 0 and last_id >= first_id)
);
comment on table journal_seals is 'Signed Merkle roots over some thousand transfers each, from whole batches. Never changed or deleted';
comment on column journal_seals.nodes is 'The hashes over each 64 leaves in their order, so that a proof reads 64 transfers';
comment on column journal_seals.chain_hash is 'The hash of the last batch that it covers';
comment on column journal_seals.salt_key is 'Which key of RECEIPT_KEY its salts come from';
comment on column journal_seals.hash is 'SHA-256 of the previous seal''s hash and the seal''s text';

create table journal_days (
  day        date   primary key,
  first_seal bigint not null,
  last_seal  bigint not null,
  root       bytea  not null,
  nodes      bytea  not null,
  previous   bytea  not null,
  hash       bytea  not null,
  signature  bytea  not null,
  public_key bytea  not null,
  constraint journal_days_are_ordered check (first_seal > 0 and last_seal >= first_seal - 1)
);
create index journal_days_by_seal on journal_days (last_seal);
comment on table journal_days is 'The published head of each day, over the hashes of its seals. Never changed or deleted';
comment on column journal_days.last_seal is 'One less than the first if nothing was sealed on that day';
comment on column journal_days.nodes is 'The hashes over each 64 seals in their order';

create table journal_seal_keys (
  public_key    bytea       primary key,
  first_used_at timestamptz not null
);
comment on table journal_seal_keys is 'The public keys that have signed seals and days, for those who check old receipts. Never deleted';

-- Down Migration

drop table journal_seal_keys;
drop table journal_days;
drop table journal_seals;
