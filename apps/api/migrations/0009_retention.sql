-- Up Migration

-- What is kept for a while only is looked for by its age (docs/decisions/0007-redemption.md).
create index scans_by_time on scans (at);

-- Down Migration

drop index scans_by_time;
