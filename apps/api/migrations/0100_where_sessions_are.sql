-- Up Migration

set lock_timeout = '2s';

-- What the owner needs to tell the own sessions apart. Sessions of before have no label and no method until they end.
alter table sessions
  add column label text,
  add column method text,
  add column last_seen_at timestamptz;
comment on column sessions.label is 'Browser and system in words of a fixed list, never from the request';
comment on column sessions.method is 'How the session was opened: password, link, totp, recovery_code or passkey';
comment on column sessions.last_seen_at is 'In steps of ten minutes, so that reading costs few writes';

-- Down Migration

set lock_timeout = '2s';
alter table sessions drop column label, drop column method, drop column last_seen_at;
