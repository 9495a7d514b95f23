-- Written by a test from the migrations: npm run schema. Do not edit.

create sequence ledger_transfer_blocks;

create table account_closures (
  user_id bigint not null,
  key uuid not null,
  closed_at timestamp with time zone not null,
  mail_to bytea,
  erased_at timestamp with time zone,
  constraint account_closures_pkey PRIMARY KEY (user_id),
  constraint account_closures_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
comment on table account_closures is 'Deleted accounts. Their users and journal rows stay without anything that leads to a person';
comment on column account_closures.key is 'Idempotency key of the request: of the ledger transfers that forfeited the balances too';
comment on column account_closures.mail_to is 'Where the last mail goes, sealed (apps/api/src/platform/sealed.ts). Null once it was sent, or was tried for long enough';
comment on column account_closures.erased_at is 'When the job had erased the personal data; null before';
CREATE INDEX account_closures_unfinished ON public.account_closures USING btree (closed_at) WHERE ((erased_at IS NULL) OR (mail_to IS NOT NULL));

create table account_holds (
  id bigint generated always as identity not null,
  user_id bigint not null,
  kinds text[] not null,
  cause text not null,
  cause_id text not null,
  reason text not null,
  placed_by uuid,
  placed_at timestamp with time zone not null,
  ends_at timestamp with time zone,
  lifted_by uuid,
  lifted_at timestamp with time zone,
  constraint account_holds_pkey PRIMARY KEY (id),
  constraint account_holds_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint account_holds_cause_check CHECK ((cause = ANY (ARRAY['staff'::text, 'dispute'::text, 'warning'::text, 'debt'::text]))),
  constraint account_holds_kinds CHECK (((cardinality(kinds) > 0) AND (kinds <@ ARRAY['sign_in'::text, 'send'::text, 'receive'::text, 'spend'::text, 'top_up'::text, 'redeem'::text])))
);
comment on table account_holds is 'What a user may not do, why and until when. A hold stands until it is lifted. Lifted ones are deleted after 500 days';
comment on column account_holds.cause_id is 'The dispute, warning or debt; of a hold by staff an id of its own. Each cause lifts only its own';
comment on column account_holds.placed_by is 'The member of staff; null if the system did';
CREATE INDEX account_holds_by_lifting ON public.account_holds USING btree (lifted_at) WHERE (lifted_at IS NOT NULL);
CREATE INDEX account_holds_by_user ON public.account_holds USING btree (user_id, id);
CREATE INDEX account_holds_ending ON public.account_holds USING btree (ends_at) WHERE (lifted_at IS NULL);
CREATE UNIQUE INDEX account_holds_standing ON public.account_holds USING btree (user_id, cause, cause_id) WHERE (lifted_at IS NULL);

create table approval_votes (
  approval_id uuid not null,
  staff_id uuid not null,
  is_approved boolean not null,
  reason text,
  at timestamp with time zone not null,
  constraint approval_votes_pkey PRIMARY KEY (approval_id, staff_id),
  constraint approval_votes_approval_id_fkey FOREIGN KEY (approval_id) REFERENCES approvals(id),
  constraint approval_votes_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id)
);
comment on table approval_votes is 'One vote of a person on a request, at most as many as it needs';

create table approvals (
  id uuid not null,
  action text not null,
  subject_type text not null,
  subject_id text not null,
  subject_version text not null,
  customer_id bigint,
  payload text not null,
  digest bytea not null,
  before jsonb,
  after jsonb,
  asset text,
  amount_units bigint,
  usd_cents bigint,
  measured bigint,
  risks text[] default '{}'::text[] not null,
  reason text not null,
  requested_by uuid,
  organisation text,
  requested_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  votes_needed smallint not null,
  voters text not null,
  state text not null,
  ended_at timestamp with time zone,
  failure text,
  is_held boolean default false not null,
  holds_customers_value boolean default false not null,
  constraint approvals_pkey PRIMARY KEY (id),
  constraint approvals_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES users(id),
  constraint approvals_requested_by_fkey FOREIGN KEY (requested_by) REFERENCES staff(id),
  constraint approvals_amount CHECK (((asset IS NULL) = (amount_units IS NULL))),
  constraint approvals_ended CHECK (((state = 'pending'::text) = (ended_at IS NULL))),
  constraint approvals_requester CHECK (((requested_by IS NULL) = (organisation IS NULL))),
  constraint approvals_state CHECK ((state = ANY (ARRAY['pending'::text, 'executed'::text, 'rejected'::text, 'withdrawn'::text, 'expired'::text, 'stale'::text, 'failed'::text]))),
  constraint approvals_voters CHECK ((voters = ANY (ARRAY['anyone'::text, 'provider'::text, 'brand'::text, 'other'::text])))
);
comment on table approvals is 'What staff did within a policy (votes_needed 0) and what they asked for above it. Rows stay, as the audit does that names them';
comment on column approvals.id is 'The Idempotency-Key of the act; the key of every movement of the ledger that belongs to it';
comment on column approvals.subject_version is 'Changes when what the voters are shown does';
comment on column approvals.payload is 'JSON, as it was when digest was written to the audit. Empty once its customer is erased, unless it is still needed';
comment on column approvals.measured is 'What the limits of the policy are compared with';
comment on column approvals.requested_by is 'Null if the programme itself asks for a decision';
comment on column approvals.is_held is 'Value stands in the account holds, to be given back unless the request is executed';
CREATE INDEX approvals_by_action ON public.approvals USING btree (action, requested_at, id) INCLUDE (requested_by) WHERE (votes_needed > 0);
CREATE INDEX approvals_by_customer ON public.approvals USING btree (customer_id, requested_at) WHERE (customer_id IS NOT NULL);
CREATE INDEX approvals_by_programme ON public.approvals USING btree (action, requested_at) WHERE (requested_by IS NULL);
CREATE INDEX approvals_by_requester ON public.approvals USING btree (requested_by, requested_at, id);
CREATE INDEX approvals_by_state ON public.approvals USING btree (state, requested_at, id) INCLUDE (requested_by) WHERE (votes_needed > 0);
CREATE INDEX approvals_by_subject ON public.approvals USING btree (subject_id, requested_at, id) INCLUDE (requested_by) WHERE (votes_needed > 0);
CREATE INDEX approvals_by_time ON public.approvals USING btree (requested_at, id) INCLUDE (requested_by) WHERE (votes_needed > 0);
CREATE INDEX approvals_open ON public.approvals USING btree (expires_at) WHERE (state = 'pending'::text);
CREATE INDEX approvals_to_give_back ON public.approvals USING btree (ended_at) WHERE (is_held AND (state <> 'pending'::text));

create table attempt_counters (
  subject bytea not null,
  attempt_count integer not null,
  last_attempt_at timestamp with time zone not null,
  window_ends_at timestamp with time zone not null,
  constraint attempt_counters_pkey PRIMARY KEY (subject),
  constraint attempt_counters_attempt_count_check CHECK ((attempt_count >= 0))
);
comment on table attempt_counters is 'Attempts within a window of time, by what they are counted for';
comment on column attempt_counters.subject is 'HMAC-SHA-256 of what is counted for, such as an e-mail or network address';
comment on column attempt_counters.attempt_count is 'Of the current window; 0: all were taken back';
comment on column attempt_counters.window_ends_at is 'An attempt at or after this time begins a new window';
CREATE INDEX attempt_counters_by_end ON public.attempt_counters USING btree (window_ends_at);

create table audit_details (
  seq bigint not null,
  salt bytea,
  details text,
  constraint audit_details_pkey PRIMARY KEY (seq),
  constraint audit_details_emptied_together CHECK (((salt IS NULL) = (details IS NULL)))
);
comment on table audit_details is 'Before and after of an entry, as JSON. Emptied with the person whom they are about: nothing else ever changes';
comment on column audit_details.salt is 'Random, so that emptied details cannot be guessed from their digest';
CREATE TRIGGER audit_details_only_emptied BEFORE UPDATE ON public.audit_details FOR EACH ROW WHEN (((new.seq <> old.seq) OR (new.details IS NOT NULL) OR (new.salt IS NOT NULL))) EXECUTE FUNCTION audit_refuse_change();
CREATE TRIGGER audit_details_stay BEFORE DELETE OR TRUNCATE ON public.audit_details FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse_change();

create table audit_entries (
  seq bigint not null,
  at timestamp with time zone not null,
  staff_id uuid,
  session_id uuid,
  organisation text,
  action text not null,
  subject_type text not null,
  subject_id text not null,
  outcome text not null,
  request_id text not null,
  approval_id uuid,
  ledger_key uuid,
  digest bytea not null,
  hash bytea not null,
  constraint audit_entries_pkey PRIMARY KEY (seq),
  constraint audit_entries_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id),
  constraint audit_entries_outcome CHECK ((outcome = ANY (ARRAY['done'::text, 'requested'::text, 'refused'::text, 'failed'::text])))
);
comment on table audit_entries is 'What staff did, chained: seq has no gap, and each hash is over the one before it. Never changed, never deleted';
comment on column audit_entries.staff_id is 'Null: a program, or somebody who was not signed in';
comment on column audit_entries.digest is 'SHA-256 of salt and details. The chain runs over it, so details can be emptied';
comment on column audit_entries.hash is 'SHA-256 of the hash before and the row''s text (decision 0020)';
CREATE INDEX audit_entries_by_action ON public.audit_entries USING btree (action, seq);
CREATE INDEX audit_entries_by_staff ON public.audit_entries USING btree (staff_id, seq);
CREATE INDEX audit_entries_by_subject ON public.audit_entries USING btree (subject_type, subject_id, seq);
CREATE INDEX audit_entries_by_time ON public.audit_entries USING btree (at, seq);
CREATE INDEX audit_entries_not_done ON public.audit_entries USING btree (outcome, seq) WHERE (outcome <> 'done'::text);
CREATE TRIGGER audit_entries_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_entries FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse_change();

create table audit_head (
  singleton boolean default true not null,
  seq bigint default 0 not null,
  at timestamp with time zone default '-infinity'::timestamp with time zone not null,
  hash bytea not null,
  constraint audit_head_pkey PRIMARY KEY (singleton),
  constraint audit_head_one_row CHECK (singleton)
);
comment on table audit_head is 'The last entry. Its row lock orders the audit, and is taken before that of ledger_head';
CREATE TRIGGER audit_head_stays BEFORE DELETE OR TRUNCATE ON public.audit_head FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse_change();

create table audit_verifications (
  id uuid not null,
  requested_at timestamp with time zone not null,
  requested_by uuid not null,
  known_head text,
  finished_at timestamp with time zone,
  entry_count bigint,
  emptied_count bigint,
  head text,
  fault text,
  constraint audit_verifications_pkey PRIMARY KEY (id),
  constraint audit_verifications_requested_by_fkey FOREIGN KEY (requested_by) REFERENCES staff(id),
  constraint audit_verifications_finished CHECK ((num_nulls(finished_at, entry_count, emptied_count, head) = ANY (ARRAY[0, 4]))),
  constraint audit_verifications_head CHECK ((known_head ~ '^[0-9a-f]{64}$'::text))
);
comment on table audit_verifications is 'What a verification of the audit from the console found';
comment on column audit_verifications.known_head is 'A hash that the chain must contain';
comment on column audit_verifications.fault is 'The first wrong entry; null: none';
CREATE INDEX audit_verifications_by_time ON public.audit_verifications USING btree (requested_at);

create table bulk_rows (
  run_id uuid not null,
  line integer not null,
  customer_uuid uuid not null,
  outcome text,
  failure_code text,
  failure text,
  constraint bulk_rows_pkey PRIMARY KEY (run_id, line),
  constraint bulk_rows_run_id_fkey FOREIGN KEY (run_id) REFERENCES bulk_runs(id) ON DELETE CASCADE,
  constraint bulk_rows_outcome_check CHECK ((outcome = ANY (ARRAY['done'::text, 'failed'::text])))
);
comment on table bulk_rows is 'The customers of a bulk act, fixed by its preview';
comment on column bulk_rows.outcome is 'Written in the transaction of the act, so that a run that was cut off does no row twice. Null until then';
CREATE INDEX bulk_rows_open ON public.bulk_rows USING btree (run_id, line) WHERE (outcome IS NULL);

create table bulk_runs (
  id uuid not null,
  staff_id uuid not null,
  act jsonb not null,
  reason text not null,
  state text default 'previewed'::text not null,
  rows_total integer not null,
  created_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  rows_done integer,
  rows_failed integer,
  constraint bulk_runs_pkey PRIMARY KEY (id),
  constraint bulk_runs_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id),
  constraint bulk_runs_rows_total_check CHECK (((rows_total >= 0) AND (rows_total <= 10000))),
  constraint bulk_runs_state_check CHECK ((state = ANY (ARRAY['previewed'::text, 'waiting'::text, 'running'::text, 'done'::text, 'stopped'::text])))
);
comment on table bulk_runs is 'Acts of staff on many customers. A preview is deleted an hour after it was made, a run after 90 days';
comment on column bulk_runs.act is 'The act and what it needs, as the contract names it';
comment on column bulk_runs.rows_done is 'Counted when the run ends, so that a list of runs counts no rows. Null until then, as is rows_failed';
CREATE INDEX bulk_runs_by_staff ON public.bulk_runs USING btree (staff_id, id) WHERE (state <> 'previewed'::text);
CREATE INDEX bulk_runs_by_time ON public.bulk_runs USING btree (created_at);

create table card_bookings (
  id uuid not null,
  what text not null,
  order_id uuid,
  source_id text,
  amount_usd_cents bigint not null,
  fee_usd_cents bigint default 0 not null,
  booked_at timestamp with time zone not null,
  matched_at timestamp with time zone,
  explanation text,
  constraint card_bookings_pkey PRIMARY KEY (id),
  constraint card_bookings_order_id_fkey FOREIGN KEY (order_id) REFERENCES card_orders(id),
  constraint card_bookings_what_check CHECK ((what = ANY (ARRAY['payment'::text, 'refund'::text, 'refund_return'::text, 'dispute'::text, 'payout'::text, 'manual'::text])))
);
comment on table card_bookings is 'What we booked on the account card_provider: the id is the key in the ledger';
comment on column card_bookings.source_id is 'The provider''s object that the transaction names as its source';
comment on column card_bookings.amount_usd_cents is 'Effect on the balance at the provider, before fees';
CREATE INDEX card_bookings_by_order ON public.card_bookings USING btree (order_id);
CREATE INDEX card_bookings_by_source ON public.card_bookings USING btree (source_id) WHERE (matched_at IS NULL);
CREATE INDEX card_bookings_unmatched ON public.card_bookings USING btree (booked_at) WHERE (matched_at IS NULL);

create table card_comparisons (
  reach text not null,
  began_at timestamp with time zone not null,
  position timestamp with time zone,
  constraint card_comparisons_pkey PRIMARY KEY (reach),
  constraint card_comparisons_reach_check CHECK ((reach = ANY (ARRAY['recent'::text, 'disputable'::text])))
);
comment on table card_comparisons is 'How far the comparison with the provider''s payments has come. It goes back in time, a few pages per run (docs/cards.md, "Comparison")';
comment on column card_comparisons.position is 'Everything since then has been compared in this round. Null: the round is finished';

create table card_days (
  day date not null,
  provider_usd_cents bigint not null,
  nets_usd_cents bigint not null,
  clearing_usd_cents bigint not null,
  in_flight_usd_cents bigint not null,
  is_agreed boolean not null,
  checked_at timestamp with time zone not null,
  summed_until timestamp with time zone,
  summed_usd_cents bigint,
  constraint card_days_pkey PRIMARY KEY (day)
);
comment on table card_days is 'The three totals of card money of each day (docs/cards.md, "Reconciliation")';
comment on column card_days.provider_usd_cents is 'The balance at the provider';
comment on column card_days.nets_usd_cents is 'The sum of its transactions';
comment on column card_days.clearing_usd_cents is 'What our books have there: minus the balance of card_provider';
comment on column card_days.in_flight_usd_cents is 'Transactions without a booking, less bookings without a transaction';
comment on column card_days.summed_until is 'Transactions that were listed before are not summed again on later days. Null on days before sums were kept';
comment on column card_days.summed_usd_cents is 'The sum of the transactions that were listed before summed_until';

create table card_debts (
  id uuid not null,
  dispute_id uuid not null,
  user_id bigint not null,
  amount_micro_ath bigint not null,
  repaid_micro_ath bigint default 0 not null,
  written_off_micro_ath bigint default 0 not null,
  created_at timestamp with time zone not null,
  closed_at timestamp with time zone,
  constraint card_debts_pkey PRIMARY KEY (id),
  constraint card_debts_dispute_id_fkey FOREIGN KEY (dispute_id) REFERENCES card_disputes(id),
  constraint card_debts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint card_debts_amount_micro_ath_check CHECK ((amount_micro_ath >= 0)),
  constraint card_debts_closed CHECK ((((repaid_micro_ath + written_off_micro_ath) = amount_micro_ath) = (closed_at IS NOT NULL))),
  constraint card_debts_not_overpaid CHECK (((repaid_micro_ath + written_off_micro_ath) <= amount_micro_ath))
);
comment on table card_debts is 'What claw-backs took below 0. Repaid by whatever comes in, the oldest first: ids rise with time';
CREATE INDEX card_debts_by_dispute ON public.card_debts USING btree (dispute_id);
CREATE INDEX card_debts_open ON public.card_debts USING btree (user_id, id) WHERE (closed_at IS NULL);

