-- Up Migration

alter table purchase_items
  add column voided_at timestamptz,
  add constraint purchase_items_redeemed_or_voided check (redeemed_at is null or voided_at is null);
comment on column purchase_items.voided_at is 'When it was refunded: it cannot be redeemed any more';

-- Down Migration

alter table purchase_items drop column voided_at;
