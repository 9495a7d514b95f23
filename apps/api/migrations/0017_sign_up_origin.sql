-- Up Migration

-- A mailed link opens the account at once only on the device that signed up; elsewhere it asks for the password. Sign-ups from
-- before today count as made without a device id.
alter table sign_ups
  add column device_hash bytea,
  add column place_hash bytea;
comment on column sign_ups.device_hash is 'HMAC-SHA-256 of the X-Device-Id; null: none was sent';
comment on column sign_ups.place_hash is 'HMAC-SHA-256 of the network place; a delayed mail gives way to a newer sign-up of the same place';

-- Down Migration

alter table sign_ups drop column device_hash, drop column place_hash;
