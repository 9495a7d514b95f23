-- Up Migration

alter table reward_campaigns
  add column state text not null default 'draft' check (state in ('draft', 'funded', 'running', 'paused', 'settled')),
  add column audience text not null default 'all' check (audience in ('all', 'tier', 'new_accounts')),
  add column audience_tier_id integer references tiers,
  add column audience_days integer check (audience_days > 0),
  add column budget_micro_ath bigint not null default 0 check (budget_micro_ath >= 0),
  add column returned_micro_ath bigint check (returned_micro_ath >= 0),
  add column settled_at timestamptz,
  add column version integer not null default 1,
  add constraint reward_campaigns_audience check (
    (audience = 'tier') = (audience_tier_id is not null) and (audience = 'new_accounts') = (audience_days is not null)
  ),
  add constraint reward_campaigns_settled check (
    (state = 'settled') = (settled_at is not null) and (state = 'settled') = (returned_micro_ath is not null)
  );

-- Campaigns of before were opened with their budget and gave out from the start of their window.
update reward_campaigns campaign
   set state = 'running',
       budget_micro_ath = coalesce((select sum(amount_units)::bigint from ledger_transfers
                                     where credit_account_id = -((1000 + campaign.id)::bigint * 8) and kind = 13), 0);

comment on column reward_campaigns.state is 'As staff left it. That the window is over shows from ends_at alone';
comment on column reward_campaigns.audience is 'Whose claims are accepted: anybody''s, from a tier on, or of accounts that are at most some days old';
comment on column reward_campaigns.budget_micro_ath is 'All that was issued into its account; what is left is the balance there';
comment on column reward_campaigns.returned_micro_ath is 'What went back to issuance when it was settled';
comment on column reward_campaigns.version is 'Counts edits and budgets, not starting and pausing: a pause must not wait for a reload';

-- Down Migration

alter table reward_campaigns
  drop constraint reward_campaigns_settled,
  drop constraint reward_campaigns_audience,
  drop column version,
  drop column settled_at,
  drop column returned_micro_ath,
  drop column budget_micro_ath,
  drop column audience_days,
  drop column audience_tier_id,
  drop column audience,
  drop column state;
