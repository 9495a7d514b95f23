-- Up Migration

-- Goods that were handed out can be refunded; what was refunded can still not be redeemed.
alter table purchase_items
  drop constraint purchase_items_redeemed_or_voided,
  add constraint purchase_items_redeemed_before_voided check (redeemed_at <= voided_at);
comment on column purchase_items.voided_at is
  'When it was refunded: it cannot be redeemed any more, and may have been before';

-- Down Migration

alter table purchase_items
  drop constraint purchase_items_redeemed_before_voided,
  add constraint purchase_items_redeemed_or_voided check (redeemed_at is null or voided_at is null);
comment on column purchase_items.voided_at is 'When it was refunded: it cannot be redeemed any more';
