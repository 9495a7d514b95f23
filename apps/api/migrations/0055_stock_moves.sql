-- Up Migration

alter table offers add stock_alert_max integer check (stock_alert_max >= 0);
comment on column offers.stock_alert_max is 'Staff are told once no more than this are left';

create table stock_moves (
  id         bigint generated always as identity primary key,
  offer_id   integer not null references offers,
  kind       text not null check (kind in ('count', 'correction', 'refund', 'unlimited')),
  before     integer check (before >= 0),
  after      integer check (after >= 0),
  staff_id   uuid not null references staff,
  reason     text not null,
  at         timestamptz not null
);
create index stock_moves_by_offer on stock_moves (offer_id, id desc);
comment on table stock_moves is 'Changes of stock other than sales. What was sold between two of them is the difference between after and the next before, so a purchase writes no row here (decision 0029). Kept, because staff make few and the sum must stay';
comment on column stock_moves.before is 'Null: as many as are wanted';
comment on column stock_moves.reason is 'Empty for a refund, whose request says why and is erased with its customer';

-- Down Migration

drop table stock_moves;
alter table offers drop stock_alert_max;
