-- Up Migration

create table exchange_rates (
  id bigint generated always as identity primary key,
  usd_per_ath numeric(18, 8) not null check (usd_per_ath > 0),
  in_force_from timestamptz not null default now(),
  confirmed_at timestamptz not null default now() check (confirmed_at >= in_force_from)
);
create index exchange_rates_by_time on exchange_rates (in_force_from);
comment on table exchange_rates is 'The published series: a rate is in force until the next one begins';
comment on column exchange_rates.confirmed_at is 'When the source last said so';

create table tiers (
  id integer primary key,
  title text not null,
  amount_micro_ath bigint not null unique check (amount_micro_ath > 0),
  color text not null check (color ~ '^#[0-9a-f]{6}$'),
  note text not null
);
comment on column tiers.amount_micro_ath is 'Threshold: ATH held, in micro-units';

create table categories (
  id integer primary key,
  parent_id integer references categories,
  title text not null,
  description text not null,
  banner_url text not null,
  position integer not null,
  display_type text not null check (display_type in ('row', 'grid', 'featured', 'list'))
);
create index categories_by_parent on categories (parent_id, position);

create table offers (
  id integer primary key,
  category_id integer not null references categories,
  title text not null,
  note text not null,
  img text not null,
  price_ath_hundredths integer not null check (price_ath_hundredths >= 0),
  kind smallint not null check (kind between 0 and 3),
  display_type text not null check (display_type in ('standard', 'wide', 'banner')),
  position integer not null,
  active boolean not null default true
);
create index offers_by_category on offers (category_id, position);
comment on column offers.price_ath_hundredths is 'Hundredths of an ATH, the wire''s amount_cents. Not US cents';

-- Down Migration
drop table offers, categories, tiers, exchange_rates;
