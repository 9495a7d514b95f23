-- Up Migration

create table tier_ladder (
  is_only    boolean     primary key default true check (is_only),
  version    integer     not null default 1,
  counted_at timestamptz
);
insert into tier_ladder default values;
comment on table tier_ladder is 'One row. It is locked by each change of the tiers, because the place of one follows from the others';
comment on column tier_ladder.counted_at is 'When tier_histogram was counted; null until it was';

create table tier_histogram (
  from_micro_ath bigint primary key check (from_micro_ath >= 0),
  holder_count   bigint not null check (holder_count >= 0)
);
comment on table tier_histogram is
  'How many customers hold an amount or more, at amounts of three digits. Written anew each night; some thousand rows, and never more than 11,000';

-- Down Migration

drop table tier_histogram, tier_ladder;
