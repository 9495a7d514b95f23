-- Up Migration

-- "Request" is reserved for requests for money between users; names of card orders start with "card".
alter table payment_orders rename to card_orders;
alter table payment_requests rename to card_quotes;
alter table payment_declines rename to card_declines;
alter table payment_events rename to card_events;
comment on table card_quotes is
  'Quotes that became orders, by idempotency key of POST payment_intent. Several may lead to one order';
comment on column card_quotes.body_hash is 'SHA-256 of the request: another body under the same key is refused';

-- Renaming a table does not rename its constraints and indexes.
do $$
declare
  named record;
begin
  for named in
    select format('alter table %s rename constraint %I to', conrelid::regclass, conname) as act,
           conname::text as old_name
      from pg_constraint where conname like 'payment\_%' and connamespace = 'public'::regnamespace
    union all
    select format('alter index %I rename to', relname), relname::text
      from pg_class
     where relname like 'payment\_%' and relkind = 'i' and relnamespace = 'public'::regnamespace
       and not exists (select from pg_constraint where conindid = pg_class.oid and contype in ('p', 'u'))
  loop
    execute format('%s %I', named.act,
      replace(replace(named.old_name, 'payment_requests', 'card_quotes'), 'payment_', 'card_'));
  end loop;
end $$;

-- Down Migration

alter table card_orders rename to payment_orders;
alter table card_quotes rename to payment_requests;
alter table card_declines rename to payment_declines;
alter table card_events rename to payment_events;
do $$
declare
  named record;
begin
  for named in
    select format('alter table %s rename constraint %I to', conrelid::regclass, conname) as act,
           conname::text as old_name
      from pg_constraint where conname like 'card\_%' and connamespace = 'public'::regnamespace
    union all
    select format('alter index %I rename to', relname), relname::text
      from pg_class
     where relname like 'card\_%' and relkind = 'i' and relnamespace = 'public'::regnamespace
       and not exists (select from pg_constraint where conindid = pg_class.oid and contype in ('p', 'u'))
  loop
    execute format('%s %I', named.act,
      replace(replace(named.old_name, 'card_quotes', 'payment_requests'), 'card_', 'payment_'));
  end loop;
end $$;
