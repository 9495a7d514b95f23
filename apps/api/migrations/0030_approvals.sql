-- Up Migration

create table approvals (
  id              uuid        primary key,
  action          text        not null,
  subject_type    text        not null,
  subject_id      text        not null,
  subject_version text        not null,
  customer_id     bigint      references users,
  payload         text        not null,
  digest          bytea       not null,
  before          jsonb,
  after           jsonb,
  asset           text,
  amount_units    bigint,
  usd_cents       bigint,
  measured        bigint,
  risks           text[]      not null default '{}',
  reason          text        not null,
  requested_by    uuid        not null references staff,
  organisation    text        not null,
  requested_at    timestamptz not null,
  expires_at      timestamptz not null,
  votes_needed    smallint    not null,
  voters          text        not null,
  state           text        not null,
  ended_at        timestamptz,
  failure         text,
  is_held         boolean     not null default false,
  holds_customers_value boolean not null default false,
  constraint approvals_state check (state in ('pending', 'executed', 'rejected', 'withdrawn', 'expired', 'stale', 'failed')),
  constraint approvals_voters check (voters in ('anyone', 'provider', 'brand', 'other')),
  constraint approvals_ended check ((state = 'pending') = (ended_at is null)),
  constraint approvals_amount check ((asset is null) = (amount_units is null))
);
create index approvals_by_time on approvals (requested_at, id) where votes_needed > 0;
create index approvals_by_requester on approvals (requested_by, requested_at, id);
create index approvals_by_customer on approvals (customer_id, requested_at) where customer_id is not null;
create index approvals_open on approvals (expires_at) where state = 'pending';
create index approvals_to_give_back on approvals (ended_at) where is_held and state <> 'pending';
comment on table approvals is
  'What staff did within a policy (votes_needed 0) and what they asked for above it. Rows stay, as the audit does that names them';
comment on column approvals.id is 'The Idempotency-Key of the act; the key of every movement of the ledger that belongs to it';
comment on column approvals.subject_version is 'Changes when what the voters are shown does';
comment on column approvals.payload is 'JSON, as it was when digest was written to the audit';
comment on column approvals.measured is 'What the limits of the policy are compared with';
comment on column approvals.is_held is 'Value stands in the account holds, to be given back unless the request is executed';

create table approval_votes (
  approval_id uuid        not null references approvals,
  staff_id    uuid        not null references staff,
  is_approved boolean     not null,
  reason      text,
  at          timestamptz not null,
  primary key (approval_id, staff_id)
);
comment on table approval_votes is 'One vote of a person on a request, at most as many as it needs';

-- Down Migration

drop table approval_votes, approvals;
