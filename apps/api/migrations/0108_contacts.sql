-- Up Migration

set lock_timeout = '2s';

create table contacts (
  user_id    bigint      not null references users,
  id         uuid        not null,
  version    integer     not null,
  sealed     bytea,
  changed_at timestamptz not null,
  deleted_at timestamptz,
  primary key (user_id, id),
  constraint contacts_version_counts check (version > 0),
  constraint contacts_deleted_are_empty check ((sealed is null) = (deleted_at is not null))
);
create index contacts_by_deletion on contacts (deleted_at) where deleted_at is not null;
comment on table contacts is 'Saved recipients that the devices of an account share (decision 0066): 500 of a user, 2,000 with deleted ones. Erased with the account';
comment on column contacts.id is 'Made by the device that added the contact';
comment on column contacts.version is 'Raised by each change; the highest wins';
comment on column contacts.sealed is 'Name and address as JSON, sealed (platform/sealed.ts)';
comment on column contacts.deleted_at is 'Kept for 180 days, so that no device brings the contact back';

-- Down Migration

drop table contacts;
