-- Up Migration

-- A reward campaign gives the same amount for each of its codes. The ledger holds its budget in account -(1000 + id) * 8,
-- which never falls below 0, so no more than the budget can be given out.
create table reward_campaigns (
  id                   integer     primary key generated always as identity,
  key                  uuid        not null unique,
  title                text        not null,
  amount_micro_ath     bigint      not null check (amount_micro_ath between 1 and 1000000000000000),
  starts_at            timestamptz not null,
  ends_at              timestamptz not null,
  claim_count_max      integer     check (claim_count_max > 0),
  user_claim_count_max integer     check (user_claim_count_max > 0),
  claim_count          integer     not null default 0,
  created_at           timestamptz not null,
  constraint reward_campaigns_end_after_start check (ends_at > starts_at),
  constraint reward_campaigns_within_limit check (claim_count between 0 and coalesce(claim_count_max, claim_count))
);
comment on table reward_campaigns is 'Its row is locked by each claim, so that limits hold however many come at once';
comment on column reward_campaigns.key is 'Makes opening happen once: also the key of the transfer of its budget';
comment on column reward_campaigns.ends_at is 'From then on nothing is given out';
comment on column reward_campaigns.claim_count_max is 'Of all users together; null: as far as the budget goes';
comment on column reward_campaigns.user_claim_count_max is 'Of one user, over all codes; null: any number';

create table reward_codes (
  code_hash       bytea   primary key,
  campaign_id     integer not null references reward_campaigns,
  claim_count_max integer not null check (claim_count_max > 0),
  claim_count     integer not null default 0,
  constraint reward_codes_within_limit check (claim_count between 0 and claim_count_max)
);
create index reward_codes_by_campaign on reward_codes (campaign_id);
comment on column reward_codes.code_hash is 'HMAC-SHA-256 of the code: the codes themselves are nowhere';
comment on column reward_codes.claim_count_max is 'Of all users together: 1 for a code for one person';

create table reward_claims (
  id               uuid        primary key,
  user_id          bigint      not null references users,
  key              uuid        not null,
  code_hash        bytea       not null references reward_codes,
  campaign_id      integer     not null references reward_campaigns,
  amount_micro_ath bigint      not null check (amount_micro_ath > 0),
  claimed_at       timestamptz not null,
  constraint reward_claims_once_by_key unique (user_id, key),
  constraint reward_claims_once_by_code unique (code_hash, user_id)
);
create index reward_claims_by_campaign on reward_claims (campaign_id, user_id);
comment on table reward_claims is 'Who used which code when. A row exists exactly when its transfer does';
comment on column reward_claims.id is 'UUIDv7: key of the transfer from the campaign''s account';
comment on column reward_claims.key is 'Idempotency key of the request';

create table reward_guesses (
  subject       bytea       primary key,
  guess_count   integer     not null,
  counted_since timestamptz not null
);
create index reward_guesses_by_time on reward_guesses (counted_since);
comment on table reward_guesses is 'Codes tried and not found, by account, network place and in all, within an hour';
comment on column reward_guesses.subject is 'HMAC-SHA-256 of what is counted for';

-- Down Migration
drop table reward_guesses, reward_claims, reward_codes, reward_campaigns;
