-- Up Migration

set lock_timeout = '2s';

alter table ticket_phones
  add column session_id uuid,
  alter column user_id drop not null,
  alter column public_key drop not null;
alter table tickets alter column purchase_id drop not null;
comment on table ticket_phones is 'The phone that shows a user''s ticket codes: one at a time. Deleted 30 days after it ended; the erasure of its user empties it';
comment on column ticket_phones.session_id is 'In which the phone proved its key last. Null if that is not known, or after the erasure of its user';
comment on table tickets is 'Signed tickets: the items of a purchase for a phone (decision 0059). Deleted 30 days after their time, or with the phone; the erasure of their user leaves number and time, for scanners without a network';

-- Down Migration

set lock_timeout = '2s';
delete from ticket_phones where user_id is null;
alter table tickets alter column purchase_id set not null;
alter table ticket_phones
  drop column session_id,
  alter column user_id set not null,
  alter column public_key set not null;
comment on table ticket_phones is 'The phone that shows a user''s ticket codes: one at a time. Deleted 30 days after it ended';
comment on table tickets is 'Signed tickets: the items of a purchase for a phone (decision 0059). Deleted 30 days after their time, or with the phone';
