-- Up Migration

-- An order whose intent never became known can be closed without one (docs/cards.md, "Orders").
alter table card_orders
  drop constraint card_orders_open_has_intent,
  add constraint card_orders_open_has_intent check (state in ('creating', 'canceled') or intent_id is not null),
  add column difference text;
comment on column card_orders.difference is
  'How the provider''s record of a credited order last differed from ours, such as a refund. Its alarm was raised once';
comment on column card_orders.usd_per_ath is 'The rate of the quote. A payment that comes a little late is credited at it all the same';
comment on column card_events.charge_id is 'The charge that the event is about';

create table card_comparisons (
  reach    text        primary key check (reach in ('recent', 'disputable')),
  began_at timestamptz not null,
  position timestamptz
);
comment on table card_comparisons is
  'How far the comparison with the provider''s payments has come. It goes back in time, a few pages per run (docs/cards.md, "Comparison")';
comment on column card_comparisons.position is 'Everything since then has been compared in this round. Null: the round is finished';

-- Indexes that find expired rows by their age, and rows that refer to an expired order.
create index card_quotes_by_time on card_quotes (created_at);
create index card_quotes_by_order on card_quotes (order_id);
create index card_declines_by_time on card_declines (declined_at);
create index card_declines_by_order on card_declines (order_id);
create index card_orders_untried on card_orders (created_at) where state = 'canceled' and history_id is null;

-- Down Migration

drop index card_orders_untried, card_declines_by_order, card_declines_by_time, card_quotes_by_order, card_quotes_by_time;
drop table card_comparisons;
comment on column card_events.charge_id is 'Of a failed payment: the charge that was declined';
comment on column card_orders.usd_per_ath is 'The rate of the quote. A late payment is credited at it all the same';
delete from card_quotes where order_id in (select id from card_orders where state = 'canceled' and intent_id is null);
delete from card_orders where state = 'canceled' and intent_id is null;
alter table card_orders
  drop column difference,
  drop constraint card_orders_open_has_intent,
  add constraint card_orders_open_has_intent check (state = 'creating' or intent_id is not null);