create table card_declines (
  charge_id text not null,
  order_id uuid not null,
  user_id bigint not null,
  declined_at timestamp with time zone not null,
  constraint card_declines_pkey PRIMARY KEY (charge_id),
  constraint card_declines_order_id_fkey FOREIGN KEY (order_id) REFERENCES card_orders(id),
  constraint card_declines_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
comment on table card_declines is 'Declined charges. Too many in an hour pause buying (card testing)';
comment on column card_declines.declined_at is 'When we learned of it';
CREATE INDEX card_declines_by_order ON public.card_declines USING btree (order_id);
CREATE INDEX card_declines_by_time ON public.card_declines USING btree (declined_at);
CREATE INDEX card_declines_by_user ON public.card_declines USING btree (user_id, declined_at);

create table card_dispute_moves (
  key uuid not null,
  dispute_id uuid not null,
  constraint card_dispute_moves_pkey PRIMARY KEY (key),
  constraint card_dispute_moves_dispute_id_fkey FOREIGN KEY (dispute_id) REFERENCES card_disputes(id)
);
comment on table card_dispute_moves is 'The dispute behind each key of transfers. Stays as long as they do; a dispute has a handful';
CREATE INDEX card_dispute_moves_by_dispute ON public.card_dispute_moves USING btree (dispute_id);

create table card_disputes (
  id uuid not null,
  provider_dispute_id text not null,
  order_id uuid not null,
  user_id bigint not null,
  status text not null,
  phase text not null,
  reason text not null,
  amount_usd_cents bigint not null,
  is_uncredited boolean not null,
  withdrawn_usd_cents bigint default 0 not null,
  is_lost boolean default false not null,
  taken_micro_ath bigint default 0 not null,
  written_off_micro_ath bigint default 0 not null,
  recovered_micro_ath bigint default 0 not null,
  recovered_price_usd_cents bigint default 0 not null,
  recovered_product_fee_usd_cents bigint default 0 not null,
  recovered_processing_fee_usd_cents bigint default 0 not null,
  due_at timestamp with time zone,
  submission_count integer default 0 not null,
  opened_at timestamp with time zone not null,
  observed_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  version integer default 1 not null,
  evidence jsonb default '{}'::jsonb not null,
  evidence_state text default 'draft'::text not null,
  evidence_act text,
  evidence_key uuid,
  evidence_failure text,
  submitted_at timestamp with time zone,
  constraint card_disputes_provider_dispute_id_key UNIQUE (provider_dispute_id),
  constraint card_disputes_pkey PRIMARY KEY (id),
  constraint card_disputes_order_id_fkey FOREIGN KEY (order_id) REFERENCES card_orders(id),
  constraint card_disputes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint card_disputes_evidence_act_check CHECK ((evidence_act = ANY (ARRAY['submit'::text, 'accept'::text]))),
  constraint card_disputes_evidence_state_check CHECK ((evidence_state = ANY (ARRAY['draft'::text, 'submitting'::text, 'submitted'::text, 'refused'::text]))),
  constraint card_disputes_phase_check CHECK ((phase = ANY (ARRAY['inquiry'::text, 'open'::text, 'closed'::text, 'lost'::text]))),
  constraint card_disputes_recovered_micro_ath_check CHECK ((recovered_micro_ath >= 0)),
  constraint card_disputes_taken_micro_ath_check CHECK ((taken_micro_ath >= 0)),
  constraint card_disputes_written_off_micro_ath_check CHECK ((written_off_micro_ath >= 0))
);
comment on table card_disputes is 'Disputes of card payments, with what the books hold for them (docs/cards.md, "Disputes")';
comment on column card_disputes.status is 'In the provider''s words, with which an unknown one is kept';
comment on column card_disputes.is_uncredited is 'The payment was in review: nobody has its tokens, and suspense has its money';
comment on column card_disputes.withdrawn_usd_cents is 'What the provider''s transactions withdrew and did not reinstate';
comment on column card_disputes.is_lost is 'The withdrawn money is booked as lost';
comment on column card_disputes.taken_micro_ath is 'Tokens taken from the user, below 0 if need be';
comment on column card_disputes.written_off_micro_ath is 'The part of them that was a debt and was given up';
comment on column card_disputes.recovered_micro_ath is 'Of a lost dispute: the part that was really there or was repaid, so that its money is not lost';
comment on column card_disputes.observed_at is 'When the provider was asked for the status';
comment on column card_disputes.version is 'Of what staff edit';
comment on column card_disputes.evidence is 'Texts for the bank, by the provider''s names';
comment on column card_disputes.evidence_key is 'The provider''s idempotency key of the submission';
CREATE INDEX card_disputes_by_creation ON public.card_disputes USING btree (created_at);
CREATE INDEX card_disputes_by_order ON public.card_disputes USING btree (order_id);
CREATE INDEX card_disputes_by_time ON public.card_disputes USING btree (opened_at);
CREATE INDEX card_disputes_by_user ON public.card_disputes USING btree (user_id);
CREATE INDEX card_disputes_undecided ON public.card_disputes USING btree (user_id, due_at) WHERE (phase = ANY (ARRAY['inquiry'::text, 'open'::text]));

create table card_events (
  id text not null,
  type text not null,
  intent_id text,
  charge_id text,
  created_at timestamp with time zone not null,
  received_at timestamp with time zone not null,
  processed_at timestamp with time zone,
  object_id text,
  constraint card_events_pkey PRIMARY KEY (id)
);
comment on table card_events is 'Events of the provider, each once. What it says is not kept: it may be old, and holds personal data. The job asks for the present state';
comment on column card_events.charge_id is 'The charge that the event is about';
comment on column card_events.created_at is 'By the provider''s clock';
comment on column card_events.processed_at is 'Null while a job has to look at it';
comment on column card_events.object_id is 'What the event is about: an intent, a charge, a refund and so on';
CREATE INDEX card_events_by_time ON public.card_events USING btree (created_at);
CREATE INDEX card_events_of_payment ON public.card_events USING btree (intent_id, created_at) WHERE (intent_id IS NOT NULL);

create table card_events_listed (
  is_only boolean default true not null,
  listed_until timestamp with time zone not null,
  constraint card_events_listed_pkey PRIMARY KEY (is_only),
  constraint card_events_listed_is_only CHECK (is_only)
);
comment on table card_events_listed is 'Until when the provider''s list of events has been read, so that a long outage leaves no hole. One row, once it has been read';

create table card_evidence_files (
  id uuid not null,
  dispute_id uuid not null,
  field text not null,
  name text not null,
  type text not null,
  bytes bytea not null,
  provider_file_id text,
  constraint card_evidence_files_one_each UNIQUE (dispute_id, field),
  constraint card_evidence_files_pkey PRIMARY KEY (id),
  constraint card_evidence_files_dispute_id_fkey FOREIGN KEY (dispute_id) REFERENCES card_disputes(id)
);
comment on table card_evidence_files is 'Files for the bank, one for each of the provider''s fields';
comment on column card_evidence_files.id is 'Also the provider''s idempotency key of the upload';

create table card_look_slots (
  slot smallint not null,
  taken_at timestamp with time zone default '-infinity'::timestamp with time zone not null,
  constraint card_look_slots_pkey PRIMARY KEY (slot)
);
comment on table card_look_slots is 'How often the card provider is asked for the state of a payment, by all processes together: once a second for each row';

create table card_orders (
  id uuid not null,
  user_id bigint not null,
  state text default 'creating'::text not null,
  amount_micro_ath bigint not null,
  usd_per_ath numeric(18,8) not null,
  price_usd_cents bigint not null,
  product_fee_usd_cents bigint not null,
  processing_fee_usd_cents bigint not null,
  total_usd_cents bigint not null,
  provider_fee_usd_cents bigint,
  intent_id text,
  provider_status text,
  error_message text,
  was_attempted boolean default false not null,
  observed_at timestamp with time zone,
  look_claimed_at timestamp with time zone,
  review_reason text,
  history_id bigint,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  closed_at timestamp with time zone,
  difference text,
  charge_id text,
  resolution text,
  returned_micro_ath bigint default 0 not null,
  returned_price_usd_cents bigint default 0 not null,
  returned_product_fee_usd_cents bigint default 0 not null,
  returned_processing_fee_usd_cents bigint default 0 not null,
  card_brand text,
  card_last_four text,
  constraint card_orders_history_id_key UNIQUE (history_id),
  constraint card_orders_intent_id_key UNIQUE (intent_id),
  constraint card_orders_pkey PRIMARY KEY (id),
  constraint card_orders_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint card_orders_amount_micro_ath_check CHECK (((amount_micro_ath >= 1) AND (amount_micro_ath <= '1000000000000000'::bigint))),
  constraint card_orders_closed_when_final CHECK (((state = ANY (ARRAY['credited'::text, 'canceled'::text])) = (closed_at IS NOT NULL))),
  constraint card_orders_credited_has_transfer CHECK (((state <> 'credited'::text) OR (history_id IS NOT NULL))),
  constraint card_orders_open_has_intent CHECK (((state = ANY (ARRAY['creating'::text, 'canceled'::text])) OR (intent_id IS NOT NULL))),
  constraint card_orders_price_usd_cents_check CHECK ((price_usd_cents > 0)),
  constraint card_orders_processing_fee_usd_cents_check CHECK ((processing_fee_usd_cents > 0)),
  constraint card_orders_product_fee_usd_cents_check CHECK ((product_fee_usd_cents > 0)),
  constraint card_orders_resolution_check CHECK ((resolution = ANY (ARRAY['credited'::text, 'refunded'::text, 'settled_elsewhere'::text]))),
  constraint card_orders_returned CHECK ((((returned_micro_ath >= 0) AND (returned_micro_ath <= amount_micro_ath)) AND ((returned_price_usd_cents >= 0) AND (returned_price_usd_cents <= price_usd_cents)) AND ((returned_product_fee_usd_cents >= 0) AND (returned_product_fee_usd_cents <= product_fee_usd_cents)) AND ((returned_processing_fee_usd_cents >= 0) AND (returned_processing_fee_usd_cents <= processing_fee_usd_cents)))),
  constraint card_orders_review_has_reason CHECK (((state <> 'review'::text) OR (review_reason IS NOT NULL))),
  constraint card_orders_state_check CHECK ((state = ANY (ARRAY['creating'::text, 'open'::text, 'credited'::text, 'canceled'::text, 'review'::text]))),
  constraint card_orders_total CHECK ((total_usd_cents = ((price_usd_cents + product_fee_usd_cents) + processing_fee_usd_cents))),
  constraint card_orders_usd_per_ath_check CHECK ((usd_per_ath > (0)::numeric))
);
comment on table card_orders is 'Card purchases. Credited by settle() alone, once, under the order''s id as key in the ledger';
comment on column card_orders.id is 'UUIDv7: id on the wire, the provider''s idempotency key, key of the ledger transfers';
comment on column card_orders.state is 'creating: no intent known yet. open: can be paid. credited and canceled: final. review: paid, but not as ordered; a person decides';
comment on column card_orders.amount_micro_ath is 'What is credited';
comment on column card_orders.usd_per_ath is 'The rate of the quote. A payment that comes a little late is credited at it all the same';
comment on column card_orders.price_usd_cents is 'Without fees';
comment on column card_orders.provider_fee_usd_cents is 'What the provider keeps, known about a second after the payment';
comment on column card_orders.provider_status is 'The intent''s status as last seen';
comment on column card_orders.error_message is 'The provider''s words on the last attempt while that failed. Not final: the same form may succeed later';
comment on column card_orders.was_attempted is 'A card was tried, with whatever result. A canceled order without is not listed in the history';
comment on column card_orders.observed_at is 'When the look began that provider_status and error_message come from';
comment on column card_orders.look_claimed_at is 'When a poll last went to the provider: at most one does in a while';
comment on column card_orders.history_id is 'Place in the history: the id of the ATH transfer once credited; of canceled orders with an attempt a number from the ledger''s sequence';
comment on column card_orders.closed_at is 'When it was credited or canceled';
comment on column card_orders.difference is 'How the provider''s record of a credited order last differed from ours, such as a refund. Its alarm was raised once';
comment on column card_orders.charge_id is 'The charge that paid';
comment on column card_orders.resolution is 'How a person ended the review';
comment on column card_orders.returned_micro_ath is 'Tokens that went back in refunds, including those on their way, and in repaid debts of lost disputes. The cents beside it are theirs';
comment on column card_orders.card_last_four is 'The end of the number of the card that paid, by which people recognise it. Erased with the customer';
CREATE INDEX card_orders_by_card ON public.card_orders USING btree (card_last_four, id) WHERE (card_last_four IS NOT NULL);
CREATE INDEX card_orders_by_charge ON public.card_orders USING btree (charge_id) WHERE (charge_id IS NOT NULL);
CREATE INDEX card_orders_by_time ON public.card_orders USING btree (created_at);
CREATE INDEX card_orders_by_user ON public.card_orders USING btree (user_id, id);
CREATE INDEX card_orders_canceled ON public.card_orders USING btree (id) WHERE (state = 'canceled'::text);
CREATE INDEX card_orders_ended ON public.card_orders USING btree (closed_at) WHERE (history_id IS NOT NULL);
CREATE INDEX card_orders_in_history ON public.card_orders USING btree (user_id, history_id) WHERE (history_id IS NOT NULL);
CREATE INDEX card_orders_not_final ON public.card_orders USING btree (user_id, created_at) WHERE (state = ANY (ARRAY['creating'::text, 'open'::text, 'review'::text]));
CREATE INDEX card_orders_untried ON public.card_orders USING btree (created_at) WHERE ((state = 'canceled'::text) AND (history_id IS NULL));

create table card_quotes (
  user_id bigint not null,
  key uuid not null,
  body_hash bytea not null,
  order_id uuid not null,
  created_at timestamp with time zone not null,
  constraint card_quotes_pkey PRIMARY KEY (user_id, key),
  constraint card_quotes_order_id_fkey FOREIGN KEY (order_id) REFERENCES card_orders(id),
  constraint card_quotes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
comment on table card_quotes is 'Quotes that became orders, by idempotency key of POST payment_intent. Several may lead to one order';
comment on column card_quotes.body_hash is 'SHA-256 of the request: another body under the same key is refused';
CREATE INDEX card_quotes_by_order ON public.card_quotes USING btree (order_id);
CREATE INDEX card_quotes_by_time ON public.card_quotes USING btree (created_at);

create table card_refunds (
  id uuid not null,
  order_id uuid not null,
  user_id bigint not null,
  state text not null,
  funding text not null,
  is_adopted boolean default false not null,
  share_micro_ath bigint not null,
  taken_micro_ath bigint not null,
  price_usd_cents bigint not null,
  product_fee_usd_cents bigint not null,
  processing_fee_usd_cents bigint not null,
  total_usd_cents bigint not null,
  reason text not null,
  requested_by uuid,
  provider_refund_id text,
  failure text,
  created_at timestamp with time zone not null,
  sent_at timestamp with time zone,
  accepted_at timestamp with time zone,
  closed_at timestamp with time zone,
  method text default 'card'::text not null,
  reference text,
  constraint card_refunds_provider_refund_id_key UNIQUE (provider_refund_id),
  constraint card_refunds_pkey PRIMARY KEY (id),
  constraint card_refunds_order_id_fkey FOREIGN KEY (order_id) REFERENCES card_orders(id),
  constraint card_refunds_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint card_refunds_accepted_is_known CHECK (((accepted_at IS NULL) OR (provider_refund_id IS NOT NULL) OR (method = 'bank'::text))),
  constraint card_refunds_check CHECK (((taken_micro_ath >= 0) AND (taken_micro_ath <= share_micro_ath))),
  constraint card_refunds_closed CHECK (((state = ANY (ARRAY['succeeded'::text, 'rejected'::text, 'withdrawn'::text, 'expired'::text, 'refused'::text, 'failed'::text])) = (closed_at IS NOT NULL))),
  constraint card_refunds_funding_check CHECK ((funding = ANY (ARRAY['order'::text, 'suspense'::text]))),
  constraint card_refunds_method_check CHECK ((method = ANY (ARRAY['card'::text, 'bank'::text]))),
  constraint card_refunds_price_usd_cents_check CHECK ((price_usd_cents >= 0)),
  constraint card_refunds_processing_fee_usd_cents_check CHECK ((processing_fee_usd_cents >= 0)),
  constraint card_refunds_product_fee_usd_cents_check CHECK ((product_fee_usd_cents >= 0)),
  constraint card_refunds_reference CHECK (((method = 'bank'::text) = (reference IS NOT NULL))),
  constraint card_refunds_share_micro_ath_check CHECK ((share_micro_ath >= 0)),
  constraint card_refunds_state_check CHECK ((state = ANY (ARRAY['requested'::text, 'approved'::text, 'sending'::text, 'pending'::text, 'succeeded'::text, 'rejected'::text, 'withdrawn'::text, 'expired'::text, 'refused'::text, 'failed'::text]))),
  constraint card_refunds_total CHECK (((funding = 'suspense'::text) OR is_adopted OR (total_usd_cents = ((price_usd_cents + product_fee_usd_cents) + processing_fee_usd_cents)))),
  constraint card_refunds_total_usd_cents_check CHECK ((total_usd_cents > 0))
);
comment on table card_refunds is 'Refunds to the card. Each movement is under the refund''s id, also the provider''s key (docs/cards.md, "Refunds")';
comment on column card_refunds.funding is 'suspense: the payment was never credited';
comment on column card_refunds.is_adopted is 'Made in the provider''s dashboard: its tokens were never held';
comment on column card_refunds.share_micro_ath is 'The tokens that the money stands for';
comment on column card_refunds.taken_micro_ath is 'The tokens taken from the user. What is missing is the programme''s cost';
comment on column card_refunds.requested_by is 'The member of staff; null: nobody of ours';
comment on column card_refunds.accepted_at is 'When the provider''s acceptance was booked';
comment on column card_refunds.method is 'bank: finance pays by a bank transfer, because the card could not take the refund';
comment on column card_refunds.reference is 'The reference of the bank transfer';
CREATE INDEX card_refunds_accepted ON public.card_refunds USING btree (accepted_at) WHERE (accepted_at IS NOT NULL);
CREATE INDEX card_refunds_by_order ON public.card_refunds USING btree (order_id);
CREATE INDEX card_refunds_by_state ON public.card_refunds USING btree (state, created_at, id);
CREATE INDEX card_refunds_by_time ON public.card_refunds USING btree (created_at);
CREATE INDEX card_refunds_of_user ON public.card_refunds USING btree (user_id) WHERE (state = ANY (ARRAY['requested'::text, 'approved'::text, 'sending'::text]));
CREATE INDEX card_refunds_open ON public.card_refunds USING btree (created_at) WHERE (state = ANY (ARRAY['approved'::text, 'sending'::text, 'pending'::text]));

create table card_transactions (
  id text not null,
  type text not null,
  source_id text,
  amount_usd_cents bigint not null,
  fee_usd_cents bigint not null,
  net_usd_cents bigint not null,
  created_at timestamp with time zone not null,
  listed_at timestamp with time zone not null,
  booking_id uuid,
  explanation text,
  looked_at timestamp with time zone,
  constraint card_transactions_booking_id_key UNIQUE (booking_id),
  constraint card_transactions_pkey PRIMARY KEY (id),
  constraint card_transactions_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES card_bookings(id),
  constraint card_transactions_net CHECK ((net_usd_cents = (amount_usd_cents - fee_usd_cents)))
);
comment on table card_transactions is 'The movements of our balance at the provider, each with the booking of ours that it belongs to';
comment on column card_transactions.listed_at is 'When we first saw it';
comment on column card_transactions.explanation is 'Why no booking belongs to it, in the words of a person';
comment on column card_transactions.looked_at is 'When its source was last asked for, so that those that find none do not keep others waiting';
CREATE INDEX card_transactions_besides_payments ON public.card_transactions USING btree (created_at) WHERE (type <> ALL (ARRAY['charge'::text, 'payment'::text]));
CREATE INDEX card_transactions_by_listing ON public.card_transactions USING btree (listed_at) INCLUDE (net_usd_cents);
CREATE INDEX card_transactions_by_time ON public.card_transactions USING btree (created_at);
CREATE INDEX card_transactions_explained ON public.card_transactions USING btree (source_id) WHERE (explanation IS NOT NULL);
CREATE INDEX card_transactions_unmatched ON public.card_transactions USING btree (looked_at NULLS FIRST, listed_at) WHERE (booking_id IS NULL);
CREATE INDEX card_transactions_waiting ON public.card_transactions USING btree (listed_at) WHERE ((booking_id IS NULL) AND (explanation IS NULL));

create table card_transactions_listed (
  is_only boolean default true not null,
  listed_until timestamp with time zone not null,
  constraint card_transactions_listed_pkey PRIMARY KEY (is_only),
  constraint card_transactions_listed_is_only CHECK (is_only)
);
comment on table card_transactions_listed is 'Until when the provider''s list of transactions has been stored. Payments and disputes store some of them too, so the newest stored one tells nothing of it. One row, once the list has been read';

create table card_warnings (
  id text not null,
  order_id uuid not null,
  user_id bigint not null,
  fraud_type text not null,
  is_actionable boolean not null,
  created_at timestamp with time zone not null,
  constraint card_warnings_pkey PRIMARY KEY (id),
  constraint card_warnings_order_id_fkey FOREIGN KEY (order_id) REFERENCES card_orders(id),
  constraint card_warnings_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
comment on table card_warnings is 'Early fraud warnings: the cardholder''s bank suspects a payment';
comment on column card_warnings.is_actionable is 'No dispute and no full refund has followed yet';
CREATE INDEX card_warnings_by_order ON public.card_warnings USING btree (order_id);
CREATE INDEX card_warnings_by_time ON public.card_warnings USING btree (created_at, id);

create table categories (
  id integer not null,
  parent_id integer,
  title text not null,
  description text not null,
  banner_url text not null,
  position integer not null,
  display_type text not null,
  picture_id text,
  version integer default 1 not null,
  archived_at timestamp with time zone,
  constraint categories_pkey PRIMARY KEY (id),
  constraint categories_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES categories(id),
  constraint categories_picture_id_fkey FOREIGN KEY (picture_id) REFERENCES pictures(id),
  constraint categories_display_type_check CHECK ((display_type = ANY (ARRAY['row'::text, 'grid'::text, 'featured'::text, 'list'::text]))),
  constraint categories_not_under_themselves CHECK ((parent_id <> id))
);
comment on column categories.version is 'Counts the changes by staff of what the category shows; its place in the tree is none of them';
comment on column categories.archived_at is 'Archived categories are hidden from customers. Nothing below one is on sale';
CREATE INDEX categories_by_parent ON public.categories USING btree (parent_id, "position");
CREATE TRIGGER categories_name_pictures AFTER INSERT OR UPDATE OF picture_id ON public.categories FOR EACH ROW WHEN ((new.picture_id IS NOT NULL)) EXECUTE FUNCTION note_picture_named();

create table code_claims (
  code_hash bytea not null,
  user_id bigint not null,
  venue_id integer not null,
  claimed_at timestamp with time zone not null,
  constraint code_claims_pkey PRIMARY KEY (code_hash),
  constraint code_claims_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint code_claims_venue_id_fkey FOREIGN KEY (venue_id) REFERENCES venues(id)
);
comment on table code_claims is 'Who scanned a code first: nobody else and no other venue may redeem it';
CREATE INDEX code_claims_by_time ON public.code_claims USING btree (claimed_at);

create table confirmation_limits (
  user_id bigint not null,
  usd_cents bigint,
  next_usd_cents bigint,
  next_from timestamp with time zone,
  spent_usd_cents bigint default 0 not null,
  constraint confirmation_limits_pkey PRIMARY KEY (user_id),
  constraint confirmation_limits_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint confirmation_limits_next CHECK (((next_from IS NOT NULL) OR (next_usd_cents IS NULL))),
  constraint confirmation_limits_next_usd_cents_check CHECK (((next_usd_cents >= 0) AND (next_usd_cents <= 20000))),
  constraint confirmation_limits_spent_usd_cents_check CHECK ((spent_usd_cents >= 0)),
  constraint confirmation_limits_usd_cents_check CHECK (((usd_cents >= 0) AND (usd_cents <= 20000)))
);
comment on table confirmation_limits is 'Above which sum an account confirms what it spends, and what it has spent since it last did. Deleted with the account';
comment on column confirmation_limits.usd_cents is 'What the owner chose. Null: 200 USD with a second factor, none without';
comment on column confirmation_limits.next_usd_cents is 'What replaces it at next_from, where the owner has raised it';

create table console_acts (
  staff_id uuid not null,
  key uuid not null,
  call text not null,
  request_digest bytea not null,
  answer bytea,
  created_at timestamp with time zone not null,
  constraint console_acts_pkey PRIMARY KEY (staff_id, key),
  constraint console_acts_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id)
);
comment on column console_acts.request_digest is 'HMAC-SHA-256 of what was asked for: of a short text, a plain digest could be guessed';
comment on column console_acts.answer is 'JSON, sealed (decision 0016). Null only inside the transaction that does it';
CREATE INDEX console_acts_by_time ON public.console_acts USING btree (created_at);

create table contacts (
  user_id bigint not null,
  id uuid not null,
  version integer not null,
  sealed bytea,
  changed_at timestamp with time zone not null,
  deleted_at timestamp with time zone,
  constraint contacts_pkey PRIMARY KEY (user_id, id),
  constraint contacts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint contacts_deleted_are_empty CHECK (((sealed IS NULL) = (deleted_at IS NOT NULL))),
  constraint contacts_version_counts CHECK ((version > 0))
);
comment on table contacts is 'Saved recipients that the devices of an account share (decision 0066): 500 of a user, 2,000 with deleted ones. Erased with the account';
comment on column contacts.id is 'Made by the device that added the contact';
comment on column contacts.version is 'Raised by each change; the highest wins';
comment on column contacts.sealed is 'Name and address as JSON, sealed (platform/sealed.ts)';
comment on column contacts.deleted_at is 'Kept for 180 days, so that no device brings the contact back';
CREATE INDEX contacts_by_deletion ON public.contacts USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);

create table counted_spends (
  user_id bigint not null,
  key uuid not null,
  act_hash bytea not null,
  counted_at timestamp with time zone not null,
  constraint counted_spends_pkey PRIMARY KEY (user_id, key),
  constraint counted_spends_user_id_fkey FOREIGN KEY (user_id) REFERENCES confirmation_limits(user_id) ON DELETE CASCADE
);
comment on table counted_spends is 'Requests that such an account may repeat without another confirmation and without being counted again. Deleted after a day';
CREATE INDEX counted_spends_by_time ON public.counted_spends USING btree (counted_at);

create table customer_notes (
  id bigint generated always as identity not null,
  user_id bigint not null,
  staff_id uuid not null,
  text text not null,
  written_at timestamp with time zone not null,
  constraint customer_notes_pkey PRIMARY KEY (id),
  constraint customer_notes_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id),
  constraint customer_notes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint customer_notes_text_check CHECK (((char_length(text) >= 1) AND (char_length(text) <= 2000)))
);
comment on table customer_notes is 'What staff wrote about a customer. Never changed; deleted with the person';
CREATE INDEX customer_notes_by_staff ON public.customer_notes USING btree (staff_id);
CREATE INDEX customer_notes_by_user ON public.customer_notes USING btree (user_id, id);

