-- Up Migration

-- What the console's lists read, and nothing that a purchase, a scan or a transfer writes (bench/console/reads.system.test.ts).

-- The payments of a customer, newest first, and what is erased about them.
create index card_orders_by_user on card_orders (user_id, id);
-- Few among many: by state alone, a list and its count would read every order.
create index card_orders_canceled on card_orders (id) where state = 'canceled';
create index users_closed on users (created_at, id) where closed_at is not null;
create index audit_entries_not_done on audit_entries (outcome, seq) where outcome <> 'done';
-- The evidence that is erased with a person.
create index card_disputes_by_user on card_disputes (user_id);

-- Down Migration

drop index card_disputes_by_user, audit_entries_not_done, users_closed, card_orders_canceled, card_orders_by_user;
