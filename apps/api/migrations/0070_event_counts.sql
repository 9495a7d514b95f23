-- Up Migration

create table event_counts (
  event     text not null,
  dimension text not null,
  quarter   timestamptz not null,
  count     bigint not null,
  primary key (event, quarter, dimension)
);
comment on table event_counts is
  'How often something happened whose rows are deleted, in each quarter of an hour, since some time zones differ by one. Names nobody. Never deleted: some rows an hour';

-- Orders that ended after a card was tried, by the time of their end, for the figures of each hour.
create index card_orders_ended on card_orders (closed_at) where history_id is not null;
create index card_refunds_accepted on card_refunds (accepted_at) where accepted_at is not null;
create index card_disputes_by_creation on card_disputes (created_at);

-- Down Migration

drop index card_disputes_by_creation;
drop index card_refunds_accepted;
drop index card_orders_ended;
drop table event_counts;
