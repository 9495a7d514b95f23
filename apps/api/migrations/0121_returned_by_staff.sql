-- Up Migration

set lock_timeout = '2s';

-- A reason more. The rows that stand meet it, so nothing is validated under the lock.
alter table send_holds
  drop constraint send_holds_reason_check,
  add constraint send_holds_reason_check
    check (reason in ('recipient_closed', 'recipient_held', 'sender_stopped', 'by_staff')) not valid;
alter table send_holds validate constraint send_holds_reason_check;

-- Down Migration

set lock_timeout = '2s';
update send_holds set reason = 'sender_stopped' where reason = 'by_staff';
alter table send_holds
  drop constraint send_holds_reason_check,
  add constraint send_holds_reason_check
    check (reason in ('recipient_closed', 'recipient_held', 'sender_stopped')) not valid;
alter table send_holds validate constraint send_holds_reason_check;
