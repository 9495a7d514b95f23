-- Up Migration

set lock_timeout = '2s';

create table mailed_resets (
  user_id  bigint      primary key references users (id) on delete cascade,
  reset_at timestamptz not null
);
create index mailed_resets_by_time on mailed_resets (reset_at);
comment on table mailed_resets is 'Whose password was set with a mailed link lately: a lost second step is not removed for some days (decision 0061). Deleted after 7 days, and when a sign-in with a code shows that the owner did it';

-- Down Migration

set lock_timeout = '2s';
drop table mailed_resets;