create table database_use (
  is_only boolean default true not null,
  use text not null,
  began_at timestamp with time zone default now() not null,
  constraint database_use_pkey PRIMARY KEY (is_only),
  constraint database_use_is_only_check CHECK (is_only),
  constraint database_use_use_check CHECK ((use = ANY (ARRAY['live'::text, 'rehearsal'::text])))
);
comment on table database_use is 'What the first production start used this database for. It never becomes the other: a rehearsal''s balances were paid for by nobody';

create table event_counts (
  event text not null,
  dimension text not null,
  quarter timestamp with time zone not null,
  count bigint not null,
  constraint event_counts_pkey PRIMARY KEY (event, quarter, dimension)
);
comment on table event_counts is 'How often something happened whose rows are deleted, in each quarter of an hour, since some time zones differ by one. Names nobody. Never deleted: some rows an hour';

create table exchange_rates (
  id bigint generated always as identity not null,
  usd_per_ath numeric(18,8) not null,
  in_force_from timestamp with time zone default now() not null,
  confirmed_at timestamp with time zone default now() not null,
  is_by_vote boolean default false not null,
  constraint exchange_rates_pkey PRIMARY KEY (id),
  constraint exchange_rates_check CHECK ((confirmed_at >= in_force_from)),
  constraint exchange_rates_usd_per_ath_check CHECK ((usd_per_ath > (0)::numeric))
);
comment on table exchange_rates is 'The published series: a rate is in force until the next one begins';
comment on column exchange_rates.confirmed_at is 'When the source last said so';
comment on column exchange_rates.is_by_vote is 'Staff voted for it although it breaks a guard rail. Hours and days of the guard rails begin with it';
CREATE INDEX exchange_rates_by_time ON public.exchange_rates USING btree (in_force_from);

create table exports (
  id uuid not null,
  staff_id uuid not null,
  content text not null,
  filters jsonb not null,
  user_id bigint,
  state text default 'waiting'::text not null,
  rows_done bigint default 0 not null,
  rows_total bigint,
  byte_count bigint,
  created_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  expires_at timestamp with time zone,
  link_hash bytea,
  link_expires_at timestamp with time zone,
  constraint exports_pkey PRIMARY KEY (id),
  constraint exports_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id),
  constraint exports_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint exports_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'running'::text, 'ready'::text, 'failed'::text, 'deleted'::text])))
);
comment on table exports is 'Files that staff asked for. A file is deleted 72 h after it was written, its row 90 days after it was asked for';
comment on column exports.id is 'UUIDv7, and the name of the file';
comment on column exports.user_id is 'Of a person''s data: whose';
comment on column exports.link_hash is 'SHA-256 of the code of the last link; null once it was used';
CREATE INDEX exports_by_staff ON public.exports USING btree (staff_id, id);
CREATE INDEX exports_by_time ON public.exports USING btree (created_at);
CREATE INDEX exports_of_user ON public.exports USING btree (user_id) WHERE (user_id IS NOT NULL);

create table factor_challenges (
  challenge_hash bytea not null,
  purpose text not null,
  expires_at timestamp with time zone not null,
  constraint factor_challenges_pkey PRIMARY KEY (challenge_hash)
);
comment on table factor_challenges is 'Random texts for passkeys to sign, each taken once. Expired ones are deleted every ten minutes';
comment on column factor_challenges.challenge_hash is 'SHA-256 of the challenge';
comment on column factor_challenges.purpose is 'What it may be used for, and by whom if that is known';
CREATE INDEX factor_challenges_by_end ON public.factor_challenges USING btree (expires_at);

create table handles (
  skeleton text not null,
  user_id bigint,
  handle text,
  claimed_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  removed_at timestamp with time zone,
  constraint handles_pkey PRIMARY KEY (skeleton),
  constraint handles_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint handles_handle_check CHECK ((handle ~ '^[a-z][a-z0-9_]{2,19}$'::text)),
  constraint handles_live CHECK (((ended_at IS NOT NULL) OR ((user_id IS NOT NULL) AND (handle IS NOT NULL)))),
  constraint handles_removed CHECK (((removed_at IS NULL) OR (ended_at IS NOT NULL)))
);
comment on table handles is 'By which names customers are found. One that was given up stays blocked for a year, then it is deleted; one that staff took away stays';
comment on column handles.skeleton is 'What handles that look alike have in common';
comment on column handles.removed_at is 'When staff took it away. Nobody gets it, or one that looks like it, again';
CREATE INDEX handles_by_end ON public.handles USING btree (ended_at) WHERE (ended_at IS NOT NULL);
CREATE UNIQUE INDEX handles_of_user ON public.handles USING btree (user_id) WHERE (ended_at IS NULL);

create table journal_days (
  day date not null,
  first_seal bigint not null,
  last_seal bigint not null,
  root bytea not null,
  nodes bytea not null,
  previous bytea not null,
  hash bytea not null,
  signature bytea not null,
  public_key bytea not null,
  constraint journal_days_pkey PRIMARY KEY (day),
  constraint journal_days_are_ordered CHECK (((first_seal > 0) AND (last_seal >= (first_seal - 1))))
);
comment on table journal_days is 'The published head of each day, over the hashes of its seals. Never changed or deleted';
comment on column journal_days.last_seal is 'One less than the first if nothing was sealed on that day';
comment on column journal_days.nodes is 'The hashes over each 64 seals in their order';
CREATE INDEX journal_days_by_seal ON public.journal_days USING btree (last_seal);

create table journal_seal_keys (
  public_key bytea not null,
  first_used_at timestamp with time zone not null,
  constraint journal_seal_keys_pkey PRIMARY KEY (public_key)
);
comment on table journal_seal_keys is 'The public keys that have signed seals and days, for those who check old receipts. Never deleted';

create table journal_seals (
  n bigint not null,
  first_id bigint not null,
  last_id bigint not null,
  row_count integer not null,
  root bytea not null,
  nodes bytea not null,
  chain_hash bytea not null,
  salt_key bytea not null,
  sealed_at timestamp with time zone not null,
  previous bytea not null,
  hash bytea not null,
  signature bytea not null,
  public_key bytea not null,
  constraint journal_seals_first_id_key UNIQUE (first_id),
  constraint journal_seals_last_id_key UNIQUE (last_id),
  constraint journal_seals_pkey PRIMARY KEY (n),
  constraint journal_seals_are_ordered CHECK (((n > 0) AND (row_count > 0) AND (last_id >= first_id)))
);
comment on table journal_seals is 'Signed Merkle roots over some thousand transfers each, from whole batches. Never changed or deleted';
comment on column journal_seals.nodes is 'The hashes over each 64 leaves in their order, so that a proof reads 64 transfers';
comment on column journal_seals.chain_hash is 'The hash of the last batch that it covers';
comment on column journal_seals.salt_key is 'Which key of RECEIPT_KEY its salts come from';
comment on column journal_seals.hash is 'SHA-256 of the previous seal''s hash and the seal''s text';

