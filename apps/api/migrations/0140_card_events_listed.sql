-- Up Migration

create table card_events_listed (
  is_only      boolean     primary key default true,
  listed_until timestamptz not null,
  constraint card_events_listed_is_only check (is_only)
);
comment on table card_events_listed is 'Until when the provider''s list of events has been read, so that a long outage leaves no hole. One row, once it has been read';

-- Down Migration

drop table card_events_listed;
