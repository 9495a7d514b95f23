-- Up Migration

set lock_timeout = '2s';

alter table send_holds add column is_first_time boolean;
comment on column send_holds.is_first_time is
  'No send to this receiver had arrived before. Null where the request set the time itself, so that nothing was judged.';

-- Down Migration

set lock_timeout = '2s';
alter table send_holds drop column is_first_time;