create table known_devices (
  user_id bigint not null,
  device_hash bytea not null,
  first_seen_at timestamp with time zone default now() not null,
  last_seen_at timestamp with time zone default now() not null,
  constraint known_devices_pkey PRIMARY KEY (user_id, device_hash),
  constraint known_devices_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
comment on table known_devices is 'Devices that have signed in to an account, by keyed hashes; the latest 20 of each account';
CREATE INDEX known_devices_by_time ON public.known_devices USING btree (last_seen_at);

create table ledger_accounts (
  id bigint not null,
  asset text not null,
  code text,
  balance_units bigint default 0 not null,
  floor_units bigint default 0 not null,
  last_transfer_id bigint default 0 not null,
  state smallint default 0 not null,
  constraint ledger_accounts_pkey PRIMARY KEY (id),
  constraint ledger_accounts_asset CHECK ((((id & (7)::bigint) =
CASE asset
    WHEN 'ATH'::text THEN 0
    WHEN 'ATH2'::text THEN 1
    WHEN 'ATH3'::text THEN 2
    WHEN 'USD'::text THEN 3
    ELSE NULL::integer
END) AND (asset = ANY (ARRAY['ATH'::text, 'ATH2'::text, 'ATH3'::text, 'USD'::text])))),
  constraint ledger_accounts_holder CHECK (((id <> 0) AND ((code IS NOT NULL) = (id < 0)))),
  constraint ledger_accounts_not_below_floor CHECK ((balance_units >= floor_units)),
  constraint ledger_accounts_state CHECK ((((state >= 0) AND (state <= 3)) OR ((state >= 17) AND (state <= 23))))
);
comment on table ledger_accounts is 'One stored balance in one asset. Users: id = user * 8 + asset number. The programme''s own: id = asset number - n * 8, with a code.';
comment on column ledger_accounts.balance_units is 'Micro-units of a token, cents of USD. Changed by post_batch alone.';
comment on column ledger_accounts.floor_units is 'The balance never falls below it: 0, save where value enters from outside, for costs, and while a user owes what was clawed back.';
comment on column ledger_accounts.last_transfer_id is 'Head of the account''s list of transfers, newest first; 0 if there is none.';
comment on column ledger_accounts.state is '0 open; 1 restricted and 2 frozen pay nothing out; 3 closed pays nothing out and takes nothing in. 16 + mask, held: 1 sends nothing, 2 spends nothing, 4 receives nothing.';
CREATE UNIQUE INDEX ledger_accounts_code ON public.ledger_accounts USING btree (code, asset) WHERE (code IS NOT NULL);
CREATE INDEX ledger_accounts_in_debt ON public.ledger_accounts USING btree (id) WHERE ((id > 0) AND (floor_units < 0));
CREATE TRIGGER ledger_accounts_open_empty BEFORE INSERT ON public.ledger_accounts FOR EACH ROW WHEN (((new.balance_units <> 0) OR (new.last_transfer_id <> 0))) EXECUTE FUNCTION ledger_refuse_opening_balance();
CREATE TRIGGER ledger_accounts_stay BEFORE DELETE OR TRUNCATE ON public.ledger_accounts FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();

create table ledger_batches (
  first_id bigint not null,
  transfer_count integer not null,
  row_digests bytea not null,
  hash bytea not null,
  constraint ledger_batches_pkey PRIMARY KEY (first_id)
);
comment on table ledger_batches is 'The hash chain: one link per batch, over the hash before it and the rows stored.';
comment on column ledger_batches.row_digests is 'First 4 bytes of the SHA-256 of each row, so that a broken link can name its row.';
comment on column ledger_batches.hash is 'SHA-256 of the hash before, row_digests and the rows'' text.';
CREATE TRIGGER ledger_batches_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.ledger_batches FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();

create table ledger_checkpoints (
  transfer_id bigint not null,
  batch_id bigint not null,
  transfer_count bigint not null,
  batch_count bigint not null,
  hash bytea not null,
  accounts_digest bytea not null,
  totals text not null,
  made_at timestamp with time zone not null,
  key_id text not null,
  signature text not null,
  constraint ledger_checkpoints_pkey PRIMARY KEY (transfer_id)
);
comment on table ledger_checkpoints is 'Where the ledger stood when a verification found it right. Deleted after 90 days, except the last of each piece';
comment on column ledger_checkpoints.transfer_id is 'The last transfer that it covers';
comment on column ledger_checkpoints.accounts_digest is 'SHA-256 over every account that had moved: id, balance, last transfer';
comment on column ledger_checkpoints.totals is 'Balances of the programme''s accounts, and of all customers by asset';

create table ledger_head (
  singleton boolean default true not null,
  hash bytea not null,
  posted_at timestamp with time zone default '-infinity'::timestamp with time zone not null,
  replay_count bigint default 0 not null,
  newest_key_at timestamp with time zone default '-infinity'::timestamp with time zone not null,
  piece_first_id bigint default 0 not null,
  piece_keys_after timestamp with time zone default '-infinity'::timestamp with time zone not null,
  constraint ledger_head_pkey PRIMARY KEY (singleton),
  constraint ledger_head_one_row CHECK (singleton)
);
comment on table ledger_head is 'The last hash of the chain. Its row lock is the ledger''s only lock.';
comment on column ledger_head.posted_at is 'Time of the last batch: the times of the journal never fall, whatever the clock does.';
comment on column ledger_head.replay_count is 'Repeated answers are counted, so that a repeat commits like a first: a read-only one could be answered by a server that already lost its place.';
comment on column ledger_head.newest_key_at is 'The latest time in any version 7 key of the journal.';
comment on column ledger_head.piece_first_id is 'Where the piece begins that is being written; 0 for the first.';
comment on column ledger_head.piece_keys_after is 'A version 7 key with a later time is in no earlier piece.';
CREATE TRIGGER ledger_head_stays BEFORE DELETE OR TRUNCATE ON public.ledger_head FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();

create table ledger_totals (
  account_id bigint not null,
  until_id bigint not null,
  balance_units bigint not null,
  constraint ledger_totals_pkey PRIMARY KEY (account_id, until_id)
);
comment on table ledger_totals is 'Balances after every so many transfers, of accounts that moved since the totals before. Never deleted: some rows per 20,000 transfers';
comment on column ledger_totals.account_id is 'Below 0: an account of the programme. From 0: all customers together in the asset with this number';
comment on column ledger_totals.until_id is 'The last transfer that is in it. Every set of totals has a row of account 0';

create table ledger_transfers (
  id bigint not null,
  debit_account_id bigint not null,
  credit_account_id bigint not null,
  amount_units bigint not null,
  debit_after bigint not null,
  credit_after bigint not null,
  debit_prev_id bigint not null,
  credit_prev_id bigint not null,
  at timestamp with time zone not null,
  key uuid not null,
  line smallint not null,
  kind smallint not null,
  constraint ledger_transfers_pkey PRIMARY KEY (id),
  constraint ledger_transfers_amount CHECK ((amount_units > 0)),
  constraint ledger_transfers_one_asset CHECK (((debit_account_id & (7)::bigint) = (credit_account_id & (7)::bigint))),
  constraint ledger_transfers_two_accounts CHECK ((debit_account_id <> credit_account_id))
) partition by RANGE (id);
comment on table ledger_transfers is 'The journal: one row per movement with both legs. Never changed, never deleted.';
comment on column ledger_transfers.id is 'nextval * 1024 + position in the batch: rising, not gapless.';
comment on column ledger_transfers.debit_after is 'Balance of the debit account after this transfer.';
comment on column ledger_transfers.debit_prev_id is 'The debit account''s transfer before this one, 0 for its first.';
comment on column ledger_transfers.key is 'Idempotency key of the payer: of the user, whatever the asset.';
comment on column ledger_transfers.line is 'Number within the transfers of one payer under one key; 0 for one alone.';
comment on column ledger_transfers.kind is 'TransferKind of the API: 1 send, 2 card credit, 3 purchase, 4 tip, ...';
CREATE TRIGGER ledger_transfers_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.ledger_transfers FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();

alter table ledger_transfers attach partition ledger_transfers_0 FOR VALUES FROM (MINVALUE) TO ('17592186044416');
CREATE UNIQUE INDEX ledger_transfers_0_once ON public.ledger_transfers_0 USING btree (key, ((debit_account_id >> 3)), line);
CREATE TRIGGER ledger_piece_append_only BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.ledger_transfers_0 FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();

create table ledger_verifications (
  id uuid not null,
  requested_at timestamp with time zone not null,
  requested_by uuid,
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  row_count bigint default 0 not null,
  rows_total bigint default 0 not null,
  account_count bigint,
  head text,
  fault_row text,
  fault_reason text,
  has_failed boolean default false not null,
  is_whole boolean default false not null,
  progressed_at timestamp with time zone,
  constraint ledger_verifications_pkey PRIMARY KEY (id),
  constraint ledger_verifications_requested_by_fkey FOREIGN KEY (requested_by) REFERENCES staff(id)
);
comment on table ledger_verifications is 'Verifications of the whole ledger and what they found. Deleted after 500 days';
comment on column ledger_verifications.requested_by is 'Null: the programme, at night';
comment on column ledger_verifications.row_count is 'Transfers read so far, in every pass';
comment on column ledger_verifications.fault_row is 'The first wrong row; null if the ledger is right';
comment on column ledger_verifications.is_whole is 'Whether it begins at the first row, and not at a checkpoint. One of each may be unfinished';
comment on column ledger_verifications.progressed_at is 'When the run last told that it reads. A run that tells nothing for long counts as abandoned';
CREATE INDEX ledger_verifications_by_time ON public.ledger_verifications USING btree (requested_at);
CREATE UNIQUE INDEX ledger_verifications_one_of_a_kind ON public.ledger_verifications USING btree (is_whole) WHERE (finished_at IS NULL);

create table legal_texts (
  id integer generated always as identity not null,
  kind text not null,
  label text not null,
  body text not null,
  version integer default 1 not null,
  edited_at timestamp with time zone not null,
  edited_by uuid not null,
  published_at timestamp with time zone,
  published_by uuid,
  in_force_from timestamp with time zone,
  constraint legal_texts_label UNIQUE (kind, label),
  constraint legal_texts_pkey PRIMARY KEY (id),
  constraint legal_texts_edited_by_fkey FOREIGN KEY (edited_by) REFERENCES staff(id),
  constraint legal_texts_published_by_fkey FOREIGN KEY (published_by) REFERENCES staff(id),
  constraint legal_texts_body_check CHECK (((length(body) >= 1) AND (length(body) <= 60000))),
  constraint legal_texts_kind_check CHECK ((kind = ANY (ARRAY['terms'::text, 'privacy'::text, 'deletion'::text]))),
  constraint legal_texts_label_check CHECK ((label ~ '^[A-Za-z0-9_.-]{1,40}$'::text)),
  constraint legal_texts_published CHECK ((((published_at IS NULL) = (published_by IS NULL)) AND ((published_at IS NULL) = (in_force_from IS NULL))))
);
comment on table legal_texts is 'Versions of the legal texts, after those that the brand was built with. One that is published stays as it is: a correction is another one';
comment on column legal_texts.label is 'What customers accept, as users.terms_version says';
comment on column legal_texts.body is 'Paragraphs, and headings that begin with ##';
comment on column legal_texts.version is 'Raised by each edit of the draft';
comment on column legal_texts.published_by is 'Who asked for it; the approval names who voted';
CREATE TRIGGER legal_texts_stay BEFORE DELETE OR UPDATE ON public.legal_texts FOR EACH ROW WHEN ((old.published_at IS NOT NULL)) EXECUTE FUNCTION legal_refuse_change();
CREATE TRIGGER legal_texts_stay_whole BEFORE TRUNCATE ON public.legal_texts FOR EACH STATEMENT EXECUTE FUNCTION legal_refuse_change();

create table limited_sends (
  user_id bigint not null,
  key uuid not null,
  usd_cents bigint not null,
  sent_at timestamp with time zone not null,
  constraint limited_sends_pkey PRIMARY KEY (user_id, key),
  constraint limited_sends_user_id_fkey FOREIGN KEY (user_id) REFERENCES send_limits(user_id) ON DELETE CASCADE
);
comment on table limited_sends is 'What such an account has sent. Deleted with the limit';

create table link_codes (
  code_hash bytea not null,
  purpose text not null,
  sign_up_id bigint,
  user_id bigint,
  expires_at timestamp with time zone not null,
  constraint link_codes_pkey PRIMARY KEY (code_hash),
  constraint link_codes_sign_up_id_fkey FOREIGN KEY (sign_up_id) REFERENCES sign_ups(id) ON DELETE CASCADE,
  constraint link_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint link_codes_purpose_check CHECK ((purpose = ANY (ARRAY['verify'::text, 'reset'::text]))),
  constraint one_subject CHECK ((((purpose = 'verify'::text) = (sign_up_id IS NOT NULL)) AND ((purpose = 'reset'::text) = (user_id IS NOT NULL))))
);
comment on table link_codes is 'Codes of mailed links, as SHA-256. A used code is deleted';
CREATE INDEX link_codes_by_expiry ON public.link_codes USING btree (expires_at);
CREATE INDEX link_codes_by_sign_up ON public.link_codes USING btree (sign_up_id);
CREATE INDEX link_codes_by_user ON public.link_codes USING btree (user_id);

create table mailed_resets (
  user_id bigint not null,
  reset_at timestamp with time zone not null,
  constraint mailed_resets_pkey PRIMARY KEY (user_id),
  constraint mailed_resets_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
comment on table mailed_resets is 'Whose password was set with a mailed link lately: a lost second step is not removed for some days (decision 0061). Deleted after 7 days, and when a sign-in with a code shows that the owner did it';
CREATE INDEX mailed_resets_by_time ON public.mailed_resets USING btree (reset_at);

create table merchants (
  id integer generated always as identity not null,
  name text not null,
  note text default ''::text not null,
  version integer default 1 not null,
  created_at timestamp with time zone not null,
  archived_at timestamp with time zone,
  constraint merchants_name_key UNIQUE (name),
  constraint merchants_pkey PRIMARY KEY (id)
);
comment on table merchants is 'Who sells offers on an account of their own. Offers of none belong to the programme''s shop. Never deleted: transfers name them';
comment on column merchants.version is 'Raised by each edit. Requests to settle name it, so a payee cannot change under a vote';

create table movement_notes (
  user_id bigint not null,
  movement_id bigint not null,
  sealed bytea not null,
  changed_at timestamp with time zone not null,
  constraint movement_notes_pkey PRIMARY KEY (user_id, movement_id),
  constraint movement_notes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
comment on table movement_notes is 'What customers note about their own movements: at most 2,000 each. Deleted with the account';
comment on column movement_notes.movement_id is 'The number of the entry in the history, with or without a transfer';
comment on column movement_notes.sealed is 'Note and labels as JSON, sealed (platform/sealed.ts)';

create table offer_drafts (
  offer_id integer not null,
  fields jsonb not null,
  saved_by uuid not null,
  saved_at timestamp with time zone not null,
  constraint offer_drafts_pkey PRIMARY KEY (offer_id),
  constraint offer_drafts_offer_id_fkey FOREIGN KEY (offer_id) REFERENCES offers(id),
  constraint offer_drafts_saved_by_fkey FOREIGN KEY (saved_by) REFERENCES staff(id)
);
comment on table offer_drafts is 'Changes of a published offer until they are published or discarded; one row an offer at most';
comment on column offer_drafts.fields is 'All fields as the contract''s offerFields has them';

create table offer_import_rows (
  import_id uuid not null,
  row_number integer not null,
  offer_id integer,
  title text not null,
  finding text not null,
  faults jsonb not null,
  fields jsonb,
  before jsonb not null,
  after jsonb not null,
  version integer,
  is_skipped boolean default false not null,
  outcome text,
  failure text,
  constraint offer_import_rows_pkey PRIMARY KEY (import_id, row_number),
  constraint offer_import_rows_import_id_fkey FOREIGN KEY (import_id) REFERENCES offer_imports(id) ON DELETE CASCADE,
  constraint offer_import_rows_check CHECK (((fields IS NOT NULL) = (finding = ANY (ARRAY['new'::text, 'change'::text])))),
  constraint offer_import_rows_finding_check CHECK ((finding = ANY (ARRAY['new'::text, 'change'::text, 'same'::text, 'fault'::text]))),
  constraint offer_import_rows_outcome_check CHECK ((outcome = ANY (ARRAY['applied'::text, 'failed'::text])))
);
comment on table offer_import_rows is 'Rows of a file of offers, as the check found them';
comment on column offer_import_rows.row_number is 'As a spreadsheet numbers it. The header is row 1';
comment on column offer_import_rows.fields is 'All fields of the offer as the row would leave it';
comment on column offer_import_rows.version is 'Of the offer when the row was checked. If somebody changes the offer meanwhile, the row fails';
comment on column offer_import_rows.outcome is 'Written in the transaction of the row, so that a run that was cut off does no row twice. Null until then';

create table offer_imports (
  id uuid not null,
  staff_id uuid not null,
  state text default 'checked'::text not null,
  rows_total integer not null,
  created_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  constraint offer_imports_pkey PRIMARY KEY (id),
  constraint offer_imports_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id),
  constraint offer_imports_rows_total_check CHECK (((rows_total >= 1) AND (rows_total <= 5000))),
  constraint offer_imports_state_check CHECK ((state = ANY (ARRAY['checked'::text, 'waiting'::text, 'running'::text, 'done'::text])))
);
comment on table offer_imports is 'Files of offers that staff checked. Deleted a day after the upload if they were not applied, and after 30 days';
CREATE INDEX offer_imports_by_time ON public.offer_imports USING btree (created_at);

create table offer_prices (
  offer_id integer not null,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  price_ath_hundredths integer not null,
  constraint offer_prices_one_at_a_time EXCLUDE USING gist (int4range(offer_id, offer_id, '[]'::text) WITH &&, tstzrange(starts_at, ends_at) WITH &&),
  constraint offer_prices_pkey PRIMARY KEY (offer_id, starts_at),
  constraint offer_prices_offer_id_fkey FOREIGN KEY (offer_id) REFERENCES offers(id),
  constraint offer_prices_price_ath_hundredths_check CHECK ((price_ath_hundredths > 0)),
  constraint offer_prices_window CHECK ((starts_at < ends_at))
);
comment on table offer_prices is 'Prices that hold from starts_at up to ends_at, in place of the offer''s own; 20 of each offer at most';

create table offer_venues (
  offer_id integer not null,
  venue_id integer not null,
  constraint offer_venues_pkey PRIMARY KEY (offer_id, venue_id),
  constraint offer_venues_offer_id_fkey FOREIGN KEY (offer_id) REFERENCES offers(id),
  constraint offer_venues_venue_id_fkey FOREIGN KEY (venue_id) REFERENCES venues(id)
);
comment on table offer_venues is 'Where an offer is redeemed; an offer without a row is redeemed everywhere';

create table offers (
  id integer not null,
  category_id integer not null,
  title text not null,
  note text not null,
  img text not null,
  price_ath_hundredths integer not null,
  kind smallint not null,
  display_type text not null,
  position integer not null,
  active boolean default true not null,
  picture_id text,
  stock_left integer,
  sale_starts_at timestamp with time zone,
  sale_ends_at timestamp with time zone,
  user_count_max integer,
  tier_id_min integer,
  beneficiary_user_id bigint,
  version integer default 1 not null,
  is_draft boolean default false not null,
  stock_alert_max integer,
  merchant_id integer,
  constraint offers_pkey PRIMARY KEY (id),
  constraint offers_beneficiary_user_id_fkey FOREIGN KEY (beneficiary_user_id) REFERENCES users(id),
  constraint offers_category_id_fkey FOREIGN KEY (category_id) REFERENCES categories(id),
  constraint offers_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint offers_picture_id_fkey FOREIGN KEY (picture_id) REFERENCES pictures(id),
  constraint offers_tier_id_min_fkey FOREIGN KEY (tier_id_min) REFERENCES tiers(id),
  constraint offers_beneficiary_is_for_tips CHECK (((beneficiary_user_id IS NULL) OR (kind = 3))),
  constraint offers_display_type_check CHECK ((display_type = ANY (ARRAY['standard'::text, 'wide'::text, 'banner'::text]))),
  constraint offers_drafts_are_not_sold CHECK ((NOT (is_draft AND active))),
  constraint offers_kind_check CHECK (((kind >= 0) AND (kind <= 3))),
  constraint offers_price_ath_hundredths_check CHECK ((price_ath_hundredths >= 0)),
  constraint offers_sale_window CHECK ((sale_starts_at < sale_ends_at)),
  constraint offers_stock_alert_max_check CHECK ((stock_alert_max >= 0)),
  constraint offers_stock_left_check CHECK ((stock_left >= 0)),
  constraint offers_tips_alone_have_no_price CHECK (((kind = 3) = (price_ath_hundredths = 0))),
  constraint offers_tips_are_not_counted CHECK (((kind <> 3) OR ((stock_left IS NULL) AND (user_count_max IS NULL)))),
  constraint offers_tips_have_no_merchant CHECK (((merchant_id IS NULL) OR (kind <> 3))),
  constraint offers_user_count_max_check CHECK ((user_count_max > 0))
);
comment on column offers.price_ath_hundredths is 'Hundredths of an ATH, the wire''s amount_cents. Not US cents';
comment on column offers.stock_left is 'Null: as many as are wanted';
comment on column offers.user_count_max is 'How many one user may ever buy';
comment on column offers.beneficiary_user_id is 'Who receives the tips; null: the programme''s merchant account';
comment on column offers.version is 'Counts the changes by staff, also of the draft. Not the stock, which purchases change';
comment on column offers.is_draft is 'Never published, so no customer sees it';
comment on column offers.stock_alert_max is 'Staff are told once no more than this are left';
comment on column offers.merchant_id is 'Who receives the price; null: the programme''s merchant account';
CREATE INDEX offers_by_category ON public.offers USING btree (category_id, "position");
CREATE INDEX offers_by_merchant ON public.offers USING btree (merchant_id) WHERE (merchant_id IS NOT NULL);
CREATE TRIGGER offers_name_pictures AFTER INSERT OR UPDATE OF picture_id ON public.offers FOR EACH ROW WHEN ((new.picture_id IS NOT NULL)) EXECUTE FUNCTION note_picture_named();

create table offline_entries (
  log_id uuid not null,
  entry_hash bytea not null,
  seq bigint not null,
  state text not null,
  fault text,
  at_ms bigint not null,
  received_at timestamp with time zone not null,
  staff_uuid uuid not null,
  venue_id integer not null,
  previous_hash bytea not null,
  signature bytea not null,
  code text,
  item_ids bigint[] not null,
  holder_user_id bigint,
  redemption_id bigint,
  outcomes jsonb default '[]'::jsonb not null,
  constraint offline_entries_pkey PRIMARY KEY (log_id, entry_hash),
  constraint offline_entries_holder_user_id_fkey FOREIGN KEY (holder_user_id) REFERENCES users(id),
  constraint offline_entries_log_id_fkey FOREIGN KEY (log_id) REFERENCES offline_logs(id) ON DELETE CASCADE,
  constraint offline_entries_redemption_id_fkey FOREIGN KEY (redemption_id) REFERENCES redemptions(id),
  constraint offline_entries_fault CHECK (((state = ANY (ARRAY['booked'::text, 'settled'::text])) OR (fault IS NOT NULL))),
  constraint offline_entries_state_check CHECK ((state = ANY (ARRAY['booked'::text, 'kept'::text, 'settled'::text, 'left'::text])))
);
comment on table offline_entries is 'Redemptions without a network as scanners told of them (decision 0064). Deleted 500 days after they came';
comment on column offline_entries.entry_hash is 'SHA-256 of what the scanner''s key signed';
comment on column offline_entries.state is 'kept: waits for a person, who books what holds of it (settled) or leaves it (left)';
comment on column offline_entries.fault is 'Why it was kept';
comment on column offline_entries.venue_id is 'As the scanner said, like staff_uuid';
comment on column offline_entries.code is 'The ticket code that the scanner read. Forgotten when its holder is erased';
CREATE INDEX offline_entries_by_redemption ON public.offline_entries USING btree (redemption_id) WHERE (redemption_id IS NOT NULL);
CREATE UNIQUE INDEX offline_entries_by_seq ON public.offline_entries USING btree (log_id, seq) WHERE (state = 'booked'::text);
CREATE INDEX offline_entries_by_time ON public.offline_entries USING btree (received_at);
CREATE INDEX offline_entries_kept ON public.offline_entries USING btree (log_id) WHERE (state = 'kept'::text);
CREATE INDEX offline_entries_of_holder ON public.offline_entries USING btree (holder_user_id) WHERE (holder_user_id IS NOT NULL);

create table offline_logs (
  id uuid default uuidv7() not null,
  device_id uuid not null,
  public_key bytea not null,
  begun_at timestamp with time zone not null,
  last_seq bigint default 0 not null,
  last_hash bytea,
  last_at_ms bigint default 0 not null,
  last_sync_at timestamp with time zone,
  suspect_since timestamp with time zone,
  suspect_fault text,
  constraint offline_logs_public_key_key UNIQUE (public_key),
  constraint offline_logs_pkey PRIMARY KEY (id),
  constraint offline_logs_device_id_fkey FOREIGN KEY (device_id) REFERENCES scanner_devices(id) ON DELETE CASCADE,
  constraint offline_logs_head CHECK (((last_seq = 0) = (last_hash IS NULL))),
  constraint offline_logs_key_is_compressed CHECK ((octet_length(public_key) = 33)),
  constraint offline_logs_suspect CHECK (((suspect_since IS NULL) = (suspect_fault IS NULL)))
);
comment on table offline_logs is 'What a key of a scanner has redeemed without a network (decision 0064): one row for each key. Deleted 500 days after its last sync';
comment on column offline_logs.public_key is 'A point of P-256 in its compressed form. The private key never leaves the scanner';
comment on column offline_logs.begun_at is 'When the key was enrolled, the last time. A device works with the key that was enrolled last';
comment on column offline_logs.last_seq is 'Number, hash and time of the last entry that was taken';
comment on column offline_logs.suspect_since is 'Since when nothing of it is booked, because an entry did not hold';
CREATE INDEX offline_logs_of_device ON public.offline_logs USING btree (device_id, begun_at);

create table passkey_handles (
  user_id bigint not null,
  handle bytea not null,
  constraint passkey_handles_handle_key UNIQUE (handle),
  constraint passkey_handles_pkey PRIMARY KEY (user_id),
  constraint passkey_handles_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
comment on table passkey_handles is 'What authenticators store to tell accounts apart: 32 random bytes, which lead to nothing outside this table';

create table passkeys (
  id uuid not null,
  user_id bigint not null,
  credential_id bytea not null,
  public_key bytea not null,
  sign_count bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint passkeys_credential_id_key UNIQUE (credential_id),
  constraint passkeys_pkey PRIMARY KEY (id),
  constraint passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
comment on table passkeys is 'The passkeys of customers. Each signs in alone, because it verifies its holder';
comment on column passkeys.sign_count is 'The newest count of the authenticator; 0 if it does not count. A falling one is the sign of a copy';
comment on column passkeys.transports is 'How browsers can reach the authenticator';
CREATE INDEX passkeys_of_user ON public.passkeys USING btree (user_id, created_at);

create table password_changes (
  user_id bigint not null,
  key uuid not null,
  request_hash text not null,
  changed_at timestamp with time zone not null,
  constraint password_changes_pkey PRIMARY KEY (user_id, key),
  constraint password_changes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
comment on table password_changes is 'Passwords changed with an Idempotency-Key, for repeats of the same request within a day';
comment on column password_changes.request_hash is 'Argon2id of both passwords of the request';
CREATE INDEX password_changes_by_time ON public.password_changes USING btree (changed_at);

create table pay_codes (
  id uuid not null,
  user_id bigint not null,
  code_hash bytea not null,
  details bytea not null,
  made_at timestamp with time zone not null,
  constraint pay_codes_code_hash_key UNIQUE (code_hash),
  constraint pay_codes_pkey PRIMARY KEY (id),
  constraint pay_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
comment on table pay_codes is 'Links by which a customer is paid. Deleted when their owner ends them, at most 20 of each';
comment on column pay_codes.code_hash is 'SHA-256 of the code in the link';
comment on column pay_codes.details is 'Code, label, amount and note as JSON, sealed';
CREATE INDEX pay_codes_of_user ON public.pay_codes USING btree (user_id);

create table pictures (
  id text not null,
  width integer not null,
  height integer not null,
  formats text[] not null,
  uploaded_at timestamp with time zone default now() not null,
  alternative_text text default ''::text not null,
  crop_x smallint default 50 not null,
  crop_y smallint default 50 not null,
  named_at timestamp with time zone,
  version integer default 1 not null,
  constraint pictures_pkey PRIMARY KEY (id),
  constraint pictures_alternative_text_check CHECK ((length(alternative_text) <= 300)),
  constraint pictures_crop_x_check CHECK (((crop_x >= 0) AND (crop_x <= 100))),
  constraint pictures_crop_y_check CHECK (((crop_y >= 0) AND (crop_y <= 100))),
  constraint pictures_formats_check CHECK ((formats <@ ARRAY['webp'::text, 'avif'::text])),
  constraint pictures_height_check CHECK ((height > 0)),
  constraint pictures_id_check CHECK ((id ~ '^[0-9a-f]{64}$'::text)),
  constraint pictures_width_check CHECK ((width > 0))
);
comment on table pictures is 'Stored pictures. The files are in the picture storage as id/width.format, and never change';
comment on column pictures.id is 'SHA-256 of the picture as it was handed in';
comment on column pictures.formats is 'Formats that every width is there in. None: its files are being written, or are about to be removed';
comment on column pictures.uploaded_at is 'When it was last handed in';
comment on column pictures.crop_x is 'With crop_y the point that stays in view where the picture is cut, in per cent of its width and height';
comment on column pictures.named_at is 'When an offer or a category first named it. Such a picture stays, because purchases keep its address; any other is removed a day after it was uploaded';
CREATE INDEX pictures_by_upload ON public.pictures USING btree (uploaded_at DESC, id DESC);

create table profiles (
  user_id bigint not null,
  display_name text,
  shows_name boolean default false not null,
  is_findable boolean default true not null,
  constraint profiles_pkey PRIMARY KEY (user_id),
  constraint profiles_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint profiles_display_name_check CHECK (((char_length(display_name) >= 2) AND (char_length(display_name) <= 40)))
);
comment on table profiles is 'How customers want to be shown to others. Deleted with the account';
comment on column profiles.shows_name is 'Whether those who send to them see the name';
comment on column profiles.is_findable is 'Whether they are found by their handle';

create table program_processes (
  id uuid not null,
  program text not null,
  version text not null,
  started_at timestamp with time zone not null,
  seen_at timestamp with time zone not null,
  memory_bytes bigint not null,
  loop_delay_ms integer not null,
  outside jsonb not null,
  key_ids text[] default '{}'::text[] not null,
  constraint program_processes_pkey PRIMARY KEY (id)
);
comment on table program_processes is 'Running programs, each with a row of its own that it writes every 15 s. Deleted a day after the last time';
comment on column program_processes.loop_delay_ms is 'The longest delay of the event loop since the time before';
comment on column program_processes.outside is 'When the card provider and the mail server last answered the process, and last failed to';
comment on column program_processes.key_ids is 'Of API processes: the ids of the keys with which it verifies tokens and QR codes. No process signs with a key that another one does not have';
CREATE INDEX program_processes_by_time ON public.program_processes USING btree (seen_at);

create table programme_settings (
  key text not null,
  value jsonb not null,
  changed_at timestamp with time zone not null,
  changed_by text not null,
  constraint programme_settings_pkey PRIMARY KEY (key)
);
comment on table programme_settings is 'Settings of the programme that differ from their default (packages/contract/src/programme.ts). Writers notify programme_changed';
comment on column programme_settings.changed_by is 'Who set it: a person, or the account of the command line';

create table purchase_items (
  id bigint generated always as identity not null,
  purchase_id bigint not null,
  line smallint not null,
  redeemed_at timestamp with time zone,
  redemption_id bigint,
  voided_at timestamp with time zone,
  constraint purchase_items_pkey PRIMARY KEY (id),
  constraint purchase_items_purchase_id_line_fkey FOREIGN KEY (purchase_id, line) REFERENCES purchase_lines(purchase_id, line),
  constraint purchase_items_redemption_id_fkey FOREIGN KEY (redemption_id) REFERENCES redemptions(id),
  constraint purchase_items_redeemed_at_once CHECK (((redeemed_at IS NULL) = (redemption_id IS NULL))),
  constraint purchase_items_redeemed_before_voided CHECK ((redeemed_at <= voided_at))
);
comment on column purchase_items.voided_at is 'When it was refunded: it cannot be redeemed any more, and may have been before';
CREATE INDEX purchase_items_by_purchase ON public.purchase_items USING btree (purchase_id, line);
CREATE INDEX purchase_items_by_redemption ON public.purchase_items USING btree (redemption_id) WHERE (redemption_id IS NOT NULL);
CREATE INDEX purchase_items_by_void ON public.purchase_items USING btree (voided_at) WHERE (voided_at IS NOT NULL);

create table purchase_lines (
  purchase_id bigint not null,
  line smallint not null,
  offer_id integer not null,
  item_count smallint not null,
  price_ath_hundredths integer not null,
  title text not null,
  note text not null,
  img text not null,
  kind smallint not null,
  merchant_id integer,
  constraint purchase_lines_pkey PRIMARY KEY (purchase_id, line),
  constraint purchase_lines_offer_id_fkey FOREIGN KEY (offer_id) REFERENCES offers(id),
  constraint purchase_lines_purchase_id_fkey FOREIGN KEY (purchase_id) REFERENCES purchases(id),
  constraint purchase_lines_item_count_check CHECK (((item_count >= 1) AND (item_count <= 99))),
  constraint purchase_lines_kind_check CHECK (((kind >= 0) AND (kind <= 2))),
  constraint purchase_lines_line_check CHECK ((line >= 0)),
  constraint purchase_lines_price_ath_hundredths_check CHECK ((price_ath_hundredths > 0))
);
comment on table purchase_lines is 'A line of the cart as it was bought: one transfer of the ledger, one entry of the history';
comment on column purchase_lines.price_ath_hundredths is 'Of one item';
comment on column purchase_lines.merchant_id is 'Who received the price. Replays and refunds read it here, because the offer may have another merchant by then';
CREATE INDEX purchase_lines_by_offer ON public.purchase_lines USING btree (offer_id);

create table purchases (
  id bigint generated always as identity not null,
  user_id bigint not null,
  key uuid not null,
  total_ath_hundredths bigint not null,
  created_at timestamp with time zone not null,
  constraint purchases_user_id_key_key UNIQUE (user_id, key),
  constraint purchases_pkey PRIMARY KEY (id),
  constraint purchases_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint purchases_total_ath_hundredths_check CHECK ((total_ath_hundredths > 0))
);
comment on column purchases.key is 'Idempotency key: the ledger''s transfers of the lines have it too';

create table rate_schedule (
  id uuid not null,
  usd_per_ath numeric(18,8) not null,
  in_force_from timestamp with time zone not null,
  is_by_vote boolean not null,
  state text default 'waiting'::text not null,
  ended_at timestamp with time zone,
  constraint rate_schedule_pkey PRIMARY KEY (id),
  constraint rate_schedule_ended CHECK (((state = 'waiting'::text) = (ended_at IS NULL))),
  constraint rate_schedule_state CHECK ((state = ANY (ARRAY['waiting'::text, 'published'::text, 'skipped'::text, 'refused'::text, 'cancelled'::text]))),
  constraint rate_schedule_usd_per_ath_check CHECK ((usd_per_ath > (0)::numeric))
);
comment on table rate_schedule is 'Rates that staff publish by hand, under the id of their approval; pruned 90 days after their end';
comment on column rate_schedule.is_by_vote is 'Two people voted for it although it breaks a guard rail';
comment on column rate_schedule.state is 'published: at its time; skipped: a later one was due as well; refused: at its time it would have broken a guard rail';
CREATE INDEX rate_schedule_ended ON public.rate_schedule USING btree (ended_at) WHERE (state <> 'waiting'::text);
CREATE INDEX rate_schedule_waiting ON public.rate_schedule USING btree (in_force_from, id) WHERE (state = 'waiting'::text);

create table receipt_shares (
  id uuid not null,
  user_id bigint not null,
  transfer_id bigint not null,
  token_hash bytea not null,
  with_names boolean not null,
  made_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint receipt_shares_token_hash_key UNIQUE (token_hash),
  constraint receipt_shares_pkey PRIMARY KEY (id),
  constraint receipt_shares_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint receipt_shares_run_out CHECK ((expires_at > made_at))
);
comment on table receipt_shares is 'Links with which customers show a receipt to others. Deleted when they are ended or have run out';
comment on column receipt_shares.token_hash is 'SHA-256 of the 128 random bits in the link';
comment on column receipt_shares.with_names is 'Whether the accounts of both sides are shown';
CREATE INDEX receipt_shares_by_end ON public.receipt_shares USING btree (expires_at);
CREATE INDEX receipt_shares_of_user ON public.receipt_shares USING btree (user_id, expires_at);

create table recovery_codes (
  user_id bigint not null,
  code_hash bytea not null,
  created_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint recovery_codes_pkey PRIMARY KEY (user_id, code_hash),
  constraint recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
comment on table recovery_codes is 'Each replaces a code of the authenticator app once. A new set replaces the rows of the old one';

create table redemption_conflicts (
  id bigint generated always as identity not null,
  item_id bigint not null,
  first_redemption_id bigint not null,
  first_at timestamp with time zone not null,
  log_id uuid not null,
  entry_hash bytea not null,
  at timestamp with time zone not null,
  venue_id integer not null,
  staff_user_id bigint not null,
  holder_user_id bigint,
  value_ath_hundredths integer not null,
  made_at timestamp with time zone not null,
  state text default 'open'::text not null,
  words text,
  resolved_by uuid,
  resolved_at timestamp with time zone,
  constraint redemption_conflicts_log_id_entry_hash_item_id_key UNIQUE (log_id, entry_hash, item_id),
  constraint redemption_conflicts_pkey PRIMARY KEY (id),
  constraint redemption_conflicts_first_redemption_id_fkey FOREIGN KEY (first_redemption_id) REFERENCES redemptions(id),
  constraint redemption_conflicts_holder_user_id_fkey FOREIGN KEY (holder_user_id) REFERENCES users(id),
  constraint redemption_conflicts_item_id_fkey FOREIGN KEY (item_id) REFERENCES purchase_items(id),
  constraint redemption_conflicts_log_id_fkey FOREIGN KEY (log_id) REFERENCES offline_logs(id) ON DELETE CASCADE,
  constraint redemption_conflicts_resolved_by_fkey FOREIGN KEY (resolved_by) REFERENCES staff(id),
  constraint redemption_conflicts_staff_user_id_fkey FOREIGN KEY (staff_user_id) REFERENCES users(id),
  constraint redemption_conflicts_venue_id_fkey FOREIGN KEY (venue_id) REFERENCES venues(id),
  constraint redemption_conflicts_resolved CHECK (((state = 'open'::text) = (resolved_at IS NULL))),
  constraint redemption_conflicts_state_check CHECK ((state = ANY (ARRAY['open'::text, 'written_off'::text, 'explained'::text])))
);
comment on table redemption_conflicts is 'Items that were handed out twice: by a redemption, and by an entry of a scanner without a network. Deleted 500 days after they were found';
comment on column redemption_conflicts.first_at is 'When the item was redeemed, as log, entry, time, venue and staff say of the second time';
comment on column redemption_conflicts.value_ath_hundredths is 'What the item cost: what the second handover is worth';
CREATE INDEX redemption_conflicts_by_time ON public.redemption_conflicts USING btree (made_at);
CREATE INDEX redemption_conflicts_by_venue ON public.redemption_conflicts USING btree (venue_id, id);
CREATE INDEX redemption_conflicts_of_holder ON public.redemption_conflicts USING btree (holder_user_id, made_at) WHERE (holder_user_id IS NOT NULL);
CREATE INDEX redemption_conflicts_of_log ON public.redemption_conflicts USING btree (log_id, made_at);

create table redemption_reversals (
  redemption_id bigint not null,
  item_id bigint not null,
  approval_id uuid not null,
  reversed_at timestamp with time zone not null,
  constraint redemption_reversals_pkey PRIMARY KEY (redemption_id, item_id),
  constraint redemption_reversals_approval_id_fkey FOREIGN KEY (approval_id) REFERENCES approvals(id),
  constraint redemption_reversals_item_id_fkey FOREIGN KEY (item_id) REFERENCES purchase_items(id),
  constraint redemption_reversals_redemption_id_fkey FOREIGN KEY (redemption_id) REFERENCES redemptions(id)
);
comment on table redemption_reversals is 'Items that a redemption redeemed and staff made redeemable again, each once. Kept as long as the redemption';
comment on column redemption_reversals.approval_id is 'Who reversed it, why, and by whose vote';
CREATE INDEX redemption_reversals_by_item ON public.redemption_reversals USING btree (item_id);
CREATE INDEX redemption_reversals_by_time ON public.redemption_reversals USING btree (reversed_at);

create table redemptions (
  id bigint generated always as identity not null,
  user_id bigint not null,
  key uuid not null,
  request_hash bytea not null,
  venue_id integer not null,
  answer jsonb not null,
  created_at timestamp with time zone not null,
  device_id uuid,
  constraint redemptions_user_id_key_key UNIQUE (user_id, key),
  constraint redemptions_pkey PRIMARY KEY (id),
  constraint redemptions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint redemptions_venue_id_fkey FOREIGN KEY (venue_id) REFERENCES venues(id)
);
comment on table redemptions is 'One accepted redeem request of a member of staff, with its answer for repeats. Kept as long as the items that it redeemed';
comment on column redemptions.device_id is 'Which scanner redeemed online. Null without a network, where the entry''s log names it, and from before it was noted';
CREATE INDEX redemptions_idle_by_time ON public.redemptions USING btree (created_at) WHERE ((answer ->> 'redeemed_count'::text) = '0'::text);

create table refused_scans (
  user_id bigint not null,
  hour timestamp with time zone not null,
  attempt_count integer not null,
  constraint refused_scans_pkey PRIMARY KEY (user_id, hour),
  constraint refused_scans_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint refused_scans_attempt_count_check CHECK ((attempt_count > 0))
);
comment on table refused_scans is 'Attempts at the scanner above the limit, which are counted and not kept one by one';
comment on column refused_scans.hour is 'Its beginning';
CREATE INDEX refused_scans_by_hour ON public.refused_scans USING btree (hour);

create table reward_batches (
  id uuid not null,
  campaign_id integer not null,
  label text not null,
  code_count integer not null,
  claim_count_max integer not null,
  expires_at timestamp with time zone,
  state text default 'waiting'::text not null,
  codes_done integer default 0 not null,
  claim_count integer default 0 not null,
  created_at timestamp with time zone not null,
  made_at timestamp with time zone,
  voided_at timestamp with time zone,
  file_name text,
  file_key bytea,
  file_expires_at timestamp with time zone,
  download_count integer default 0 not null,
  link_hash bytea,
  link_expires_at timestamp with time zone,
  link_form text,
  constraint reward_batches_pkey PRIMARY KEY (id),
  constraint reward_batches_campaign_id_fkey FOREIGN KEY (campaign_id) REFERENCES reward_campaigns(id),
  constraint reward_batches_claim_count_max_check CHECK ((claim_count_max > 0)),
  constraint reward_batches_code_count_check CHECK (((code_count >= 1) AND (code_count <= 100000))),
  constraint reward_batches_file CHECK ((((file_key IS NULL) = (file_name IS NULL)) AND ((file_key IS NULL) OR ((state = 'ready'::text) AND (file_expires_at IS NOT NULL))))),
  constraint reward_batches_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'making'::text, 'ready'::text, 'failed'::text, 'void'::text]))),
  constraint reward_batches_void CHECK (((state = 'void'::text) = (voided_at IS NOT NULL)))
);
comment on table reward_batches is 'Kept as long as their campaign: they say where a code came from. The codes themselves are only in the sealed file';
comment on column reward_batches.id is 'The key of the act that made it';
comment on column reward_batches.claim_count_max is 'Of each code, all users together';
comment on column reward_batches.file_key is 'Sealed column: the key of the file with the codes; null once the file is over';
comment on column reward_batches.link_hash is 'SHA-256 of the code of the last link; null once it was used';
comment on column reward_batches.link_form is 'Which file the last link is for';
CREATE INDEX reward_batches_by_campaign ON public.reward_batches USING btree (campaign_id, created_at, id);
CREATE INDEX reward_batches_with_file ON public.reward_batches USING btree (file_expires_at) WHERE (file_key IS NOT NULL);

create table reward_campaigns (
  id integer generated always as identity not null,
  key uuid not null,
  title text not null,
  amount_micro_ath bigint not null,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  claim_count_max integer,
  user_claim_count_max integer,
  claim_count integer default 0 not null,
  created_at timestamp with time zone not null,
  state text default 'draft'::text not null,
  audience text default 'all'::text not null,
  audience_tier_id integer,
  audience_days integer,
  budget_micro_ath bigint default 0 not null,
  returned_micro_ath bigint,
  settled_at timestamp with time zone,
  version integer default 1 not null,
  constraint reward_campaigns_key_key UNIQUE (key),
  constraint reward_campaigns_pkey PRIMARY KEY (id),
  constraint reward_campaigns_audience_tier_id_fkey FOREIGN KEY (audience_tier_id) REFERENCES tiers(id),
  constraint reward_campaigns_amount_micro_ath_check CHECK (((amount_micro_ath >= 1) AND (amount_micro_ath <= '1000000000000000'::bigint))),
  constraint reward_campaigns_audience CHECK ((((audience = 'tier'::text) = (audience_tier_id IS NOT NULL)) AND ((audience = 'new_accounts'::text) = (audience_days IS NOT NULL)))),
  constraint reward_campaigns_audience_check CHECK ((audience = ANY (ARRAY['all'::text, 'tier'::text, 'new_accounts'::text]))),
  constraint reward_campaigns_audience_days_check CHECK ((audience_days > 0)),
  constraint reward_campaigns_budget_micro_ath_check CHECK ((budget_micro_ath >= 0)),
  constraint reward_campaigns_claim_count_max_check CHECK ((claim_count_max > 0)),
  constraint reward_campaigns_end_after_start CHECK ((ends_at > starts_at)),
  constraint reward_campaigns_returned_micro_ath_check CHECK ((returned_micro_ath >= 0)),
  constraint reward_campaigns_settled CHECK ((((state = 'settled'::text) = (settled_at IS NOT NULL)) AND ((state = 'settled'::text) = (returned_micro_ath IS NOT NULL)))),
  constraint reward_campaigns_state_check CHECK ((state = ANY (ARRAY['draft'::text, 'funded'::text, 'running'::text, 'paused'::text, 'settled'::text]))),
  constraint reward_campaigns_user_claim_count_max_check CHECK ((user_claim_count_max > 0)),
  constraint reward_campaigns_within_limit CHECK (((claim_count >= 0) AND (claim_count <= COALESCE(claim_count_max, claim_count))))
);
comment on table reward_campaigns is 'Its row is locked by each claim, so that limits hold however many come at once';
comment on column reward_campaigns.key is 'Makes opening happen once: also the key of the transfer of its budget';
comment on column reward_campaigns.ends_at is 'From then on nothing is given out';
comment on column reward_campaigns.claim_count_max is 'Of all users together; null: as far as the budget goes';
comment on column reward_campaigns.user_claim_count_max is 'Of one user, over all codes; null: any number';
comment on column reward_campaigns.state is 'As staff left it. That the window is over shows from ends_at alone';
comment on column reward_campaigns.audience is 'Whose claims are accepted: anybody''s, from a tier on, or of accounts that are at most some days old';
comment on column reward_campaigns.budget_micro_ath is 'All that was issued into its account; what is left is the balance there';
comment on column reward_campaigns.returned_micro_ath is 'What went back to issuance when it was settled';
comment on column reward_campaigns.version is 'Counts edits and budgets, not starting and pausing: a pause must not wait for a reload';

create table reward_claims (
  id uuid not null,
  user_id bigint not null,
  key uuid not null,
  code_hash bytea not null,
  campaign_id integer not null,
  amount_micro_ath bigint not null,
  claimed_at timestamp with time zone not null,
  constraint reward_claims_once_by_code UNIQUE (code_hash, user_id),
  constraint reward_claims_once_by_key UNIQUE (user_id, key),
  constraint reward_claims_pkey PRIMARY KEY (id),
  constraint reward_claims_campaign_id_fkey FOREIGN KEY (campaign_id) REFERENCES reward_campaigns(id),
  constraint reward_claims_code_hash_fkey FOREIGN KEY (code_hash) REFERENCES reward_codes(code_hash),
  constraint reward_claims_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint reward_claims_amount_micro_ath_check CHECK ((amount_micro_ath > 0))
);
comment on table reward_claims is 'Who used which code when. A row exists exactly when its transfer does';
comment on column reward_claims.id is 'UUIDv7: key of the transfer from the campaign''s account';
comment on column reward_claims.key is 'Idempotency key of the request';
CREATE INDEX reward_claims_by_campaign ON public.reward_claims USING btree (campaign_id, user_id);

create table reward_codes (
  code_hash bytea not null,
  campaign_id integer not null,
  claim_count_max integer not null,
  claim_count integer default 0 not null,
  batch_id uuid,
  constraint reward_codes_pkey PRIMARY KEY (code_hash),
  constraint reward_codes_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES reward_batches(id),
  constraint reward_codes_campaign_id_fkey FOREIGN KEY (campaign_id) REFERENCES reward_campaigns(id),
  constraint reward_codes_claim_count_max_check CHECK ((claim_count_max > 0)),
  constraint reward_codes_within_limit CHECK (((claim_count >= 0) AND (claim_count <= claim_count_max)))
);
comment on column reward_codes.code_hash is 'HMAC-SHA-256 of the code: the codes themselves are nowhere';
comment on column reward_codes.claim_count_max is 'Of all users together: 1 for a code for one person';
comment on column reward_codes.batch_id is 'Null for codes that were made together with their campaign';
CREATE INDEX reward_codes_by_campaign ON public.reward_codes USING btree (campaign_id);

create table reward_lock_outs (
  id bigint generated always as identity not null,
  subject bytea not null,
  user_id bigint,
  place bytea,
  locked_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  constraint reward_lock_outs_subject_key UNIQUE (subject),
  constraint reward_lock_outs_pkey PRIMARY KEY (id),
  constraint reward_lock_outs_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint reward_lock_outs_of_one CHECK (((user_id IS NULL) <> (place IS NULL)))
);
comment on table reward_lock_outs is 'Accounts and network places at their limit of wrong reward codes, until its window ends';
comment on column reward_lock_outs.subject is 'Of attempt_counters, which keep hashes alone';
comment on column reward_lock_outs.place is 'Sealed column: the network place';
CREATE INDEX reward_lock_outs_by_end ON public.reward_lock_outs USING btree (ends_at);
CREATE INDEX reward_lock_outs_of_user ON public.reward_lock_outs USING btree (user_id) WHERE (user_id IS NOT NULL);

create table reward_sheets (
  batch_id uuid not null,
  form text not null,
  state text default 'waiting'::text not null,
  pages_done integer default 0 not null,
  page_count integer not null,
  file_name text,
  constraint reward_sheets_pkey PRIMARY KEY (batch_id, form),
  constraint reward_sheets_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES reward_batches(id),
  constraint reward_sheets_page_count_check CHECK ((page_count > 0)),
  constraint reward_sheets_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'making'::text, 'ready'::text, 'failed'::text])))
);
comment on table reward_sheets is 'Batches drawn as PDF, each sealed with the key of its batch and deleted with it';

