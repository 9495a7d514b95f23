-- Up Migration

-- In the order of the list: all were sorted to show one page.
create index card_warnings_by_time on card_warnings (created_at, id);

-- Counted by these alone. Requests of one action and refunds in one state were counted by reading all.
create index approvals_by_action on approvals (action, requested_at, id) where votes_needed > 0;
create index card_refunds_by_state on card_refunds (state, created_at, id);

-- Down Migration

drop index card_refunds_by_state;
drop index approvals_by_action;
drop index card_warnings_by_time;
