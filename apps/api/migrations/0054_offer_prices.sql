-- Up Migration

create table offer_prices (
  offer_id             integer not null references offers,
  starts_at            timestamptz not null,
  ends_at              timestamptz not null,
  price_ath_hundredths integer not null check (price_ath_hundredths > 0),
  primary key (offer_id, starts_at),
  constraint offer_prices_window check (starts_at < ends_at),
  -- A range of one id, because GiST compares ranges without an extension and plain integers only with one.
  constraint offer_prices_one_at_a_time
    exclude using gist (int4range(offer_id, offer_id, '[]') with &&, tstzrange(starts_at, ends_at) with &&)
);
comment on table offer_prices is 'Prices that hold from starts_at up to ends_at, in place of the offer''s own; 20 of each offer at most';

-- Down Migration

drop table offer_prices;
