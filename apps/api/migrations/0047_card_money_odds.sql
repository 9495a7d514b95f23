-- Up Migration

-- A refund made in the provider's dashboard may be more than what is left of its order: the rest is the programme's cost.
alter table card_refunds
  drop constraint card_refunds_total,
  add constraint card_refunds_total check (
    funding = 'suspense' or is_adopted or total_usd_cents = price_usd_cents + product_fee_usd_cents + processing_fee_usd_cents);

alter table card_transactions add column looked_at timestamptz;
comment on column card_transactions.looked_at is 'When its source was last asked for, so that those that find none do not keep others waiting';
drop index card_transactions_unmatched;
create index card_transactions_unmatched on card_transactions (looked_at nulls first, listed_at) where booking_id is null;

-- Down Migration

drop index card_transactions_unmatched;
create index card_transactions_unmatched on card_transactions (listed_at) where booking_id is null;
alter table card_transactions drop column looked_at;
update card_refunds set price_usd_cents = total_usd_cents - product_fee_usd_cents - processing_fee_usd_cents
 where funding = 'order' and is_adopted;
alter table card_refunds
  drop constraint card_refunds_total,
  add constraint card_refunds_total check (
    funding = 'suspense' or total_usd_cents = price_usd_cents + product_fee_usd_cents + processing_fee_usd_cents);
