-- Up Migration

-- The people who run the programme: a table of their own, so that nothing in a row of users can open the console.
create table staff (
  id              uuid        primary key default gen_random_uuid(),
  email           text        not null unique,
  name            text        not null,
  organisation    text        not null,
  state           text        not null default 'invited',
  password_hash   text,
  wallet_uuid     uuid,
  is_demo         boolean     not null default false,
  version         integer     not null default 1,
  created_at      timestamptz not null,
  constraint staff_email check (email = lower(email)),
  constraint staff_organisation check (organisation in ('provider', 'brand')),
  constraint staff_state check (state in ('invited', 'active', 'suspended', 'left'))
);
comment on table staff is 'Who may open the console. Rows stay for ever: the audit names them';
comment on column staff.wallet_uuid is 'The person''s own wallet, on which they may not act';
comment on column staff.is_demo is 'Part of the demo data, with a public password: never signed in by a production program';

-- Built-in roles have their grants in packages/contract/src/console/permissions.ts, roles of the programme here.
create table roles (
  id         text        primary key,
  title      text        not null,
  grants     jsonb,
  version    integer     not null default 1,
  created_at timestamptz not null default now(),
  constraint roles_id check (id ~ '^[a-z][a-z0-9_]{0,59}$')
);
comment on column roles.grants is 'Marks by permission; null: a built-in role';
insert into roles (id, title) values
  ('provider_owner', 'Provider owner'), ('finance', 'Finance'), ('support', 'Support'), ('brand_manager', 'Brand manager'),
  ('catalogue_editor', 'Catalogue editor'), ('scanner_lead', 'Scanner lead'), ('auditor', 'Auditor');

create table staff_roles (
  staff_id   uuid        not null references staff,
  role_id    text        not null references roles,
  granted_at timestamptz not null,
  granted_by uuid        references staff,
  primary key (staff_id, role_id)
);
create index staff_roles_by_role on staff_roles (role_id);
comment on column staff_roles.granted_by is 'Null: the command line';

create table staff_sessions (
  id               uuid        primary key,
  token_hash       bytea       not null unique,
  staff_id         uuid        not null references staff,
  is_enrolled      boolean     not null,
  created_at       timestamptz not null,
  seen_at          timestamptz not null,
  expires_at       timestamptz not null,
  proved_at        timestamptz,
  moved_usd_cents  bigint      not null default 0,
  browser          text        not null default '',
  place            text        not null default ''
);
create index staff_sessions_by_staff on staff_sessions (staff_id);
create index staff_sessions_by_end on staff_sessions (expires_at);
comment on column staff_sessions.token_hash is 'SHA-256 of the cookie, whose 256 random bits nothing else holds';
comment on column staff_sessions.is_enrolled is 'Opened with a second factor; without one, only enrolment answers';
comment on column staff_sessions.proved_at is 'When the person last proved to be present';
comment on column staff_sessions.moved_usd_cents is 'Value that was moved since then';
comment on column staff_sessions.place is 'Network place of the last call, as limits count it';

create table staff_factors (
  id            uuid        primary key,
  staff_id      uuid        not null references staff,
  kind          text        not null,
  name          text        not null,
  created_at    timestamptz not null,
  confirmed_at  timestamptz,
  used_at       timestamptz,
  secret        bytea,
  last_step     bigint,
  credential_id bytea       unique,
  public_key    bytea,
  sign_count    bigint,
  transports    text[],
  constraint staff_factors_kind check (
    (kind = 'totp' and secret is not null and credential_id is null)
    or (kind = 'passkey' and secret is null and credential_id is not null and public_key is not null and sign_count is not null))
);
create index staff_factors_by_staff on staff_factors (staff_id);
comment on column staff_factors.secret is 'TOTP: the shared secret, sealed (decision 0016)';
comment on column staff_factors.last_step is 'TOTP: the newest time step that was used; each is used once';
comment on column staff_factors.sign_count is 'Passkey: its counter at the last use; a lower one is a copy';

create table staff_recovery_codes (
  staff_id   uuid        not null references staff,
  code_hash  bytea       not null,
  created_at timestamptz not null,
  used_at    timestamptz,
  primary key (staff_id, code_hash)
);
comment on table staff_recovery_codes is 'Each code once. A new set replaces the rows of the old one';

create table staff_invites (
  token_hash bytea       primary key,
  staff_id   uuid        not null references staff,
  created_at timestamptz not null,
  created_by uuid        references staff,
  expires_at timestamptz not null
);
create index staff_invites_by_staff on staff_invites (staff_id);
comment on column staff_invites.created_by is 'Null: the command line';

-- Acts: what staff did under which key. A repeat is answered from here.
create table console_acts (
  staff_id       uuid        not null references staff,
  key            uuid        not null,
  call           text        not null,
  request_digest bytea       not null,
  answer         text,
  created_at     timestamptz not null,
  primary key (staff_id, key)
);
create index console_acts_by_time on console_acts (created_at);
comment on column console_acts.answer is 'JSON. Null only inside the transaction that does it';

-- The audit ---------------------------------------------------------------------------------------------------------------

