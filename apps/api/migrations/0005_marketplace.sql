-- Up Migration

-- Pictures -----------------------------------------------------------------------------------------------------------------

create table pictures (
  id text primary key check (id ~ '^[0-9a-f]{64}$'),
  width integer not null check (width > 0),
  height integer not null check (height > 0),
  formats text[] not null check (formats <> '{}' and formats <@ array['webp', 'avif']),
  created_at timestamptz not null default now()
);
comment on table pictures is 'Stored pictures. The files are in the picture storage as id/width.format, and never change';
comment on column pictures.id is 'SHA-256 of the picture as it was handed in';
comment on column pictures.formats is 'Formats that every width is there in';

alter table categories add picture_id text references pictures;
alter table offers
  add picture_id text references pictures,
  add stock_left integer check (stock_left >= 0),
  add sale_starts_at timestamptz,
  add sale_ends_at timestamptz,
  add user_count_max integer check (user_count_max > 0),
  add tier_id_min integer references tiers,
  add beneficiary_user_id bigint references users,
  add constraint offers_sale_window check (sale_starts_at < sale_ends_at),
  add constraint offers_tips_alone_have_no_price check ((kind = 3) = (price_ath_hundredths = 0)),
  add constraint offers_tips_are_not_counted check (kind <> 3 or (stock_left is null and user_count_max is null)),
  add constraint offers_beneficiary_is_for_tips check (beneficiary_user_id is null or kind = 3);
comment on column offers.stock_left is 'Null: as many as are wanted';
comment on column offers.user_count_max is 'How many one user may ever buy';
comment on column offers.beneficiary_user_id is 'Who receives the tips; null: the programme''s merchant account';

-- Purchases ----------------------------------------------------------------------------------------------------------------

create table purchases (
  id bigint generated always as identity primary key,
  user_id bigint not null references users,
  key uuid not null,
  total_ath_hundredths bigint not null check (total_ath_hundredths > 0),
  created_at timestamptz not null,
  unique (user_id, key)
);
comment on column purchases.key is 'Idempotency key: the ledger''s transfers of the lines have it too';

create table purchase_lines (
  purchase_id bigint not null references purchases,
  line smallint not null check (line >= 0),
  offer_id integer not null references offers,
  item_count smallint not null check (item_count between 1 and 99),
  price_ath_hundredths integer not null check (price_ath_hundredths > 0),
  title text not null,
  note text not null,
  img text not null,
  kind smallint not null check (kind between 0 and 2),
  primary key (purchase_id, line)
);
create index purchase_lines_by_offer on purchase_lines (offer_id);
comment on table purchase_lines is 'A line of the cart as it was bought: one transfer of the ledger, one entry of the history';
comment on column purchase_lines.price_ath_hundredths is 'Of one item';

create table purchase_items (
  id bigint generated always as identity primary key,
  purchase_id bigint not null,
  line smallint not null,
  redeemed_at timestamptz,
  redemption_id bigint,
  foreign key (purchase_id, line) references purchase_lines,
  constraint purchase_items_redeemed_at_once check ((redeemed_at is null) = (redemption_id is null))
);
create index purchase_items_by_purchase on purchase_items (purchase_id, line);

create table tips (
  id bigint generated always as identity primary key,
  user_id bigint not null references users,
  key uuid not null,
  offer_id integer not null references offers,
  amount_ath_hundredths bigint not null check (amount_ath_hundredths > 0),
  tip_from text not null,
  note text not null,
  offer_title text not null,
  offer_note text not null,
  offer_img text not null,
  beneficiary_user_id bigint references users,
  created_at timestamptz not null,
  unique (user_id, key)
);
create index tips_by_offer on tips (offer_id);
create index tips_by_beneficiary on tips (beneficiary_user_id) where beneficiary_user_id is not null;
comment on column tips.beneficiary_user_id is 'Who received it; null: the programme''s merchant account';

-- Redemption ---------------------------------------------------------------------------------------------------------------

create table venues (
  id integer generated always as identity primary key,
  name text not null unique,
  address text not null,
  created_at timestamptz not null default now()
);

create table venue_staff (
  venue_id integer not null references venues,
  user_id bigint not null references users,
  bound_at timestamptz not null default now(),
  revoked_at timestamptz,
  primary key (venue_id, user_id)
);
create index venue_staff_by_user on venue_staff (user_id);

create table offer_venues (
  offer_id integer not null references offers,
  venue_id integer not null references venues,
  primary key (offer_id, venue_id)
);
comment on table offer_venues is 'Where an offer is redeemed; an offer without a row is redeemed everywhere';

create table code_claims (
  code_hash bytea primary key,
  user_id bigint not null references users,
  venue_id integer not null references venues,
  claimed_at timestamptz not null
);
create index code_claims_by_time on code_claims (claimed_at);
comment on table code_claims is 'Who scanned a code first: nobody else and no other venue may redeem it';

create table redemptions (
  id bigint generated always as identity primary key,
  user_id bigint not null references users,
  key uuid not null,
  request_hash bytea not null,
  venue_id integer not null references venues,
  answer jsonb not null,
  created_at timestamptz not null,
  unique (user_id, key)
);
comment on table redemptions is 'One accepted redeem request of a member of staff, with its answer for repeats';
alter table purchase_items add foreign key (redemption_id) references redemptions;
create index purchase_items_by_redemption on purchase_items (redemption_id) where redemption_id is not null;

create table scans (
  id bigint generated always as identity primary key,
  user_id bigint not null references users,
  venue_id integer references venues,
  at timestamptz not null,
  action text not null check (action in ('scan', 'redeem')),
  outcome text not null,
  code_hash bytea,
  holder_user_id bigint references users,
  item_count smallint not null default 0 check (item_count >= 0),
  redeemed_count smallint not null default 0 check (redeemed_count >= 0),
  titles text[] not null default '{}'
);
create index scans_by_user on scans (user_id, at desc, id desc);
create index scans_by_holder on scans (holder_user_id);
comment on table scans is 'Every attempt at the scanner, also a refused one';
comment on column scans.outcome is 'ok, or what stood against the first item, or the code of the refusal';

-- Down Migration
drop table scans;
alter table purchase_items drop constraint purchase_items_redemption_id_fkey;
drop table redemptions, code_claims, offer_venues, venue_staff, venues, tips, purchase_items, purchase_lines, purchases;
alter table offers
  drop picture_id, drop stock_left, drop sale_starts_at, drop sale_ends_at, drop user_count_max, drop tier_id_min,
  drop beneficiary_user_id, drop constraint if exists offers_tips_alone_have_no_price;
alter table categories drop picture_id;
drop table pictures;
