-- Up Migration

create table card_dispute_moves (
  key        uuid primary key,
  dispute_id uuid not null references card_disputes
);
comment on table card_dispute_moves is 'The dispute behind each key of transfers. Stays as long as they do; a dispute has a handful';

-- Down Migration

drop table card_dispute_moves;
