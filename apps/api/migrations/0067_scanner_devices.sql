-- Up Migration

create table scanner_devices (
  id            uuid        primary key,
  device_hash   bytea       not null unique,
  label         text        not null,
  name          text,
  venue_id      integer     references venues,
  user_id       bigint      references users,
  app_version   text,
  first_seen_at timestamptz not null,
  last_seen_at  timestamptz not null,
  last_scan_at  timestamptz,
  enrolled_at   timestamptz,
  blocked_at    timestamptz
);
create index scanner_devices_by_venue on scanner_devices (venue_id);
create index scanner_devices_by_user on scanner_devices (user_id);
create index scanner_devices_by_time on scanner_devices (last_seen_at);
comment on table scanner_devices is 'Devices on which staff of venues have signed in. Deleted 90 days after they were last seen, blocked ones after 500';
comment on column scanner_devices.id is 'UUIDv7';
comment on column scanner_devices.device_hash is 'Keyed hash of the installation''s id; of user and kind of browser if it sends none';
comment on column scanner_devices.label is 'Browser and system, from a fixed list';
comment on column scanner_devices.name is 'Given by the enrolment, as is venue_id';
comment on column scanner_devices.user_id is 'Who signed in there last';
comment on column scanner_devices.last_seen_at is 'To the minute, as last_scan_at';
comment on column scanner_devices.blocked_at is 'Since when nobody can scan with it';

create table scanner_sessions (
  session_id uuid primary key references sessions on delete cascade,
  device_id  uuid not null references scanner_devices on delete cascade
);
create index scanner_sessions_of_device on scanner_sessions (device_id);
comment on table scanner_sessions is 'The device of each session that has called the scanner. Deleted with the session';

create table scanner_enrolments (
  code_hash  bytea       primary key,
  venue_id   integer     not null references venues,
  name       text        not null,
  created_by uuid        not null references staff,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at    timestamptz
);
create index scanner_enrolments_by_expiry on scanner_enrolments (expires_at);
comment on table scanner_enrolments is 'Codes that give a device its name and venue, once, within 15 minutes. Deleted an hour after they expired';

-- Down Migration

drop table scanner_enrolments;
drop table scanner_sessions;
drop table scanner_devices;
