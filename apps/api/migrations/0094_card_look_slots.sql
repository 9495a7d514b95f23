-- Up Migration

-- 15 rows allow 15 looks a second, whichever processes look: a look takes a slot that nobody has taken for a second. Whoever finds none
-- free, or only such as others are taking, does not wait.
create table card_look_slots (
  slot     smallint    primary key,
  taken_at timestamptz not null default '-infinity'
) with (fillfactor = 10);
comment on table card_look_slots is 'How often the card provider is asked for the state of a payment, by all processes together: once a second for each row';

insert into card_look_slots (slot) select generate_series(1, 15);

-- Down Migration

drop table card_look_slots;
