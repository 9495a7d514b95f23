-- Up Migration

create index approvals_by_subject on approvals (subject_id, requested_at, id) include (requested_by) where votes_needed > 0;
comment on column approvals.payload is
  'JSON, as it was when digest was written to the audit. Empty once its customer is erased, unless it is still needed';

-- Down Migration

comment on column approvals.payload is 'JSON, as it was when digest was written to the audit';
drop index approvals_by_subject;
