-- Up Migration

-- In the order in which a search shows them. The pattern operators have an order of their own, so every address with this
-- beginning was read and sorted to show the first 50.
drop index users_by_email_prefix;
create index users_by_email_prefix on users (email collate "C");

-- Requests in a state that few are in, or none: by time alone, all were read.
create index approvals_by_state on approvals (state, requested_at, id) where votes_needed > 0;

-- Down Migration

drop index approvals_by_state;
drop index users_by_email_prefix;
create index users_by_email_prefix on users (email text_pattern_ops);
