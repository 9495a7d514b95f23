-- Up Migration

set lock_timeout = '2s';

alter table card_days
  add column summed_until timestamptz,
  add column summed_usd_cents bigint;
comment on column card_days.summed_until is 'Transactions that were listed before are not summed again on later days. Null on days before sums were kept';
comment on column card_days.summed_usd_cents is 'The sum of the transactions that were listed before summed_until';

-- Down Migration

set lock_timeout = '2s';
alter table card_days drop column summed_until, drop column summed_usd_cents;
