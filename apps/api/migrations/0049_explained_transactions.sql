-- Up Migration

-- Few transactions are ever explained, and the erasure of a customer looks for theirs among them.
create index card_transactions_explained on card_transactions (source_id) where explanation is not null;

-- Down Migration

drop index card_transactions_explained;
