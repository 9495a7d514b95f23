-- Up Migration

-- Known devices pass the limits on others' wrong passwords, so an account keeps a few, and each ends some time after its last
-- sign-in. For devices that are known today, that time begins now.
alter table known_devices add column last_seen_at timestamptz not null default now();
create index known_devices_by_time on known_devices (last_seen_at);
comment on table known_devices is 'Devices that have signed in to an account, by keyed hashes; the latest 20 of each account';

-- Down Migration

alter table known_devices drop column last_seen_at;
comment on table known_devices is null;
