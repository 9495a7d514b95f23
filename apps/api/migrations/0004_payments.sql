-- Up Migration

-- A card purchase of ATH. The row exists before the provider is called, and its id is the provider's idempotency key, so a
-- retry after any failure finds the same order and the same intent.
create table payment_orders (
  id                       uuid           primary key,
  user_id                  bigint         not null references users,
  state                    text           not null default 'creating'
                           check (state in ('creating', 'open', 'credited', 'canceled', 'review')),
  amount_micro_ath         bigint         not null check (amount_micro_ath between 1 and 1000000000000000),
  usd_per_ath              numeric(18, 8) not null check (usd_per_ath > 0),
  price_usd_cents          bigint         not null check (price_usd_cents > 0),
  product_fee_usd_cents    bigint         not null check (product_fee_usd_cents > 0),
  processing_fee_usd_cents bigint         not null check (processing_fee_usd_cents > 0),
  total_usd_cents          bigint         not null,
  provider_fee_usd_cents   bigint,
  intent_id                text           unique,
  provider_status          text,
  error_message            text,
  was_attempted            boolean        not null default false,
  observed_at              timestamptz,
  look_claimed_at          timestamptz,
  review_reason            text,
  history_id               bigint         unique,
  created_at               timestamptz    not null,
  expires_at               timestamptz    not null,
  closed_at                timestamptz,
  constraint payment_orders_total
    check (total_usd_cents = price_usd_cents + product_fee_usd_cents + processing_fee_usd_cents),
  constraint payment_orders_open_has_intent check (state = 'creating' or intent_id is not null),
  constraint payment_orders_closed_when_final check ((state in ('credited', 'canceled')) = (closed_at is not null)),
  constraint payment_orders_credited_has_transfer check (state <> 'credited' or history_id is not null),
  constraint payment_orders_review_has_reason check (state <> 'review' or review_reason is not null)
);
create index payment_orders_not_final on payment_orders (user_id, created_at) where state in ('creating', 'open', 'review');
create index payment_orders_in_history on payment_orders (user_id, history_id) where history_id is not null;
create index payment_orders_by_time on payment_orders (created_at);

comment on table payment_orders is 'Card purchases. Credited by settle() alone, once, under the order''s id as key in the ledger';
comment on column payment_orders.id is 'UUIDv7: id on the wire, the provider''s idempotency key, key of the ledger transfers';
comment on column payment_orders.state is
  'creating: no intent known yet. open: can be paid. credited and canceled: final. review: paid, but not as ordered; a person decides';
comment on column payment_orders.amount_micro_ath is 'What is credited';
comment on column payment_orders.usd_per_ath is 'The rate of the quote. A late payment is credited at it all the same';
comment on column payment_orders.price_usd_cents is 'Without fees';
comment on column payment_orders.provider_fee_usd_cents is 'What the provider keeps, known about a second after the payment';
comment on column payment_orders.provider_status is 'The intent''s status as last seen';
comment on column payment_orders.error_message is 'The provider''s words on the last attempt while that failed. Not final: the same form may succeed later';
comment on column payment_orders.was_attempted is 'A card was tried, with whatever result. A canceled order without is not listed in the history';
comment on column payment_orders.observed_at is 'When the look began that provider_status and error_message come from';
comment on column payment_orders.look_claimed_at is 'When a poll last went to the provider: at most one does in a while';
comment on column payment_orders.history_id is
  'Place in the history: the id of the ATH transfer once credited; of canceled orders with an attempt a number from the ledger''s sequence';
comment on column payment_orders.closed_at is 'When it was credited or canceled';

create table payment_requests (
  user_id    bigint      not null references users,
  key        uuid        not null,
  body_hash  bytea       not null,
  order_id   uuid        not null references payment_orders,
  created_at timestamptz not null,
  primary key (user_id, key)
);
comment on table payment_requests is 'Idempotency keys of POST payment_intent. Several may lead to one order';
comment on column payment_requests.body_hash is 'SHA-256 of what was asked for: another body under the same key is refused';

create table payment_quotas (
  user_id           bigint      primary key references users,
  minute_began_at   timestamptz not null,
  minute_post_count integer     not null,
  hour_began_at     timestamptz not null,
  hour_post_count   integer     not null
);
comment on table payment_quotas is 'Calls of POST payment_intent in the running minute and hour of each user, refused ones too';

create table payment_declines (
  charge_id   text        primary key,
  order_id    uuid        not null references payment_orders,
  user_id     bigint      not null references users,
  declined_at timestamptz not null
);
create index payment_declines_by_user on payment_declines (user_id, declined_at);
comment on table payment_declines is 'Declined charges. Too many in an hour pause buying (card testing)';
comment on column payment_declines.declined_at is 'When we learned of it';

create table payment_events (
  id           text        primary key,
  type         text        not null,
  intent_id    text,
  charge_id    text,
  created_at   timestamptz not null,
  received_at  timestamptz not null,
  processed_at timestamptz
);
create index payment_events_by_time on payment_events (created_at);
comment on table payment_events is
  'Events of the provider, each once. What it says is not kept: it may be old, and holds personal data. The job asks for the present state';
comment on column payment_events.charge_id is 'Of a failed payment: the charge that was declined';
comment on column payment_events.created_at is 'By the provider''s clock';
comment on column payment_events.processed_at is 'Null while a job has to look at it';

-- Down Migration
drop table payment_events, payment_declines, payment_quotas, payment_requests, payment_orders;
