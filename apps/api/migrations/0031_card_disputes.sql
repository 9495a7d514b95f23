-- Up Migration

create table card_disputes (
  id                                 uuid        primary key,
  provider_dispute_id                text        not null unique,
  order_id                           uuid        not null references card_orders,
  user_id                            bigint      not null references users,
  status                             text        not null,
  phase                              text        not null check (phase in ('inquiry', 'open', 'closed', 'lost')),
  reason                             text        not null,
  amount_usd_cents                   bigint      not null,
  is_uncredited                      boolean     not null,
  withdrawn_usd_cents                bigint      not null default 0,
  is_lost                            boolean     not null default false,
  taken_micro_ath                    bigint      not null default 0 check (taken_micro_ath >= 0),
  written_off_micro_ath              bigint      not null default 0 check (written_off_micro_ath >= 0),
  recovered_micro_ath                bigint      not null default 0 check (recovered_micro_ath >= 0),
  recovered_price_usd_cents          bigint      not null default 0,
  recovered_product_fee_usd_cents    bigint      not null default 0,
  recovered_processing_fee_usd_cents bigint      not null default 0,
  due_at                             timestamptz,
  submission_count                   integer     not null default 0,
  opened_at                          timestamptz not null,
  observed_at                        timestamptz not null,
  created_at                         timestamptz not null
);
create index card_disputes_by_order on card_disputes (order_id);
create index card_disputes_by_time on card_disputes (opened_at);
create index card_disputes_undecided on card_disputes (user_id, due_at) where phase in ('inquiry', 'open');
comment on table card_disputes is 'Disputes of card payments, with what the books hold for them (docs/cards.md, "Disputes")';
comment on column card_disputes.status is 'In the provider''s words, with which an unknown one is kept';
comment on column card_disputes.is_uncredited is 'The payment was in review: nobody has its tokens, and suspense has its money';
comment on column card_disputes.withdrawn_usd_cents is 'What the provider''s transactions withdrew and did not reinstate';
comment on column card_disputes.is_lost is 'The withdrawn money is booked as lost';
comment on column card_disputes.taken_micro_ath is 'Tokens taken from the user, below 0 if need be';
comment on column card_disputes.written_off_micro_ath is 'The part of them that was a debt and was given up';
comment on column card_disputes.recovered_micro_ath is 'Of a lost dispute: the part that was really there or was repaid, so that its money is not lost';
comment on column card_disputes.observed_at is 'When the provider was asked for the status';

create table card_debts (
  id                    uuid        primary key,
  dispute_id            uuid        not null references card_disputes,
  user_id               bigint      not null references users,
  amount_micro_ath      bigint      not null check (amount_micro_ath >= 0),
  repaid_micro_ath      bigint      not null default 0,
  written_off_micro_ath bigint      not null default 0,
  created_at            timestamptz not null,
  closed_at             timestamptz,
  constraint card_debts_not_overpaid check (repaid_micro_ath + written_off_micro_ath <= amount_micro_ath),
  constraint card_debts_closed check ((repaid_micro_ath + written_off_micro_ath = amount_micro_ath) = (closed_at is not null))
);
create index card_debts_open on card_debts (user_id, id) where closed_at is null;
create index card_debts_by_dispute on card_debts (dispute_id);
comment on table card_debts is 'What claw-backs took below 0. Repaid by whatever comes in, the oldest first: ids rise with time';

create table card_warnings (
  id            text        primary key,
  order_id      uuid        not null references card_orders,
  user_id       bigint      not null references users,
  fraud_type    text        not null,
  is_actionable boolean     not null,
  created_at    timestamptz not null
);
create index card_warnings_by_order on card_warnings (order_id);
comment on table card_warnings is 'Early fraud warnings: the cardholder''s bank suspects a payment';
comment on column card_warnings.is_actionable is 'No dispute and no full refund has followed yet';

-- Down Migration

drop table card_warnings, card_debts, card_disputes;
