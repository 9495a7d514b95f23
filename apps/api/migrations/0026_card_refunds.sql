-- Up Migration

-- What of an order went back, in parts whose cents add up (docs/cards.md, "Refunds").
alter table card_orders
  add column charge_id                      text,
  add column resolution                     text check (resolution in ('credited', 'refunded', 'settled_elsewhere')),
  add column returned_micro_ath             bigint not null default 0,
  add column returned_price_usd_cents       bigint not null default 0,
  add column returned_product_fee_usd_cents bigint not null default 0,
  add column returned_processing_fee_usd_cents bigint not null default 0,
  add constraint card_orders_returned check (
    returned_micro_ath between 0 and amount_micro_ath
    and returned_price_usd_cents between 0 and price_usd_cents
    and returned_product_fee_usd_cents between 0 and product_fee_usd_cents
    and returned_processing_fee_usd_cents between 0 and processing_fee_usd_cents);
comment on column card_orders.charge_id is 'The charge that paid';
comment on column card_orders.resolution is 'How a person ended the review';
comment on column card_orders.returned_micro_ath is
  'Tokens that went back in refunds, including those on their way, and in repaid debts of lost disputes. The cents beside it are theirs';

create table card_refunds (
  id                       uuid        primary key,
  order_id                 uuid        not null references card_orders,
  user_id                  bigint      not null references users,
  state                    text        not null check (state in ('requested', 'approved', 'sending', 'pending', 'succeeded',
                                       'rejected', 'withdrawn', 'expired', 'refused', 'failed')),
  funding                  text        not null check (funding in ('order', 'suspense')),
  is_adopted               boolean     not null default false,
  share_micro_ath          bigint      not null check (share_micro_ath >= 0),
  taken_micro_ath          bigint      not null check (taken_micro_ath between 0 and share_micro_ath),
  price_usd_cents          bigint      not null check (price_usd_cents >= 0),
  product_fee_usd_cents    bigint      not null check (product_fee_usd_cents >= 0),
  processing_fee_usd_cents bigint      not null check (processing_fee_usd_cents >= 0),
  total_usd_cents          bigint      not null check (total_usd_cents > 0),
  reason                   text        not null,
  requested_by             uuid,
  provider_refund_id       text        unique,
  failure                  text,
  created_at               timestamptz not null,
  sent_at                  timestamptz,
  accepted_at              timestamptz,
  closed_at                timestamptz,
  constraint card_refunds_total check (
    funding = 'suspense' or total_usd_cents = price_usd_cents + product_fee_usd_cents + processing_fee_usd_cents),
  constraint card_refunds_accepted_is_known check (accepted_at is null or provider_refund_id is not null),
  constraint card_refunds_closed check (
    (state in ('succeeded', 'rejected', 'withdrawn', 'expired', 'refused', 'failed')) = (closed_at is not null))
);
create index card_refunds_by_order on card_refunds (order_id);
create index card_refunds_by_time on card_refunds (created_at);
create index card_refunds_of_user on card_refunds (user_id) where state in ('requested', 'approved', 'sending');
create index card_refunds_open on card_refunds (created_at) where state in ('approved', 'sending', 'pending');
comment on table card_refunds is 'Refunds to the card. Each movement is under the refund''s id, also the provider''s key (docs/cards.md, "Refunds")';
comment on column card_refunds.funding is 'suspense: the payment was never credited';
comment on column card_refunds.is_adopted is 'Made in the provider''s dashboard: its tokens were never held';
comment on column card_refunds.share_micro_ath is 'The tokens that the money stands for';
comment on column card_refunds.taken_micro_ath is 'The tokens taken from the user. What is missing is the programme''s cost';
comment on column card_refunds.requested_by is 'The member of staff; null: nobody of ours';
comment on column card_refunds.accepted_at is 'When the provider''s acceptance was booked';

create table card_transactions (
  id               text        primary key,
  type             text        not null,
  source_id        text,
  amount_usd_cents bigint      not null,
  fee_usd_cents    bigint      not null,
  net_usd_cents    bigint      not null,
  created_at       timestamptz not null,
  listed_at        timestamptz not null,
  booking_id       uuid        unique,
  explanation      text,
  constraint card_transactions_net check (net_usd_cents = amount_usd_cents - fee_usd_cents)
);
create index card_transactions_by_time on card_transactions (created_at);
create index card_transactions_unmatched on card_transactions (listed_at) where booking_id is null;
comment on table card_transactions is 'The movements of our balance at the provider, each with the booking of ours that it belongs to';
comment on column card_transactions.listed_at is 'When we first saw it';
comment on column card_transactions.explanation is 'Why no booking belongs to it, in the words of a person';

create table card_bookings (
  id               uuid        primary key,
  what             text        not null check (what in ('payment', 'refund', 'refund_return', 'dispute', 'payout', 'manual')),
  order_id         uuid        references card_orders,
  source_id        text,
  amount_usd_cents bigint      not null,
  fee_usd_cents    bigint      not null default 0,
  booked_at        timestamptz not null,
  matched_at       timestamptz,
  explanation      text
);
create index card_bookings_by_source on card_bookings (source_id) where matched_at is null;
create index card_bookings_unmatched on card_bookings (booked_at) where matched_at is null;
create index card_bookings_by_order on card_bookings (order_id);
comment on table card_bookings is 'What we booked on the account card_provider: the id is the key in the ledger';
comment on column card_bookings.source_id is 'The provider''s object that the transaction names as its source';
comment on column card_bookings.amount_usd_cents is 'Effect on the balance at the provider, before fees';
alter table card_transactions add constraint card_transactions_booking_id_fkey foreign key (booking_id) references card_bookings;

alter table card_events add column object_id text;
comment on column card_events.object_id is 'What the event is about: an intent, a charge, a refund and so on';

-- Payments that were credited before bookings were kept. Their source is the intent until the charge is known.
insert into card_bookings (id, what, order_id, source_id, amount_usd_cents, booked_at)
select id, 'payment', id, intent_id, total_usd_cents, closed_at from card_orders where state = 'credited';

-- Down Migration

alter table card_events drop column object_id;
alter table card_transactions drop constraint card_transactions_booking_id_fkey;
drop table card_bookings, card_transactions, card_refunds;
alter table card_orders
  drop constraint card_orders_returned,
  drop column returned_processing_fee_usd_cents,
  drop column returned_product_fee_usd_cents,
  drop column returned_price_usd_cents,
  drop column returned_micro_ath,
  drop column resolution,
  drop column charge_id;
