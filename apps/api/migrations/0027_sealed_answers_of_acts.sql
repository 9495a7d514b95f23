-- Up Migration

-- Answers hold what staff saw, such as addresses of customers. No act can be repeated across this migration.
delete from console_acts;
alter table console_acts alter column answer type bytea using null;
comment on column console_acts.answer is 'JSON, sealed (decision 0016). Null only inside the transaction that does it';
comment on column console_acts.request_digest is 'HMAC-SHA-256 of what was asked for: of a short text, a plain digest could be guessed';

-- Its one row changes with every entry: room for the new version on the same page, as ledger_head has.
alter table audit_head set (fillfactor = 10);

-- Down Migration

alter table audit_head reset (fillfactor);
delete from console_acts;
alter table console_acts alter column answer type text using null;
comment on column console_acts.answer is 'JSON. Null only inside the transaction that does it';
comment on column console_acts.request_digest is null;