create table roles (
  id text not null,
  title text not null,
  grants jsonb,
  version integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  constraint roles_pkey PRIMARY KEY (id),
  constraint roles_id CHECK ((id ~ '^[a-z][a-z0-9_]{0,59}$'::text))
);
comment on column roles.grants is 'Marks by permission; null: a built-in role';

create table saved_views (
  id uuid default gen_random_uuid() not null,
  staff_id uuid not null,
  list text not null,
  name text not null,
  search text not null,
  constraint saved_views_one_name UNIQUE (staff_id, list, name),
  constraint saved_views_pkey PRIMARY KEY (id),
  constraint saved_views_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id)
);
comment on table saved_views is 'What a list shows, under a name, for the person who saved it; 50 of each person at most';
comment on column saved_views.list is 'The address of the list in the console';
comment on column saved_views.search is 'Filters, sort and columns as that address has them. Never a search for a customer';

create table scanner_devices (
  id uuid not null,
  device_hash bytea not null,
  label text not null,
  name text,
  venue_id integer,
  user_id bigint,
  app_version text,
  first_seen_at timestamp with time zone not null,
  last_seen_at timestamp with time zone not null,
  last_scan_at timestamp with time zone,
  enrolled_at timestamp with time zone,
  blocked_at timestamp with time zone,
  constraint scanner_devices_device_hash_key UNIQUE (device_hash),
  constraint scanner_devices_pkey PRIMARY KEY (id),
  constraint scanner_devices_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint scanner_devices_venue_id_fkey FOREIGN KEY (venue_id) REFERENCES venues(id)
);
comment on table scanner_devices is 'Devices on which staff of venues have signed in. Deleted 90 days after they were last seen, blocked ones after 500';
comment on column scanner_devices.id is 'UUIDv7';
comment on column scanner_devices.device_hash is 'Keyed hash of the installation''s id; of user and kind of browser if it sends none';
comment on column scanner_devices.label is 'Browser and system, from a fixed list';
comment on column scanner_devices.name is 'Given by the enrolment, as is venue_id';
comment on column scanner_devices.user_id is 'Who signed in there last';
comment on column scanner_devices.last_seen_at is 'To the minute, as last_scan_at';
comment on column scanner_devices.blocked_at is 'Since when nobody can scan with it';
CREATE INDEX scanner_devices_by_time ON public.scanner_devices USING btree (last_seen_at);
CREATE INDEX scanner_devices_by_user ON public.scanner_devices USING btree (user_id);
CREATE INDEX scanner_devices_by_venue ON public.scanner_devices USING btree (venue_id);

