-- Up Migration

-- Indexes that find expired rows by their age (docs/decisions/0007-redemption.md).
create index scans_by_time on scans (at);

-- Down Migration

drop index scans_by_time;
