-- Up Migration

set lock_timeout = '2s';

-- The first run of the job added the sends of accounts whose data had been erased.
delete from send_pairs using users where users.id = send_pairs.sender_id and users.closed_at is not null;

-- Down Migration

-- What was erased once is not made again.
select 1;
