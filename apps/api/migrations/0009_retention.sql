-- Up Migration

-- Rows that are kept for a limited time are found by their age (docs/decisions/0007-redemption.md).
create index scans_by_time on scans (at);

-- Down Migration

drop index scans_by_time;
