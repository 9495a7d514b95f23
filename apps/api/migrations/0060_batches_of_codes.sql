-- Up Migration

create table reward_batches (
  id              uuid        primary key,
  campaign_id     integer     not null references reward_campaigns,
  label           text        not null,
  code_count      integer     not null check (code_count between 1 and 100000),
  claim_count_max integer     not null check (claim_count_max > 0),
  expires_at      timestamptz,
  state           text        not null default 'waiting' check (state in ('waiting', 'making', 'ready', 'failed', 'void')),
  codes_done      integer     not null default 0,
  claim_count     integer     not null default 0,
  created_at      timestamptz not null,
  made_at         timestamptz,
  voided_at       timestamptz,
  file_name       text,
  file_key        bytea,
  file_expires_at timestamptz,
  download_count  integer     not null default 0,
  link_hash       bytea,
  link_expires_at timestamptz,
  constraint reward_batches_file check (
    (file_key is null) = (file_name is null) and (file_key is null or (state = 'ready' and file_expires_at is not null))
  ),
  constraint reward_batches_void check ((state = 'void') = (voided_at is not null))
);
create index reward_batches_by_campaign on reward_batches (campaign_id, created_at, id);
create index reward_batches_with_file on reward_batches (file_expires_at) where file_key is not null;
comment on table reward_batches is 'Kept as long as their campaign: they say where a code came from. The codes themselves are only in the sealed file';
comment on column reward_batches.id is 'The key of the act that made it';
comment on column reward_batches.claim_count_max is 'Of each code, all users together';
comment on column reward_batches.file_key is 'Sealed column: the key of the file with the codes; null once the file is over';
comment on column reward_batches.link_hash is 'SHA-256 of the code of the last link; null once it was used';

alter table reward_codes add column batch_id uuid references reward_batches;
comment on column reward_codes.batch_id is 'Null for codes that were made together with their campaign';

-- Down Migration

alter table reward_codes drop column batch_id;
drop table reward_batches;