create table audit_entries (
  seq           bigint      primary key,
  at            timestamptz not null,
  staff_id      uuid        references staff,
  session_id    uuid,
  organisation  text,
  action        text        not null,
  subject_type  text        not null,
  subject_id    text        not null,
  outcome       text        not null,
  request_id    text        not null,
  approval_id   uuid,
  ledger_key    uuid,
  digest        bytea       not null,
  hash          bytea       not null,
  constraint audit_entries_outcome check (outcome in ('done', 'requested', 'refused', 'failed'))
);
create index audit_entries_by_staff on audit_entries (staff_id, seq);
create index audit_entries_by_action on audit_entries (action, seq);
create index audit_entries_by_time on audit_entries (at, seq);
create index audit_entries_by_subject on audit_entries (subject_type, subject_id, seq);
comment on table audit_entries is 'What staff did, chained: seq has no gap, and each hash is over the one before it. Never changed, never deleted';
comment on column audit_entries.staff_id is 'Null: a program, or somebody who was not signed in';
comment on column audit_entries.digest is 'SHA-256 of salt and details. The chain runs over it, so details can be emptied';
comment on column audit_entries.hash is 'SHA-256 of the hash before and the row''s text (decision 0020)';

-- No foreign key to audit_entries: its check would need the right to update them, and audit_append writes both rows.
create table audit_details (
  seq     bigint primary key,
  salt    bytea,
  details text,
  constraint audit_details_emptied_together check ((salt is null) = (details is null))
);
comment on table audit_details is 'Before and after of an entry, as JSON. Emptied with the person whom they are about: nothing else ever changes';
comment on column audit_details.salt is 'Random, so that emptied details cannot be guessed from their digest';

create table audit_head (
  singleton boolean     primary key default true,
  seq       bigint      not null default 0,
  at        timestamptz not null default '-infinity',
  hash      bytea       not null,
  constraint audit_head_one_row check (singleton)
);
comment on table audit_head is 'The last entry. Its row lock orders the audit, and is taken before that of ledger_head';
insert into audit_head (hash) values (sha256('audit'));

create function audit_refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% on % is refused: the audit only grows', tg_op, tg_table_name using errcode = 'restrict_violation';
end $$;

create trigger audit_entries_append_only before update or delete or truncate on audit_entries
  for each statement execute function audit_refuse_change();
create trigger audit_details_stay before delete or truncate on audit_details
  for each statement execute function audit_refuse_change();
create trigger audit_details_only_emptied before update on audit_details
  for each row when (new.seq <> old.seq or new.details is not null or new.salt is not null)
  execute function audit_refuse_change();
create trigger audit_head_stays before delete or truncate on audit_head
  for each statement execute function audit_refuse_change();
revoke update, delete, truncate on audit_entries from public, current_user;
revoke delete, truncate on audit_details, audit_head from public, current_user;

-- Appends one entry and returns its number. Locks the audit until the transaction ends, so that no number is missing and no two
-- entries follow the same one. The text of a row is each column as <bytes>:<value>, or - for null: audit:verify builds the same.
create function audit_append(
  p_at timestamptz, p_staff_id uuid, p_session_id uuid, p_organisation text, p_action text, p_subject_type text, p_subject_id text,
  p_outcome text, p_request_id text, p_approval_id uuid, p_ledger_key uuid, p_salt bytea, p_details text
) returns bigint language plpgsql as $$
declare
  head audit_head; entry_at timestamptz; entry_digest bytea; row_text text; entry_hash bytea;
begin
  select * into strict head from audit_head for update;
  head.seq := head.seq + 1;
  -- Times never fall, whatever the clock does.
  entry_at := greatest(head.at, p_at);
  entry_digest := sha256(p_salt || convert_to(p_details, 'UTF8'));
  select string_agg(coalesce(octet_length(value) || ':' || value, '-'), '|' order by position) into row_text
    from unnest(array[
      head.seq::text, ((extract(epoch from entry_at) * 1000000)::bigint)::text, p_staff_id::text, p_session_id::text, p_organisation,
      p_action, p_subject_type, p_subject_id, p_outcome, p_request_id, p_approval_id::text, p_ledger_key::text,
      encode(entry_digest, 'hex')
    ]) with ordinality field (value, position);
  entry_hash := sha256(head.hash || convert_to(row_text, 'UTF8'));
  insert into audit_entries (seq, at, staff_id, session_id, organisation, action, subject_type, subject_id, outcome, request_id,
                             approval_id, ledger_key, digest, hash)
  values (head.seq, entry_at, p_staff_id, p_session_id, p_organisation, p_action, p_subject_type, p_subject_id, p_outcome, p_request_id,
          p_approval_id, p_ledger_key, entry_digest, entry_hash);
  insert into audit_details (seq, salt, details) values (head.seq, p_salt, p_details);
  update audit_head set seq = head.seq, at = entry_at, hash = entry_hash;
  return head.seq;
end $$;
comment on function audit_append is 'The only writer of the audit';

-- Down Migration

drop function audit_append;
drop table audit_head, audit_details, audit_entries;
drop function audit_refuse_change;
drop table console_acts, staff_invites, staff_recovery_codes, staff_factors, staff_sessions, staff_roles, roles, staff;
