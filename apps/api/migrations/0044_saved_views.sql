-- Up Migration

create table saved_views (
  id       uuid primary key default gen_random_uuid(),
  staff_id uuid not null references staff,
  list     text not null,
  name     text not null,
  search   text not null,
  constraint saved_views_one_name unique (staff_id, list, name)
);
comment on table saved_views is 'What a list shows, under a name, for the person who saved it; 50 of each person at most';
comment on column saved_views.list is 'The address of the list in the console';
comment on column saved_views.search is 'Filters, sort and columns as that address has them. Never a search for a customer';

-- Down Migration

drop table saved_views;
