-- Up Migration

create unique index concurrently ledger_verifications_one_of_a_kind on ledger_verifications (is_whole) where finished_at is null;

-- Down Migration

drop index concurrently ledger_verifications_one_of_a_kind;
