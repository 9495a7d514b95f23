-- Up Migration

alter table categories
  add version integer not null default 1,
  add archived_at timestamptz,
  add constraint categories_not_under_themselves check (parent_id <> id);
comment on column categories.version is 'Counts the changes by staff of what the category shows; its place in the tree is none of them';
comment on column categories.archived_at is 'Archived categories are hidden from customers. Nothing below one is on sale';

alter table offers
  add version integer not null default 1,
  add is_draft boolean not null default false,
  add constraint offers_drafts_are_not_sold check (not (is_draft and active));
comment on column offers.version is 'Counts the changes by staff, also of the draft. Not the stock, which purchases change';
comment on column offers.is_draft is 'Never published, so no customer sees it';

create table offer_drafts (
  offer_id integer primary key references offers,
  fields   jsonb not null,
  saved_by uuid not null references staff,
  saved_at timestamptz not null
);
comment on table offer_drafts is 'Changes of a published offer until they are published or discarded; one row an offer at most';
comment on column offer_drafts.fields is 'All fields as the contract''s offerFields has them';

-- Down Migration

drop table offer_drafts;
alter table offers drop constraint offers_drafts_are_not_sold, drop is_draft, drop version;
alter table categories drop constraint categories_not_under_themselves, drop archived_at, drop version;
