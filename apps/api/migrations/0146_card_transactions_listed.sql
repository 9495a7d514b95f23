-- Up Migration

create table card_transactions_listed (
  is_only      boolean     primary key default true,
  listed_until timestamptz not null,
  constraint card_transactions_listed_is_only check (is_only)
);
comment on table card_transactions_listed is 'Until when the provider''s list of transactions has been stored. Payments and disputes store some of them too, so the newest stored one tells nothing of it. One row, once the list has been read';

-- Down Migration

drop table card_transactions_listed;
