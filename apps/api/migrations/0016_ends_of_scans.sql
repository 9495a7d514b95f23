-- Up Migration

-- Scans that redeemed are kept longer than the others, so each kind has an index that finds its old rows by age. With one index
-- for both, every pruning read through all the redemptions between the two ages.
create index scans_idle_by_time on scans (at) where redeemed_count = 0;
create index scans_redeemed_by_time on scans (at) where redeemed_count > 0;
drop index scans_by_time;

-- A redemption that redeemed nothing is only the answer to a replay. One that redeemed something is what its items point to.
create index redemptions_idle_by_time on redemptions (created_at) where answer ->> 'redeemed_count' = '0';
comment on table redemptions is
  'One accepted redeem request of a member of staff, with its answer for repeats. Kept as long as the items that it redeemed';

create table refused_scans (
  user_id bigint not null references users,
  hour timestamptz not null,
  attempt_count integer not null check (attempt_count > 0),
  primary key (user_id, hour)
);
create index refused_scans_by_hour on refused_scans (hour);
comment on table refused_scans is 'Attempts at the scanner above the limit, which are counted and not kept one by one';
comment on column refused_scans.hour is 'Its beginning';

-- Down Migration

drop table refused_scans;
drop index redemptions_idle_by_time;
comment on table redemptions is 'One accepted redeem request of a member of staff, with its answer for repeats';
create index scans_by_time on scans (at);
drop index scans_redeemed_by_time;
drop index scans_idle_by_time;
