-- Up Migration

set lock_timeout = '2s';

alter table redemptions add column device_id uuid;
comment on column redemptions.device_id is 'Which scanner redeemed online. Null without a network, where the entry''s log names it, and from before it was noted';

-- Down Migration

set lock_timeout = '2s';
alter table redemptions drop column device_id;