create table scanner_enrolments (
  code_hash bytea not null,
  venue_id integer not null,
  name text not null,
  created_by uuid not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint scanner_enrolments_pkey PRIMARY KEY (code_hash),
  constraint scanner_enrolments_created_by_fkey FOREIGN KEY (created_by) REFERENCES staff(id),
  constraint scanner_enrolments_venue_id_fkey FOREIGN KEY (venue_id) REFERENCES venues(id)
);
comment on table scanner_enrolments is 'Codes that give a device its name and venue, once, within 15 minutes. Deleted an hour after they expired';
CREATE INDEX scanner_enrolments_by_expiry ON public.scanner_enrolments USING btree (expires_at);

create table scanner_grants (
  log_id uuid not null,
  staff_user_id bigint not null,
  venue_id integer not null,
  granted_from timestamp with time zone not null,
  granted_until timestamp with time zone not null,
  constraint scanner_grants_pkey PRIMARY KEY (log_id, staff_user_id, venue_id, granted_from),
  constraint scanner_grants_log_id_fkey FOREIGN KEY (log_id) REFERENCES offline_logs(id) ON DELETE CASCADE,
  constraint scanner_grants_staff_user_id_fkey FOREIGN KEY (staff_user_id) REFERENCES users(id),
  constraint scanner_grants_venue_id_fkey FOREIGN KEY (venue_id) REFERENCES venues(id)
);
comment on table scanner_grants is 'Who might redeem with which key at which venue without a network, and when. Deleted 500 days after their end';

create table scanner_sessions (
  session_id uuid not null,
  device_id uuid not null,
  constraint scanner_sessions_pkey PRIMARY KEY (session_id),
  constraint scanner_sessions_device_id_fkey FOREIGN KEY (device_id) REFERENCES scanner_devices(id) ON DELETE CASCADE,
  constraint scanner_sessions_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE
);
comment on table scanner_sessions is 'The device of each session that has called the scanner. Deleted with the session';
CREATE INDEX scanner_sessions_of_device ON public.scanner_sessions USING btree (device_id);

create table scans (
  id bigint generated always as identity not null,
  user_id bigint not null,
  venue_id integer,
  at timestamp with time zone not null,
  action text not null,
  outcome text not null,
  code_hash bytea,
  holder_user_id bigint,
  item_count smallint default 0 not null,
  redeemed_count smallint default 0 not null,
  titles text[] default '{}'::text[] not null,
  constraint scans_pkey PRIMARY KEY (id),
  constraint scans_holder_user_id_fkey FOREIGN KEY (holder_user_id) REFERENCES users(id),
  constraint scans_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint scans_venue_id_fkey FOREIGN KEY (venue_id) REFERENCES venues(id),
  constraint scans_action_check CHECK ((action = ANY (ARRAY['scan'::text, 'redeem'::text]))),
  constraint scans_item_count_check CHECK ((item_count >= 0)),
  constraint scans_redeemed_count_check CHECK ((redeemed_count >= 0))
);
comment on table scans is 'Every attempt at the scanner, also a refused one';
comment on column scans.outcome is 'ok, or what stood against the first item, or the code of the refusal';
CREATE INDEX scans_by_holder ON public.scans USING btree (holder_user_id);
CREATE INDEX scans_by_user ON public.scans USING btree (user_id, at DESC, id DESC);
CREATE INDEX scans_idle_by_time ON public.scans USING btree (at) WHERE (redeemed_count = 0);
CREATE INDEX scans_redeemed_by_time ON public.scans USING btree (at) WHERE (redeemed_count > 0);

create table seals (
  day date not null,
  sealed_at timestamp with time zone not null,
  books_head bytea not null,
  audit_seq bigint not null,
  audit_head bytea not null,
  balances jsonb not null,
  card_day date,
  is_card_agreed boolean,
  mailed_at timestamp with time zone,
  constraint seals_pkey PRIMARY KEY (day)
);
comment on table seals is 'Where ledger and audit ended each day. The mail of it, kept outside, proves later that nothing before it was rewritten. One row a day, never deleted';
comment on column seals.day is 'UTC';
comment on column seals.audit_seq is 'The number of the audit''s last entry';
comment on column seals.balances is 'The trial balance by asset, in raw units as text; campaigns in one sum';
comment on column seals.card_day is 'The newest reconciliation of card money, and whether it agreed; null before the first one';
comment on column seals.mailed_at is 'Null until the mail server took the mail, and where no address is configured';

create table second_step_recoveries (
  user_id bigint not null,
  link_hash bytea,
  link_expires_at timestamp with time zone,
  stop_hash bytea,
  stop_code bytea,
  begun_at timestamp with time zone,
  ends_at timestamp with time zone,
  reminded_at timestamp with time zone,
  constraint second_step_recoveries_link_hash_key UNIQUE (link_hash),
  constraint second_step_recoveries_stop_hash_key UNIQUE (stop_hash),
  constraint second_step_recoveries_pkey PRIMARY KEY (user_id),
  constraint second_step_recoveries_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint second_step_recoveries_begun CHECK ((((begun_at IS NULL) = (ends_at IS NULL)) AND ((begun_at IS NULL) = (stop_hash IS NULL)) AND ((stop_hash IS NULL) = (stop_code IS NULL))))
);
comment on table second_step_recoveries is 'Who waits for the removal of a second step that is lost: asked for by a mailed link, then begun. Deleted when it was stopped, has ended or its link ran out';
comment on column second_step_recoveries.link_hash is 'SHA-256 of the code in the mailed link that begins the wait';
comment on column second_step_recoveries.stop_hash is 'SHA-256 of the code in the mailed links that stop it';
comment on column second_step_recoveries.stop_code is 'That code, sealed, for the mails that follow';
CREATE INDEX second_step_recoveries_by_end ON public.second_step_recoveries USING btree (ends_at);

create table send_holds (
  id uuid not null,
  sender_id bigint not null,
  recipient_id bigint not null,
  asset text not null,
  amount_units bigint not null,
  key uuid not null,
  undo_seconds smallint not null,
  state text default 'held'::text not null,
  reason text,
  made_at timestamp with time zone not null,
  post_at timestamp with time zone not null,
  settled_at timestamp with time zone,
  is_first_time boolean,
  constraint send_holds_key UNIQUE (sender_id, key),
  constraint send_holds_pkey PRIMARY KEY (id),
  constraint send_holds_recipient_id_fkey FOREIGN KEY (recipient_id) REFERENCES users(id),
  constraint send_holds_sender_id_fkey FOREIGN KEY (sender_id) REFERENCES users(id),
  constraint send_holds_amount_units_check CHECK ((amount_units > 0)),
  constraint send_holds_asset_check CHECK ((asset = ANY (ARRAY['ATH'::text, 'ATH2'::text, 'ATH3'::text]))),
  constraint send_holds_reason CHECK (((state = 'returned'::text) = (reason IS NOT NULL))),
  constraint send_holds_reason_check CHECK ((reason = ANY (ARRAY['recipient_closed'::text, 'recipient_held'::text, 'sender_stopped'::text, 'by_staff'::text]))),
  constraint send_holds_settled CHECK (((state = 'held'::text) = (settled_at IS NULL))),
  constraint send_holds_state_check CHECK ((state = ANY (ARRAY['held'::text, 'posted'::text, 'taken_back'::text, 'returned'::text]))),
  constraint send_holds_undo_seconds_check CHECK (((undo_seconds >= 1) AND (undo_seconds <= 60)))
);
comment on table send_holds is 'Sends that can be undone until post_at. While one is held, its amount lies in the ledger account in_transit. The key of the movement out of it is the id.';
comment on column send_holds.key is 'The Idempotency-Key of the request, and the key of the movement into in_transit.';
comment on column send_holds.undo_seconds is 'As the request asked for it, so that its repeat can be told from another request.';
comment on column send_holds.reason is 'Why the amount went back without anybody asking.';
comment on column send_holds.is_first_time is 'No send to this receiver had arrived before. Null where the request set the time itself, so that nothing was judged.';
CREATE INDEX send_holds_arriving ON public.send_holds USING btree (recipient_id) WHERE (state = 'held'::text);
CREATE INDEX send_holds_due ON public.send_holds USING btree (post_at) WHERE (state = 'held'::text);
CREATE INDEX send_holds_live ON public.send_holds USING btree (sender_id) WHERE (state = 'held'::text);

create table send_limits (
  user_id bigint not null,
  limited_until timestamp with time zone not null,
  constraint send_limits_pkey PRIMARY KEY (user_id),
  constraint send_limits_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
comment on table send_limits is 'Accounts that send little for some days, because their second step was removed without a factor. Deleted when they are over';

create table send_pairs (
  sender_id bigint not null,
  recipient_id bigint not null,
  first_at timestamp with time zone not null,
  last_at timestamp with time zone not null,
  send_count integer not null,
  constraint send_pairs_pkey PRIMARY KEY (sender_id, recipient_id),
  constraint send_pairs_recipient_id_fkey FOREIGN KEY (recipient_id) REFERENCES users(id),
  constraint send_pairs_sender_id_fkey FOREIGN KEY (sender_id) REFERENCES users(id)
);
comment on table send_pairs is 'Who has sent to whom, so that the wallet can warn of a new receiver (decision 0063). Sends that could be undone are added when they arrive, others every ten minutes';
comment on column send_pairs.send_count is 'How many have arrived';

create table send_pairs_place (
  is_only boolean default true not null,
  last_transfer_id bigint not null,
  constraint send_pairs_place_pkey PRIMARY KEY (is_only),
  constraint send_pairs_place_is_only CHECK (is_only)
);
comment on table send_pairs_place is 'Up to which transfer send_pairs has the sends that arrived at once';

create table sent_mails (
  id bigint generated always as identity not null,
  user_id bigint not null,
  template text not null,
  sent_at timestamp with time zone not null,
  refusal text,
  constraint sent_mails_pkey PRIMARY KEY (id),
  constraint sent_mails_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
comment on table sent_mails is 'Mails to customers that the mail server took or refused, without their texts';
comment on column sent_mails.refusal is 'Of a refused mail: what the mail server said, without the address';
CREATE INDEX sent_mails_by_time ON public.sent_mails USING btree (sent_at);
CREATE INDEX sent_mails_by_user ON public.sent_mails USING btree (user_id, id);
CREATE INDEX sent_mails_refused ON public.sent_mails USING btree (id) WHERE (refusal IS NOT NULL);

create table sessions (
  id uuid default uuidv7() not null,
  user_id bigint not null,
  created_at timestamp with time zone default now() not null,
  refreshed_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  label text,
  method text,
  last_seen_at timestamp with time zone,
  constraint sessions_pkey PRIMARY KEY (id),
  constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
comment on column sessions.label is 'Browser and system in words of a fixed list, never from the request';
comment on column sessions.method is 'How the session was opened: password, link, totp, recovery_code or passkey';
comment on column sessions.last_seen_at is 'In steps of ten minutes, so that reading costs few writes';
CREATE INDEX sessions_by_expiry ON public.sessions USING btree (expires_at);
CREATE INDEX sessions_of_user ON public.sessions USING btree (user_id, id);

create table sign_in_challenges (
  challenge_hash bytea not null,
  user_id bigint not null,
  password_digest bytea not null,
  expires_at timestamp with time zone not null,
  tries smallint default 0 not null,
  constraint sign_in_challenges_pkey PRIMARY KEY (challenge_hash),
  constraint sign_in_challenges_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
comment on table sign_in_challenges is 'Sign-ins whose password was right and whose code is still missing. Deleted every ten minutes when they have expired';
comment on column sign_in_challenges.challenge_hash is 'SHA-256 of 256 random bits that only the caller holds';
comment on column sign_in_challenges.password_digest is 'SHA-256 of the password''s hash: another password ends the sign-in';
comment on column sign_in_challenges.tries is 'Codes that were tried; the fifth wrong one ends the sign-in';
CREATE INDEX sign_in_challenges_by_expiry ON public.sign_in_challenges USING btree (expires_at);
CREATE INDEX sign_in_challenges_of_user ON public.sign_in_challenges USING btree (user_id, expires_at);

create table sign_ups (
  id bigint generated always as identity not null,
  email text not null,
  password_hash text not null,
  terms_version text,
  terms_accepted_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  mailed_at timestamp with time zone,
  device_hash bytea,
  place_hash bytea,
  constraint sign_ups_pkey PRIMARY KEY (id),
  constraint sign_ups_email_check CHECK ((email = lower(btrim(email))))
);
comment on table sign_ups is 'Unverified accounts. A link activates only the password given in its own sign-up';
comment on column sign_ups.mailed_at is 'When its last mail was sent; null before the first';
comment on column sign_ups.device_hash is 'HMAC-SHA-256 of the X-Device-Id; null: none was sent';
comment on column sign_ups.place_hash is 'HMAC-SHA-256 of the network place; a delayed mail gives way to a newer sign-up of the same place';
CREATE INDEX sign_ups_by_email ON public.sign_ups USING btree (email, id);
CREATE INDEX sign_ups_by_time ON public.sign_ups USING btree (created_at);

create table staff (
  id uuid default gen_random_uuid() not null,
  email text not null,
  name text not null,
  organisation text not null,
  state text default 'invited'::text not null,
  password_hash text,
  wallet_uuid uuid,
  is_demo boolean default false not null,
  version integer default 1 not null,
  created_at timestamp with time zone not null,
  constraint staff_email_key UNIQUE (email),
  constraint staff_pkey PRIMARY KEY (id),
  constraint staff_email CHECK ((email = lower(email))),
  constraint staff_organisation CHECK ((organisation = ANY (ARRAY['provider'::text, 'brand'::text]))),
  constraint staff_state CHECK ((state = ANY (ARRAY['invited'::text, 'active'::text, 'suspended'::text, 'left'::text])))
);
comment on table staff is 'Who may open the console. Rows stay for ever: the audit names them';
comment on column staff.wallet_uuid is 'The person''s own wallet, on which they may not act';
comment on column staff.is_demo is 'Part of the demo data, with a public password: never signed in by a production program';

create table staff_factors (
  id uuid not null,
  staff_id uuid not null,
  kind text not null,
  name text not null,
  created_at timestamp with time zone not null,
  confirmed_at timestamp with time zone,
  used_at timestamp with time zone,
  secret bytea,
  last_step bigint,
  credential_id bytea,
  public_key bytea,
  sign_count bigint,
  transports text[],
  constraint staff_factors_credential_id_key UNIQUE (credential_id),
  constraint staff_factors_pkey PRIMARY KEY (id),
  constraint staff_factors_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id),
  constraint staff_factors_kind CHECK ((((kind = 'totp'::text) AND (secret IS NOT NULL) AND (credential_id IS NULL)) OR ((kind = 'passkey'::text) AND (secret IS NULL) AND (credential_id IS NOT NULL) AND (public_key IS NOT NULL) AND (sign_count IS NOT NULL))))
);
comment on column staff_factors.secret is 'TOTP: the shared secret, sealed (decision 0016)';
comment on column staff_factors.last_step is 'TOTP: the newest time step that was used; each is used once';
comment on column staff_factors.sign_count is 'Passkey: its counter at the last use; a lower one is a copy';
CREATE INDEX staff_factors_by_staff ON public.staff_factors USING btree (staff_id);

create table staff_invites (
  token_hash bytea not null,
  staff_id uuid not null,
  created_at timestamp with time zone not null,
  created_by uuid,
  expires_at timestamp with time zone not null,
  constraint staff_invites_pkey PRIMARY KEY (token_hash),
  constraint staff_invites_created_by_fkey FOREIGN KEY (created_by) REFERENCES staff(id),
  constraint staff_invites_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id)
);
comment on column staff_invites.created_by is 'Null: the command line';
CREATE INDEX staff_invites_by_staff ON public.staff_invites USING btree (staff_id);

create table staff_recovery_codes (
  staff_id uuid not null,
  code_hash bytea not null,
  created_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint staff_recovery_codes_pkey PRIMARY KEY (staff_id, code_hash),
  constraint staff_recovery_codes_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id)
);
comment on table staff_recovery_codes is 'Each code once. A new set replaces the rows of the old one';

create table staff_roles (
  staff_id uuid not null,
  role_id text not null,
  granted_at timestamp with time zone not null,
  granted_by uuid,
  constraint staff_roles_pkey PRIMARY KEY (staff_id, role_id),
  constraint staff_roles_granted_by_fkey FOREIGN KEY (granted_by) REFERENCES staff(id),
  constraint staff_roles_role_id_fkey FOREIGN KEY (role_id) REFERENCES roles(id),
  constraint staff_roles_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id)
);
comment on column staff_roles.granted_by is 'Null: the command line';
CREATE INDEX staff_roles_by_role ON public.staff_roles USING btree (role_id);

