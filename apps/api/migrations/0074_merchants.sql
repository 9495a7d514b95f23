-- Up Migration

create table merchants (
  id          integer generated always as identity primary key,
  name        text not null unique,
  note        text not null default '',
  version     integer not null default 1,
  created_at  timestamptz not null,
  archived_at timestamptz
);
comment on table merchants is 'Who sells offers on an account of their own. Offers of none belong to the programme''s shop. Never deleted: transfers name them';
comment on column merchants.version is 'Raised by each edit. Requests to settle name it, so a payee cannot change under a vote';

alter table offers
  add column merchant_id integer references merchants,
  add constraint offers_tips_have_no_merchant check (merchant_id is null or kind <> 3);
comment on column offers.merchant_id is 'Who receives the price; null: the programme''s merchant account';
create index offers_by_merchant on offers (merchant_id) where merchant_id is not null;

alter table purchase_lines add column merchant_id integer;
-- No foreign key: it would lock the merchant's row for each line. Merchants are never deleted.
comment on column purchase_lines.merchant_id is
  'Who received the price. Replays and refunds read it here, because the offer may have another merchant by then';

-- What merchants were paid out (docs/ledger.md, "Numbers").
insert into ledger_accounts (id, asset, code) values (0 - 21 * 8, 'ATH', 'merchant_settled') on conflict (id) do nothing;

-- Down Migration

-- Accounts are never deleted, so those of merchants stay.
alter table purchase_lines drop column merchant_id;
drop index offers_by_merchant;
alter table offers drop constraint offers_tips_have_no_merchant, drop column merchant_id;
drop table merchants;
