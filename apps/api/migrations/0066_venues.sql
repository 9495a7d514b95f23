-- Up Migration

alter table venues
  add column hours       text        not null default '',
  add column archived_at timestamptz,
  add column version     integer     not null default 1;
comment on column venues.hours is 'Opening hours as people write them, for staff to read';
comment on column venues.archived_at is 'Since when nothing is redeemed there. Its history stays';
comment on column venues.version is 'Raised by each edit';

-- Down Migration

alter table venues drop column version, drop column archived_at, drop column hours;
