-- Up Migration

create table stat_hours (
  metric    text not null,
  dimension text not null,
  bucket    timestamptz not null,
  count     bigint not null,
  units     bigint not null,
  primary key (metric, bucket, dimension)
);
comment on table stat_hours is
  'Figures of each hour of the programme''s time zone, for the console. Never deleted: some ten rows an hour, and the rows they were counted from may be gone';
comment on column stat_hours.dimension is 'What the metric is split by, such as the id of a venue; empty for none';

create table stat_days (
  metric    text not null,
  dimension text not null,
  day       date not null,
  count     bigint not null,
  units     bigint not null,
  primary key (metric, day, dimension)
);
comment on table stat_days is 'The hours of each day together, so that a quarter is few rows. Kept as long as they are';

create table stat_progress (
  source      text primary key,
  time_zone   text not null,
  transfer_id bigint not null default 0,
  rolled_at   timestamptz
);
comment on table stat_progress is 'How far each source of figures has been counted. One row for each source';
comment on column stat_progress.transfer_id is 'Of the ledger: the last transfer that is counted';
comment on column stat_progress.rolled_at is 'Null until everything has been counted once, and while it is counted again';

-- Down Migration

drop table stat_progress, stat_days, stat_hours;