create table staff_sessions (
  id uuid not null,
  token_hash bytea not null,
  staff_id uuid not null,
  is_enrolled boolean not null,
  created_at timestamp with time zone not null,
  seen_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  proved_at timestamp with time zone,
  moved_usd_cents bigint default 0 not null,
  browser text default ''::text not null,
  place text default ''::text not null,
  constraint staff_sessions_token_hash_key UNIQUE (token_hash),
  constraint staff_sessions_pkey PRIMARY KEY (id),
  constraint staff_sessions_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id)
);
comment on column staff_sessions.token_hash is 'SHA-256 of the cookie, whose 256 random bits nothing else holds';
comment on column staff_sessions.is_enrolled is 'Opened with a second factor; without one, only enrolment answers';
comment on column staff_sessions.proved_at is 'When the person last proved to be present';
comment on column staff_sessions.moved_usd_cents is 'Value that was moved since then';
comment on column staff_sessions.place is 'Network place of the last call, as limits count it';
CREATE INDEX staff_sessions_by_end ON public.staff_sessions USING btree (expires_at);
CREATE INDEX staff_sessions_by_staff ON public.staff_sessions USING btree (staff_id);

create table staff_venues (
  staff_id uuid not null,
  venue_id integer not null,
  constraint staff_venues_pkey PRIMARY KEY (staff_id, venue_id),
  constraint staff_venues_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id),
  constraint staff_venues_venue_id_fkey FOREIGN KEY (venue_id) REFERENCES venues(id)
);
comment on table staff_venues is 'Venues that a member of staff is bound to: only these are seen. Without a row, all are';
CREATE INDEX staff_venues_by_venue ON public.staff_venues USING btree (venue_id);

create table stat_days (
  metric text not null,
  dimension text not null,
  day date not null,
  count bigint not null,
  units bigint not null,
  constraint stat_days_pkey PRIMARY KEY (metric, day, dimension)
);
comment on table stat_days is 'The hours of each day together, so that a quarter is few rows. Kept as long as they are';

create table stat_hours (
  metric text not null,
  dimension text not null,
  bucket timestamp with time zone not null,
  count bigint not null,
  units bigint not null,
  constraint stat_hours_pkey PRIMARY KEY (metric, bucket, dimension)
);
comment on table stat_hours is 'Figures of each hour of the programme''s time zone, for the console. Never deleted: some ten rows an hour, and the rows they were counted from may be gone';
comment on column stat_hours.dimension is 'What the metric is split by, such as the id of a venue; empty for none';

create table stat_progress (
  source text not null,
  time_zone text not null,
  transfer_id bigint default 0 not null,
  rolled_at timestamp with time zone,
  constraint stat_progress_pkey PRIMARY KEY (source)
);
comment on table stat_progress is 'How far each source of figures has been counted. One row for each source';
comment on column stat_progress.transfer_id is 'Of the ledger: the last transfer that is counted';
comment on column stat_progress.rolled_at is 'Null until everything has been counted once, and while it is counted again';

create table stock_moves (
  id bigint generated always as identity not null,
  offer_id integer not null,
  kind text not null,
  before integer,
  after integer,
  staff_id uuid not null,
  reason text not null,
  at timestamp with time zone not null,
  constraint stock_moves_pkey PRIMARY KEY (id),
  constraint stock_moves_offer_id_fkey FOREIGN KEY (offer_id) REFERENCES offers(id),
  constraint stock_moves_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id),
  constraint stock_moves_after_check CHECK ((after >= 0)),
  constraint stock_moves_before_check CHECK ((before >= 0)),
  constraint stock_moves_kind_check CHECK ((kind = ANY (ARRAY['count'::text, 'correction'::text, 'refund'::text, 'unlimited'::text])))
);
comment on table stock_moves is 'Changes of stock other than sales. What was sold between two of them is the difference between after and the next before, so a purchase writes no row here (decision 0029). Kept, because staff make few and the sum must stay';
comment on column stock_moves.before is 'Null: as many as are wanted';
comment on column stock_moves.reason is 'Empty for a refund, whose request says why and is erased with its customer';
CREATE INDEX stock_moves_by_offer ON public.stock_moves USING btree (offer_id, id DESC);

