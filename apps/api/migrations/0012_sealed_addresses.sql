-- Up Migration

-- The key that seals is not in the database, so addresses that are here now cannot be sealed. They belong to accounts that were
-- deleted just before the upgrade; such an account's last mail is not sent.
alter table account_closures alter column mail_to type bytea using null;
comment on column account_closures.mail_to is
  'Where the last mail goes, sealed (apps/api/src/platform/sealed.ts). Null once it was sent, or was tried for long enough';

-- Down Migration

alter table account_closures alter column mail_to type text using null;
comment on column account_closures.mail_to is 'Where the last mail goes. Null once it was sent, or was tried for long enough';
