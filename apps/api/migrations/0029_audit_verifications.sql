-- Up Migration

create table audit_verifications (
  id            uuid        primary key,
  requested_at  timestamptz not null,
  requested_by  uuid        not null references staff,
  known_head    text,
  finished_at   timestamptz,
  entry_count   bigint,
  emptied_count bigint,
  head          text,
  fault         text,
  constraint audit_verifications_head check (known_head ~ '^[0-9a-f]{64}$'),
  constraint audit_verifications_finished check (num_nulls(finished_at, entry_count, emptied_count, head) in (0, 4))
);
create index audit_verifications_by_time on audit_verifications (requested_at);
comment on table audit_verifications is 'What a verification of the audit from the console found';
comment on column audit_verifications.known_head is 'A hash that the chain must contain';
comment on column audit_verifications.fault is 'The first wrong entry; null: none';

-- Down Migration

drop table audit_verifications;
