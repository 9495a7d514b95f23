-- Up Migration

alter table exchange_rates add column is_by_vote boolean not null default false;
comment on column exchange_rates.is_by_vote is
  'Staff voted for it although it breaks a guard rail. Hours and days of the guard rails begin with it';

create table rate_schedule (
  id            uuid           primary key,
  usd_per_ath   numeric(18, 8) not null check (usd_per_ath > 0),
  in_force_from timestamptz    not null,
  is_by_vote    boolean        not null,
  state         text           not null default 'waiting',
  ended_at      timestamptz,
  constraint rate_schedule_state check (state in ('waiting', 'published', 'skipped', 'refused', 'cancelled')),
  constraint rate_schedule_ended check ((state = 'waiting') = (ended_at is null))
);
create index rate_schedule_waiting on rate_schedule (in_force_from, id) where state = 'waiting';
create index rate_schedule_ended on rate_schedule (ended_at) where state <> 'waiting';
comment on table rate_schedule is 'Rates that staff publish by hand, under the id of their approval; pruned 90 days after their end';
comment on column rate_schedule.is_by_vote is 'Two people voted for it although it breaks a guard rail';
comment on column rate_schedule.state is
  'published: at its time; skipped: a later one was due as well; refused: at its time it would have broken a guard rail';

-- The programme asks for a decision itself when its source says a rate that it does not publish.
alter table approvals
  alter column requested_by drop not null,
  alter column organisation drop not null,
  add constraint approvals_requester check ((requested_by is null) = (organisation is null));
create index approvals_by_programme on approvals (action, requested_at) where requested_by is null;
comment on column approvals.requested_by is 'Null if the programme itself asks for a decision';

-- Down Migration

delete from approval_votes where approval_id in (select id from approvals where requested_by is null);
delete from approvals where requested_by is null;
drop index approvals_by_programme;
alter table approvals
  drop constraint approvals_requester,
  alter column requested_by set not null,
  alter column organisation set not null;
comment on column approvals.requested_by is null;
drop table rate_schedule;
alter table exchange_rates drop column is_by_vote;
