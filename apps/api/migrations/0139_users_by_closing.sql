-- Up Migration

-- Each scanner asks once a minute whose accounts were closed lately (modules/tickets/gates/pack.sql.ts).
create index concurrently users_by_closing on users (closed_at) where closed_at is not null;

-- Down Migration

drop index concurrently users_by_closing;
