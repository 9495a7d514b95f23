-- Up Migration

create table redemption_reversals (
  redemption_id bigint not null references redemptions,
  item_id       bigint not null references purchase_items,
  approval_id   uuid not null references approvals,
  reversed_at   timestamptz not null,
  primary key (redemption_id, item_id)
);
create index redemption_reversals_by_item on redemption_reversals (item_id);
comment on table redemption_reversals is
  'Items that a redemption redeemed and staff made redeemable again, each once. Kept as long as the redemption';
comment on column redemption_reversals.approval_id is 'Who reversed it, why, and by whose vote';

-- Down Migration

drop table redemption_reversals;
