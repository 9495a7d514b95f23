-- Up Migration

alter table card_orders
  add column card_brand     text,
  add column card_last_four text;
comment on column card_orders.card_last_four is 'The end of the number of the card that paid, by which people recognise it. Erased with the customer';

-- The console finds payments by the charge and by the card, and shows what the provider told of one.
create index card_orders_by_charge on card_orders (charge_id) where charge_id is not null;
create index card_orders_by_card on card_orders (card_last_four, id) where card_last_four is not null;
create index card_events_of_payment on card_events (intent_id, created_at) where intent_id is not null;

-- Down Migration

drop index card_events_of_payment;
drop index card_orders_by_card;
drop index card_orders_by_charge;
alter table card_orders drop column card_last_four, drop column card_brand;
