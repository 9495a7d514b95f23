-- Up Migration

create table staff_venues (
  staff_id uuid    not null references staff,
  venue_id integer not null references venues,
  primary key (staff_id, venue_id)
);
create index staff_venues_by_venue on staff_venues (venue_id);
comment on table staff_venues is 'Venues that a member of staff is bound to: only these are seen. Without a row, all are';

-- Down Migration

drop table staff_venues;
