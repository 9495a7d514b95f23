-- Up Migration

create table card_days (
  day                 date        primary key,
  provider_usd_cents  bigint      not null,
  nets_usd_cents      bigint      not null,
  clearing_usd_cents  bigint      not null,
  in_flight_usd_cents bigint      not null,
  is_agreed           boolean     not null,
  checked_at          timestamptz not null
);
comment on table card_days is 'The three totals of card money of each day (docs/cards.md, "Reconciliation")';
comment on column card_days.provider_usd_cents is 'The balance at the provider';
comment on column card_days.nets_usd_cents is 'The sum of its transactions';
comment on column card_days.clearing_usd_cents is 'What our books have there: minus the balance of card_provider';
comment on column card_days.in_flight_usd_cents is 'Transactions without a booking, less bookings without a transaction';

alter table card_disputes
  add column version          integer     not null default 1,
  add column evidence         jsonb       not null default '{}',
  add column evidence_state   text        not null default 'draft' check (evidence_state in ('draft', 'submitting', 'submitted', 'refused')),
  add column evidence_act     text        check (evidence_act in ('submit', 'accept')),
  add column evidence_key     uuid,
  add column evidence_failure text,
  add column submitted_at     timestamptz;
comment on column card_disputes.version is 'Of what staff edit';
comment on column card_disputes.evidence is 'Texts for the bank, by the provider''s names';
comment on column card_disputes.evidence_key is 'The provider''s idempotency key of the submission';

create table card_evidence_files (
  id               uuid  primary key,
  dispute_id       uuid  not null references card_disputes,
  field            text  not null,
  name             text  not null,
  type             text  not null,
  bytes            bytea not null,
  provider_file_id text,
  constraint card_evidence_files_one_each unique (dispute_id, field)
);
comment on table card_evidence_files is 'Files for the bank, one for each of the provider''s fields';
comment on column card_evidence_files.id is 'Also the provider''s idempotency key of the upload';

-- Down Migration


drop table card_evidence_files;
alter table card_disputes
  drop column submitted_at, drop column evidence_failure, drop column evidence_key, drop column evidence_act,
  drop column evidence_state, drop column evidence, drop column version;
drop table card_days;