create table terms_acceptances (
  user_id bigint not null,
  label text not null,
  accepted_at timestamp with time zone not null,
  constraint terms_acceptances_pkey PRIMARY KEY (user_id, label),
  constraint terms_acceptances_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
comment on table terms_acceptances is 'All terms that a customer has accepted, from the sign-up on. Erased with the account';

create table ticket_phones (
  id uuid default uuidv7() not null,
  user_id bigint,
  public_key bytea,
  label text not null,
  made_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  session_id uuid,
  constraint ticket_phones_pkey PRIMARY KEY (id),
  constraint ticket_phones_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint ticket_phones_key_is_compressed CHECK ((octet_length(public_key) = 33))
);
comment on table ticket_phones is 'The phone that shows a user''s ticket codes: one at a time. Deleted 30 days after it ended; the erasure of its user empties it';
comment on column ticket_phones.public_key is 'A point of P-256 in its compressed form. The private key never leaves the phone';
comment on column ticket_phones.label is 'What the phone calls itself';
comment on column ticket_phones.ended_at is 'Since when none of its tickets counts any more';
comment on column ticket_phones.session_id is 'In which the phone proved its key last. Null if that is not known, or after the erasure of its user';
CREATE INDEX ticket_phones_by_end ON public.ticket_phones USING btree (ended_at) WHERE (ended_at IS NOT NULL);
CREATE UNIQUE INDEX ticket_phones_live ON public.ticket_phones USING btree (user_id) WHERE (ended_at IS NULL);
CREATE INDEX ticket_phones_of_user ON public.ticket_phones USING btree (user_id, made_at);

create table tickets (
  id bigint generated always as identity not null,
  phone_id uuid not null,
  purchase_id bigint,
  ticket bytea not null,
  valid_from timestamp with time zone not null,
  valid_until timestamp with time zone not null,
  constraint tickets_pkey PRIMARY KEY (id),
  constraint tickets_phone_id_fkey FOREIGN KEY (phone_id) REFERENCES ticket_phones(id) ON DELETE CASCADE,
  constraint tickets_purchase_id_fkey FOREIGN KEY (purchase_id) REFERENCES purchases(id)
);
comment on table tickets is 'Signed tickets: the items of a purchase for a phone (decision 0059). Deleted 30 days after their time, or with the phone; the erasure of their user leaves number and time, for scanners without a network';
comment on column tickets.ticket is 'With its signature, as packages/domain/src/ticket-code.ts spells it';
CREATE INDEX tickets_by_end ON public.tickets USING btree (valid_until);
CREATE INDEX tickets_of_phone ON public.tickets USING btree (phone_id, valid_from);

create table tier_histogram (
  from_micro_ath bigint not null,
  holder_count bigint not null,
  constraint tier_histogram_pkey PRIMARY KEY (from_micro_ath),
  constraint tier_histogram_from_micro_ath_check CHECK ((from_micro_ath >= 0)),
  constraint tier_histogram_holder_count_check CHECK ((holder_count >= 0))
);
comment on table tier_histogram is 'How many customers hold an amount or more, at amounts of three digits. Written anew each night; some thousand rows, and never more than 11,000';

create table tier_ladder (
  is_only boolean default true not null,
  version integer default 1 not null,
  counted_at timestamp with time zone,
  constraint tier_ladder_pkey PRIMARY KEY (is_only),
  constraint tier_ladder_is_only_check CHECK (is_only)
);
comment on table tier_ladder is 'One row. It is locked by each change of the tiers, because the place of one follows from the others';
comment on column tier_ladder.counted_at is 'When tier_histogram was counted; null until it was';

create table tiers (
  id integer not null,
  title text not null,
  amount_micro_ath bigint not null,
  color text not null,
  note text not null,
  constraint tiers_amount_micro_ath_key UNIQUE (amount_micro_ath),
  constraint tiers_pkey PRIMARY KEY (id),
  constraint tiers_amount_micro_ath_check CHECK ((amount_micro_ath > 0)),
  constraint tiers_color_check CHECK ((color ~ '^#[0-9a-f]{6}$'::text))
);
comment on column tiers.amount_micro_ath is 'Threshold: ATH held, in micro-units';

create table tips (
  id bigint generated always as identity not null,
  user_id bigint not null,
  key uuid not null,
  offer_id integer not null,
  amount_ath_hundredths bigint not null,
  tip_from text not null,
  note text not null,
  offer_title text not null,
  offer_note text not null,
  offer_img text not null,
  beneficiary_user_id bigint,
  created_at timestamp with time zone not null,
  constraint tips_user_id_key_key UNIQUE (user_id, key),
  constraint tips_pkey PRIMARY KEY (id),
  constraint tips_beneficiary_user_id_fkey FOREIGN KEY (beneficiary_user_id) REFERENCES users(id),
  constraint tips_offer_id_fkey FOREIGN KEY (offer_id) REFERENCES offers(id),
  constraint tips_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint tips_amount_ath_hundredths_check CHECK ((amount_ath_hundredths > 0))
);
comment on column tips.beneficiary_user_id is 'Who received it; null: the programme''s merchant account';
CREATE INDEX tips_by_beneficiary ON public.tips USING btree (beneficiary_user_id) WHERE (beneficiary_user_id IS NOT NULL);
CREATE INDEX tips_by_offer ON public.tips USING btree (offer_id);

create table told_events (
  kind text not null,
  at timestamp with time zone not null,
  told_at timestamp with time zone not null,
  note text not null,
  constraint told_events_pkey PRIMARY KEY (kind),
  constraint told_events_kind_check CHECK ((kind = ANY (ARRAY['backup'::text, 'restore_test'::text])))
);
comment on table told_events is 'The last backup and the last test of one, as the command system:tell was told. One row of each kind';

create table totp_secrets (
  id uuid not null,
  user_id bigint not null,
  secret bytea not null,
  created_at timestamp with time zone not null,
  confirmed_at timestamp with time zone,
  last_step bigint,
  constraint totp_secrets_pkey PRIMARY KEY (id),
  constraint totp_secrets_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
comment on table totp_secrets is 'The authenticator app of a customer: one that asks for codes, and one that is being set up';
comment on column totp_secrets.secret is 'Sealed (decision 0016)';
comment on column totp_secrets.last_step is 'The newest time step that was used; each is used once';
CREATE UNIQUE INDEX totp_secrets_of_user ON public.totp_secrets USING btree (user_id, ((confirmed_at IS NULL)));

create table users (
  id bigint generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  email text,
  password_hash text,
  role text default 'user'::text not null,
  terms_version text,
  terms_accepted_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  closed_at timestamp with time zone,
  constraint users_email_key UNIQUE (email),
  constraint users_uuid_key UNIQUE (uuid),
  constraint users_pkey PRIMARY KEY (id),
  constraint closed_users_keep_no_personal_data CHECK (((closed_at IS NULL) = ((email IS NOT NULL) AND (password_hash IS NOT NULL)))),
  constraint users_email_check CHECK ((email = lower(btrim(email)))),
  constraint users_role_check CHECK ((role = ANY (ARRAY['user'::text, 'scanner'::text, 'operator'::text])))
);
comment on column users.uuid is 'Public address of the account: what people send to';
comment on column users.email is 'Null once the account is closed';
CREATE INDEX users_by_closing ON public.users USING btree (closed_at) WHERE (closed_at IS NOT NULL);
CREATE INDEX users_by_email_part ON public.users USING gin (split_part(email, '@'::text, 1) trigrams.gin_trgm_ops);
CREATE INDEX users_by_email_prefix ON public.users USING btree (email COLLATE "C");
CREATE INDEX users_by_time ON public.users USING btree (created_at, id);
CREATE INDEX users_closed ON public.users USING btree (created_at, id) WHERE (closed_at IS NOT NULL);

create table venue_staff (
  venue_id integer not null,
  user_id bigint not null,
  bound_at timestamp with time zone default now() not null,
  revoked_at timestamp with time zone,
  constraint venue_staff_pkey PRIMARY KEY (venue_id, user_id),
  constraint venue_staff_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint venue_staff_venue_id_fkey FOREIGN KEY (venue_id) REFERENCES venues(id)
);
CREATE INDEX venue_staff_by_user ON public.venue_staff USING btree (user_id);

create table venues (
  id integer generated always as identity not null,
  name text not null,
  address text not null,
  created_at timestamp with time zone default now() not null,
  hours text default ''::text not null,
  archived_at timestamp with time zone,
  version integer default 1 not null,
  constraint venues_name_key UNIQUE (name),
  constraint venues_pkey PRIMARY KEY (id)
);
comment on column venues.hours is 'Opening hours as people write them, for staff to read';
comment on column venues.archived_at is 'Since when nothing is redeemed there. Its history stays';
comment on column venues.version is 'Raised by each edit';

CREATE OR REPLACE FUNCTION public.audit_append(p_at timestamp with time zone, p_staff_id uuid, p_session_id uuid, p_organisation text, p_action text, p_subject_type text, p_subject_id text, p_outcome text, p_request_id text, p_approval_id uuid, p_ledger_key uuid, p_salt bytea, p_details text)
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
declare
  head audit_head; entry_at timestamptz; entry_digest bytea; row_text text; entry_hash bytea;
begin
  select * into strict head from audit_head for update;
  head.seq := head.seq + 1;
  -- Times never fall, whatever the clock does.
  entry_at := greatest(head.at, p_at);
  entry_digest := sha256(p_salt || convert_to(p_details, 'UTF8'));
  select string_agg(coalesce(octet_length(value) || ':' || value, '-'), '|' order by position) into row_text
    from unnest(array[
      head.seq::text, ((extract(epoch from entry_at) * 1000000)::bigint)::text, p_staff_id::text, p_session_id::text, p_organisation,
      p_action, p_subject_type, p_subject_id, p_outcome, p_request_id, p_approval_id::text, p_ledger_key::text,
      encode(entry_digest, 'hex')
    ]) with ordinality field (value, position);
  entry_hash := sha256(head.hash || convert_to(row_text, 'UTF8'));
  insert into audit_entries (seq, at, staff_id, session_id, organisation, action, subject_type, subject_id, outcome, request_id,
                             approval_id, ledger_key, digest, hash)
  values (head.seq, entry_at, p_staff_id, p_session_id, p_organisation, p_action, p_subject_type, p_subject_id, p_outcome, p_request_id,
          p_approval_id, p_ledger_key, entry_digest, entry_hash);
  insert into audit_details (seq, salt, details) values (head.seq, p_salt, p_details);
  update audit_head set seq = head.seq, at = entry_at, hash = entry_hash;
  return head.seq;
end $function$;

CREATE OR REPLACE FUNCTION public.audit_refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception '% on % is refused: the audit only grows', tg_op, tg_table_name using errcode = 'restrict_violation';
end $function$;

CREATE OR REPLACE FUNCTION public.ledger_account_state(p_account_id bigint)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select ledger_state_name(state) from ledger_accounts where id = p_account_id
$function$;

CREATE OR REPLACE FUNCTION public.ledger_add_piece()
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  piece_size constant bigint := 17592186044416; number int;
begin
  lock table ledger_transfers in share update exclusive mode;
  select h.piece_first_id / piece_size + 1 into strict number from ledger_head h;
  if ledger_newest_piece() >= number then return false; end if;
  perform ledger_make_piece(number);
  return true;
end $function$;

CREATE OR REPLACE FUNCTION public.ledger_add_totals(p_rows integer)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  base bigint; next_id bigint;
begin
  select coalesce(max(t.until_id), 0) into base from ledger_totals t where t.account_id = 0;
  select r.id into next_id from ledger_transfers r where r.id > base order by r.id offset p_rows - 1 limit 1;
  if next_id is null then return false; end if;
  insert into ledger_totals (account_id, until_id, balance_units)
    select b.account_id, next_id, b.balance_units
      from ledger_balances_before(next_id + 1, p_rows) b
      left join lateral (
        select t.balance_units from ledger_totals t
         where t.account_id = b.account_id order by t.until_id desc limit 1) former on true
     where b.account_id = 0 or b.balance_units <> coalesce(former.balance_units, 0)
  on conflict do nothing;
  return true;
end $function$;

CREATE OR REPLACE FUNCTION public.ledger_balances_before(p_id bigint, p_rows_max integer)
 RETURNS TABLE(account_id bigint, balance_units bigint)
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  base bigint;
begin
  select coalesce(max(t.until_id), 0) into base from ledger_totals t where t.account_id = 0 and t.until_id < p_id;
  perform from ledger_transfers r where r.id > base and r.id < p_id order by r.id offset p_rows_max limit 1;
  if found then return; end if;
  return query
    with moved as materialized (
      select r.id, r.debit_account_id, r.credit_account_id, r.amount_units, r.debit_after, r.credit_after
        from ledger_transfers r where r.id > base and r.id < p_id
    ), latest as (
      select distinct on (leg.account) leg.account, leg.balance from (
        select m.debit_account_id as account, m.id, m.debit_after as balance from moved m where m.debit_account_id < 0
        union all
        select m.credit_account_id, m.id, m.credit_after from moved m where m.credit_account_id < 0) leg
       order by leg.account, leg.id desc
    ), change as (
      select m.debit_account_id & 7 as account,
             sum(case when m.credit_account_id > 0 then m.amount_units else 0 end)
             - sum(case when m.debit_account_id > 0 then m.amount_units else 0 end) as units
        from moved m group by 1
    ), account as (
      select a.id from ledger_accounts a where a.id < 0 union all select generate_series(0, 3)
    )
    select account.id, coalesce(latest.balance, coalesce(total.units, 0) + coalesce(change.units, 0))::bigint
      from account
      left join latest on latest.account = account.id
      left join change on change.account = account.id
      left join lateral (
        select t.balance_units as units from ledger_totals t
         where t.account_id = account.id and t.until_id <= base order by t.until_id desc limit 1) total on true;
end $function$;

CREATE OR REPLACE FUNCTION public.ledger_begin_piece()
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  piece_size constant bigint := 17592186044416; number bigint;
begin
  -- Under the ledger's lock, so that two at once do not skip a piece.
  select h.piece_first_id / piece_size + 1 into strict number from ledger_head h for update;
  if ledger_newest_piece() < number then return false; end if;
  if (select last_value from ledger_transfer_blocks) < number * piece_size / 1024 then
    perform setval('ledger_transfer_blocks', number * piece_size / 1024, false);
  end if;
  return true;
end $function$;

CREATE OR REPLACE FUNCTION public.ledger_clock()
 RETURNS timestamp with time zone
 LANGUAGE sql
AS $function$select clock_timestamp()$function$;

CREATE OR REPLACE FUNCTION public.ledger_end_taking(p_ids bigint[], p_floors bigint[], p_states smallint[], p_keep_floors boolean)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  update ledger_accounts account
     set state = former.state, floor_units = case when p_keep_floors then account.floor_units else former.floor end
    from unnest(p_ids, p_floors, p_states) former (id, floor, state)
   where account.id = former.id
$function$;

CREATE OR REPLACE FUNCTION public.ledger_first_id_at(p_at timestamp with time zone)
 RETURNS bigint
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  low bigint := 0; high bigint; middle bigint; found_id bigint; found_at timestamptz;
begin
  select coalesce(max(id), 0) + 1 into high from ledger_transfers;
  while high - low > 1 loop
    middle := low + (high - low) / 2;
    select id, at into found_id, found_at from ledger_transfers where id >= middle order by id limit 1;
    if found_at < p_at then low := found_id; else high := middle; end if;
  end loop;
  return high;
end $function$;

CREATE OR REPLACE FUNCTION public.ledger_lock()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform from ledger_head for update;
end $function$;

CREATE OR REPLACE FUNCTION public.ledger_make_piece(p_number bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  piece_size constant bigint := 17592186044416; piece text := format('ledger_transfers_%s', p_number);
begin
  execute format('create table %I (like ledger_transfers including constraints)', piece);
  execute format('create unique index %I on %I (key, (debit_account_id >> 3), line)', piece || '_once', piece);
  perform ledger_protect_piece(piece::regclass);
  execute format('alter table ledger_transfers attach partition %I for values from (%s) to (%s)',
    piece, p_number * piece_size, (p_number + 1) * piece_size);
end $function$;

CREATE OR REPLACE FUNCTION public.ledger_newest_piece()
 RETURNS integer
 LANGUAGE sql
 STABLE
AS $function$
  select max(substring(c.relname from '[0-9]+$')::int) from pg_inherits i join pg_class c on c.oid = i.inhrelid
   where i.inhparent = 'ledger_transfers'::regclass
$function$;

CREATE OR REPLACE FUNCTION public.ledger_open_accounts(p_ids bigint[], p_assets text[], p_codes text[])
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  insert into ledger_accounts (id, asset, code) select * from unnest(p_ids, p_assets, p_codes) on conflict (id) do nothing
$function$;

CREATE OR REPLACE FUNCTION public.ledger_open_for_taking(p_ids bigint[], p_amounts bigint[])
 RETURNS TABLE(account_id bigint, floor_before bigint, state_before smallint)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  update ledger_accounts account
     set state = 0, floor_units = least(account.floor_units, account.balance_units - taken.amount)
    from unnest(p_ids, p_amounts) taken (id, amount)
   where account.id = taken.id and account.state <> 3
  returning account.id, old.floor_units, old.state
$function$;

CREATE OR REPLACE FUNCTION public.ledger_protect_piece(p_piece regclass)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  execute format(
    'create trigger ledger_piece_append_only before insert or update or delete or truncate on %s
       for each statement execute function ledger_refuse_change()', p_piece);
  execute format('revoke insert, update, delete, truncate on %s from public, current_user', p_piece);
  execute format(
    'alter table %s set (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 1000000)', p_piece);
end $function$;

CREATE OR REPLACE FUNCTION public.ledger_raise_floor(p_account_id bigint)
 RETURNS bigint
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  update ledger_accounts set floor_units = greatest(floor_units, least(balance_units, 0))
   where id = p_account_id returning floor_units
$function$;

CREATE OR REPLACE FUNCTION public.ledger_refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception '% on % is refused: the ledger only grows', tg_op, tg_table_name using errcode = 'restrict_violation';
end $function$;

CREATE OR REPLACE FUNCTION public.ledger_refuse_opening_balance()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'ledger account % must open empty: value comes by transfer', new.id using errcode = 'restrict_violation';
end $function$;

CREATE OR REPLACE FUNCTION public.ledger_set_state(p_ids bigint[], p_state smallint, p_keep_stopped boolean)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  changed int;
begin
  update ledger_accounts set state = p_state
   where id = any (p_ids) and (not p_keep_stopped or state = 0 or state >= 16);
  get diagnostics changed = row_count;
  return changed;
end $function$;

CREATE OR REPLACE FUNCTION public.ledger_skip_lost_ids(p_anchored_id bigint)
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
declare
  piece_size constant bigint := 17592186044416;
  -- Blocks that may have been drawn after the anchor: more than a day of 2,000 batches a second, which no ledger posts, and less than
  -- 2 % of a piece. Anchors are a minute apart, and their alarm fires after five.
  unanchored_max constant bigint := 268435456;
  next_block constant bigint := p_anchored_id / 1024 + unanchored_max;
begin
  lock table ledger_transfers in share update exclusive mode;
  perform from ledger_head for update;
  if (select last_value from ledger_transfer_blocks) >= next_block then
    return (select last_value from ledger_transfer_blocks) * 1024;
  end if;
  for number in ledger_newest_piece() + 1 .. next_block * 1024 / piece_size loop
    perform ledger_make_piece(number);
  end loop;
  perform setval('ledger_transfer_blocks', next_block, false);
  return next_block * 1024;
end $function$;

CREATE OR REPLACE FUNCTION public.ledger_state_name(p_state smallint)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select case when p_state >= 16 then 'held' else (array['open', 'restricted', 'frozen', 'closed'])[p_state + 1] end
$function$;

CREATE OR REPLACE FUNCTION public.ledger_walk(p_accounts bigint[], p_next bigint[], p_limit integer, p_scan_max integer, p_paid_kinds smallint[], p_received_kinds smallint[], p_from timestamp with time zone, p_to timestamp with time zone)
 RETURNS TABLE(transfer ledger_transfers, next_ids bigint[])
 LANGUAGE plpgsql
 STABLE
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  n constant int := cardinality(p_accounts);
  t ledger_transfers; newest bigint; emitted int := 0; scanned int := 0; i int; kinds smallint[];
begin
  next_ids := p_next;
  if next_ids is null then
    select array_agg(coalesce(a.last_transfer_id, 0) order by u.o) into next_ids
      from unnest(p_accounts) with ordinality u (id, o) left join ledger_accounts a on a.id = u.id;
  end if;
  while emitted < p_limit and scanned < p_scan_max loop
    newest := 0;
    for i in 1..n loop newest := greatest(newest, next_ids[i]); end loop;
    exit when newest = 0;
    select * into t from ledger_transfers where id = newest;
    scanned := scanned + 1;
    transfer := null;
    for i in 1..n loop
      continue when next_ids[i] <> newest;
      if t.debit_account_id = p_accounts[i] then
        next_ids[i] := t.debit_prev_id; transfer := t; kinds := p_paid_kinds;
      elsif t.credit_account_id = p_accounts[i] then
        next_ids[i] := t.credit_prev_id; transfer := t; kinds := p_received_kinds;
      else next_ids[i] := 0;
      end if;
    end loop;
    continue when transfer is null;
    if t.at < p_from then next_ids := array_fill(0::bigint, array[n]); exit; end if;
    if (p_to is null or t.at < p_to) and (kinds is null or t.kind = any (kinds)) then
      emitted := emitted + 1;
      return next;
    end if;
  end loop;
  transfer := null;
  return next;
end $function$;

CREATE OR REPLACE FUNCTION public.legal_refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception '% on % is refused: what was published stays', tg_op, tg_table_name using errcode = 'restrict_violation';
end $function$;

CREATE OR REPLACE FUNCTION public.note_picture_named()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update pictures set named_at = now() where id = new.picture_id and named_at is null;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.post_batch(p_accounts bigint[], p_debits integer[], p_credits integer[], p_amounts bigint[], p_keys uuid[], p_lines smallint[], p_kinds smallint[], p_all_or_none boolean, OUT codes integer[], OUT ids bigint[], OUT debit_afters bigint[], OUT credit_afters bigint[])
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET enable_seqscan TO 'off'
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  n constant int := cardinality(p_amounts);
  amount_max constant bigint := 1000000000000000;
  zeros constant bigint[] := array_fill(0::bigint, array[n]);
  chain bytea; base bigint; batch_at timestamptz; at_us bigint;
  -- pieces: which one is written, and the time after which a key is in no earlier one
  piece_size constant bigint := 17592186044416; piece_first bigint; keys_after timestamptz; newest_key timestamptz; batch_key timestamptz;
  -- accounts, by position in p_accounts
  present bigint[]; opening bigint[]; floors bigint[]; states smallint[]; opening_last bigint[];
  balances bigint[]; lasts bigint[];
  -- what is already stored under a key, by the position of the key's first transfer in this batch
  exact boolean := p_all_or_none;
  leader int[]; known_ids bigint[]; known_credits bigint[]; known_amounts bigint[]; known_kinds smallint[];
  known_debit_afters bigint[]; known_credit_afters bigint[];
  debit_prevs bigint[]; credit_prevs bigint[]; stored int;
  i int; x int; y int; g int; amount bigint; next_id bigint; replays int; doubtful boolean; digests bytea; row_bytes bytea;
begin
  if n > 1023 then raise exception 'a batch holds at most 1023 transfers, not %', n; end if;

  -- One lock for the whole ledger, taken before anything is read: no order of account locks can deadlock, and ids and chain
  -- rise together. Batches come one after the other anyway; locking every account row as well cost more and gained nothing.
  select h.hash, greatest(h.posted_at, ledger_clock()), h.piece_first_id, h.piece_keys_after, h.newest_key_at
    into chain, batch_at, piece_first, keys_after, newest_key from ledger_head h where n > 0 for update;
  -- An empty batch prepares its connection: it runs every statement on no rows, takes no lock and writes nothing.
  if n > 0 then base := nextval('ledger_transfer_blocks') * 1024; end if;
  at_us := (extract(epoch from batch_at) * 1000000)::bigint;

  -- The first batch of a piece. What was posted before it is in earlier ones.
  if base >= piece_first + piece_size then piece_first := base - base % piece_size; keys_after := newest_key; end if;
  if piece_first > 0 and not exact then
    exact := exists (select from unnest(p_keys) k
                      where (uuid_extract_version(k) = 7 and uuid_extract_timestamp(k) > keys_after) is not true);
  end if;

  select array_agg(s.id), array_agg(s.balance_units), array_agg(s.floor_units), array_agg(s.last_transfer_id), array_agg(s.state)
    into present, opening, floors, opening_last, states
    from (select a.id, a.balance_units, a.floor_units, a.last_transfer_id, a.state
            from ledger_accounts a where a.id = any (p_accounts) order by a.id) s;
  if present is distinct from p_accounts then
    select array_agg(a.balance_units order by u.o), array_agg(a.floor_units order by u.o),
           array_agg(a.last_transfer_id order by u.o), array_agg(a.state order by u.o)
      into opening, floors, opening_last, states
      from unnest(p_accounts) with ordinality u (id, o) left join ledger_accounts a on a.id = u.id;
  end if;

  -- At most two passes. The first assumes that every key is new, which it nearly always is. If a key turns out not to be, or
  -- a refusal could be the repeat of something that went through, the second knows every key from the start.
  loop
    balances := opening; lasts := opening_last;
    codes := array_fill(0, array[n]); ids := zeros; debit_afters := zeros; credit_afters := zeros;
    debit_prevs := zeros; credit_prevs := zeros;
    stored := 0; replays := 0; doubtful := false;

    if exact then
      select array_agg(k.leader order by k.o), array_agg(coalesce(t.id, 0) order by k.o), array_agg(t.credit_account_id order by k.o),
             array_agg(t.amount_units order by k.o), array_agg(t.kind order by k.o),
             array_agg(t.debit_after order by k.o), array_agg(t.credit_after order by k.o)
        into leader, known_ids, known_credits, known_amounts, known_kinds, known_debit_afters, known_credit_afters
        from (select u.o, u.key, u.line, p_accounts[u.debit] >> 3 as payer,
                     case when uuid_extract_version(u.key) = 7 and uuid_extract_timestamp(u.key) > keys_after
                          then piece_first else 0 end as from_id,
                     min(u.o) over (partition by u.key, p_accounts[u.debit] >> 3, u.line)::int as leader
                from unnest(p_keys, p_debits, p_lines) with ordinality u (key, debit, line, o)) k
        left join ledger_transfers t on t.key = k.key and (t.debit_account_id >> 3) = k.payer and t.line = k.line and t.id >= k.from_id;
    end if;

    for i in 1..n loop
      x := p_debits[i]; y := p_credits[i]; amount := p_amounts[i];
      if amount is null or amount <= 0 or amount > amount_max then codes[i] := 4; continue; end if;
      if x = y then codes[i] := 3; continue; end if;
      if balances[x] is null or balances[y] is null then codes[i] := 2; continue; end if;
      if (p_accounts[x] & 7) <> (p_accounts[y] & 7) then codes[i] := 10; continue; end if;
      if exact then
        g := leader[i];
        if known_ids[g] <> 0 then
          -- The same payer and the same credit account: the same asset, so the same debit account too.
          if known_credits[g] = p_accounts[y] and known_amounts[g] = amount and known_kinds[g] = p_kinds[i] then
            codes[i] := 5; ids[i] := known_ids[g]; replays := replays + 1;
            debit_afters[i] := known_debit_afters[g]; credit_afters[i] := known_credit_afters[g];
          else
            codes[i] := 6;
          end if;
          continue;
        end if;
      end if;
      -- Open accounts cost one comparison on each side. A hold on receiving stops sends, tips and rewards; a hold on sending stops
      -- sends; a hold on spending stops purchases and tips. Value that returns passes, as does what the programme moves itself.
      if states[y] > 2 then
        if states[y] = 3 then codes[i] := 2; doubtful := true; continue; end if;
        if (states[y] & 4) <> 0 and p_kinds[i] in (1, 4, 5, 15) then codes[i] := 12; doubtful := true; continue; end if;
      end if;
      if states[x] <> 0 then
        if states[x] < 16 then codes[i] := 6 + states[x]; doubtful := true; continue; end if;
        if ((states[x] & 1) <> 0 and p_kinds[i] in (1, 14)) or ((states[x] & 2) <> 0 and p_kinds[i] in (3, 4)) then
          codes[i] := 11; doubtful := true; continue;
        end if;
      end if;
      if balances[x] - amount < floors[x] then codes[i] := 1; doubtful := true; continue; end if;

      next_id := base + stored; stored := stored + 1;
      balances[x] := balances[x] - amount;
      balances[y] := balances[y] + amount;
      ids[i] := next_id; debit_afters[i] := balances[x]; credit_afters[i] := balances[y];
      debit_prevs[i] := lasts[x]; credit_prevs[i] := lasts[y];
      lasts[x] := next_id; lasts[y] := next_id;
      if exact then
        known_ids[g] := next_id; known_credits[g] := p_accounts[y]; known_amounts[g] := amount; known_kinds[g] := p_kinds[i];
        known_debit_afters[g] := balances[x]; known_credit_afters[g] := balances[y];
      end if;
    end loop;

    if doubtful and not exact then exact := true; continue; end if;
    if p_all_or_none and stored < n then stored := 0; end if;
    exit when stored = 0 and n > 0;

    begin
      -- What is stored is what is hashed: a row's text is its columns in this order. ledger:verify builds the same from the table.
      with posted as materialized (
        select u.id, p_accounts[u.debit] as debit, p_accounts[u.credit] as credit, u.amount, u.debit_after, u.credit_after,
               u.debit_prev, u.credit_prev, u.key, u.line, u.kind
          from unnest(codes, ids, p_debits, p_credits, p_amounts, debit_afters, credit_afters, debit_prevs, credit_prevs,
                      p_keys, p_lines, p_kinds)
               u (code, id, debit, credit, amount, debit_after, credit_after, debit_prev, credit_prev, key, line, kind)
         where u.code = 0
      ), inserted as (
        insert into ledger_transfers (id, debit_account_id, credit_account_id, amount_units, debit_after, credit_after,
                                      debit_prev_id, credit_prev_id, at, key, line, kind)
        select p.id, p.debit, p.credit, p.amount, p.debit_after, p.credit_after, p.debit_prev, p.credit_prev,
               batch_at, p.key, p.line, p.kind
          from posted p
      )
      select string_agg(substr(sha256(r.bytes), 1, 4), '' order by r.id), string_agg(r.bytes, '\x0a' order by r.id),
             max(uuid_extract_timestamp(r.key)) filter (where uuid_extract_version(r.key) = 7)
        into digests, row_bytes, batch_key
        from (select p.id, p.key, convert_to(concat_ws('|', p.id, p.debit, p.credit, p.amount, p.debit_after, p.credit_after,
                                                p.debit_prev, p.credit_prev, at_us, p.key, p.line, p.kind), 'UTF8') as bytes
                from posted p) r;
      exit;
    exception when unique_violation then
      if exact then raise; end if;
      exact := true;
    end;
  end loop;

  if stored > 0 or n = 0 then
    update ledger_accounts a set balance_units = u.balance, last_transfer_id = u.last
      from unnest(p_accounts, balances, lasts, opening_last) u (id, balance, last, last_before)
     where a.id = u.id and u.last <> u.last_before;

    chain := sha256(chain || digests || row_bytes);
    insert into ledger_batches (first_id, transfer_count, row_digests, hash) select base, stored, digests, chain where n > 0;
    update ledger_head set hash = chain, posted_at = batch_at, replay_count = replay_count + replays,
      newest_key_at = greatest(newest_key, batch_key), piece_first_id = piece_first, piece_keys_after = keys_after where n > 0;
  elsif replays > 0 then
    update ledger_head set replay_count = replay_count + replays;
  end if;
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_schedule_ahead()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog'
AS $function$
begin
  if new.last_execution > now() + interval '5 minutes' then return null; end if;
  return new;
end $function$;
