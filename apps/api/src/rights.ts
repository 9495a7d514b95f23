/**
 * Ownership and privileges in the database, including those of the programs (decision 0048). They are applied after every migration, so a
 * new table has its owner and its privileges at once. A database without the roles is left unchanged: one role owns and does everything.
 */
import type pg from 'pg';

/** Logins of the programs. They own nothing and write no table of the ledger. */
const PROGRAMS = 'athos_api, athos_worker';

/** Tables on which programs have fewer privileges than select, insert, update and delete. */
const LESS_THAN_ALL = {
  migrations: 'select',
  database_use: 'select',
  audit_entries: 'select, insert',
  audit_head: 'select, update',
  audit_details: 'select, insert, update',
  journal_seals: 'select, insert',
  journal_days: 'select, insert',
  journal_seal_keys: 'select, insert',
} as const;

/**
 * Tables whose bytes are no secrets, so that the reading role can verify the ledger and its seals: hashes over rows that it reads anyway,
 * signatures, public keys, and numbers of keys. Receipts and the published heads show the same.
 */
const PROOFS = ['ledger_checkpoints', 'journal_seals', 'journal_days', 'journal_seal_keys'];

/** Programs write the results of verifications. A checkpoint is trusted for its signature, not for its writer. */
const OBJECTS = `
  with object as (
    select c.oid, c.oid::regclass::text as name, c.relname, c.relkind as kind, c.relnamespace::regnamespace::text as schema, c.relowner as owner,
           c.relnamespace = 'public'::regnamespace and c.relname ~ '^ledger_'
             and c.relname not in ('ledger_verifications', 'ledger_checkpoints') as is_ledger
      from pg_class c
     where c.relnamespace in ('public'::regnamespace, to_regnamespace('graphile_worker')) and c.relkind in ('r', 'p', 'v', 'S')
       and not exists (select from pg_depend where objid = c.oid and classid = 'pg_class'::regclass
                        and (deptype = 'e' or deptype in ('a', 'i') and c.relkind = 'S')))`;

/** Gives every object its owner. Objects that have it are skipped, since a change would lock the table. */
const SET_OWNERS = `
do $$
declare
  item record;
begin
  execute 'grant create on schema public to athos_owner, athos_ledger; grant create on schema graphile_worker to athos_owner';
  for item in ${OBJECTS}
    select format('table %s owner to %I', name, wanted) as change
      from object, lateral (select case when is_ledger then 'athos_ledger' else 'athos_owner' end as wanted) as right_one
     where owner <> to_regrole(wanted)
    union all
    select format('routine %s owner to %I', p.oid::regprocedure, wanted)
      from pg_proc p, lateral (select case when p.pronamespace = 'public'::regnamespace and (p.prosecdef or p.proname ~ '^ledger_')
                                           then 'athos_ledger' else 'athos_owner' end as wanted) as right_one
     where p.pronamespace in ('public'::regnamespace, to_regnamespace('graphile_worker')) and p.proowner <> to_regrole(wanted)
       and not exists (select from pg_depend where objid = p.oid and classid = 'pg_proc'::regclass and deptype = 'e')
    union all
    select format('type %s owner to athos_owner', t.oid::regtype) from pg_type t join pg_class c on c.oid = t.typrelid
     where c.relkind = 'c' and t.typnamespace = to_regnamespace('graphile_worker') and t.typowner <> to_regrole('athos_owner')
    union all
    select 'schema graphile_worker owner to athos_owner' from pg_namespace
     where nspname = 'graphile_worker' and nspowner <> to_regrole('athos_owner')
  loop
    execute 'alter ' || item.change;
  end loop;
end $$`;

/** All privileges are revoked first, so one that is no longer listed here is gone. */
const SET_RIGHTS = `
do $$
declare
  less constant jsonb := '${JSON.stringify(LESS_THAN_ALL)}';
  proofs constant text[] := '{${PROOFS.join()}}';
  item record;
begin
  for item in ${OBJECTS}
    select name, relname, schema, kind, is_ledger, coalesce(
      case when is_ledger then 'select' when schema = 'public' then less ->> relname end,
      'select, insert, update, delete') as rights from object
  loop
    if item.kind = 'S' then
      execute format('grant usage, select on sequence %s to ${PROGRAMS}', item.name);
      continue;
    end if;
    execute format('revoke all on table %s from ${PROGRAMS}, athos_read, athos_backup', item.name);
    execute format('grant %s on table %s to ${PROGRAMS}', item.rights, item.name);
    -- Backups and restore drills tell the console that they succeeded. With their role, the machine of a drill reads and writes nothing else.
    if item.relname = 'told_events' then
      execute format('grant select, insert, update on table %s to athos_backup', item.name);
    end if;
  end loop;

  -- Sequences of identity columns. An insert draws a number without this privilege, but a program may need the number before it inserts.
  for item in
    select sequence.oid::regclass as name from pg_depend d
      join pg_class sequence on sequence.oid = d.objid and sequence.relkind = 'S'
      join pg_class owned on owned.oid = d.refobjid
     where d.classid = 'pg_class'::regclass and d.deptype in ('a', 'i')
       and owned.relnamespace = 'public'::regnamespace and owned.relname !~ '^ledger_'
  loop
    execute format('grant usage on sequence %s to ${PROGRAMS}', item.name);
  end loop;

  -- The reading role gets no secrets: every bytea outside the ledger and its proofs is a hash, a key or a sealed value. It cannot verify the
  -- audit, whose salts keep emptied details from being guessed.
  for item in ${OBJECTS}
    select object.name, string_agg(quote_ident(a.attname), ', ') as columns
      from object join pg_attribute a on a.attrelid = object.oid and a.attnum > 0 and not a.attisdropped
     where object.schema = 'public' and object.kind <> 'S'
       and (object.is_ledger or object.relname = any (proofs) or a.atttypid <> 'bytea'::regtype and a.attname !~ '_hash$|secret|password')
     group by object.name
  loop
    execute format('grant select (%s) on table %s to athos_read', item.columns, item.name);
  end loop;

  -- The doors of the ledger run as its owner. Only the programs may execute them.
  for item in select oid::regprocedure as door from pg_proc where pronamespace = 'public'::regnamespace and prosecdef loop
    execute format('revoke execute on function %s from public', item.door);
    execute format('grant execute on function %s to ${PROGRAMS}', item.door);
  end loop;
  execute 'alter default privileges for role athos_ledger in schema public grant select on tables to ${PROGRAMS}, athos_read';

  execute 'grant usage on schema graphile_worker to ${PROGRAMS}';
  -- Row security of the queue admits only its owner, unless a policy names others.
  for item in
    select c.oid::regclass as name from pg_class c
     where c.relnamespace = 'graphile_worker'::regnamespace and c.relrowsecurity
       and not exists (select from pg_policy where polrelid = c.oid and polname = 'programs')
  loop
    execute format('create policy programs on %s to ${PROGRAMS} using (true) with check (true)', item.name);
  end loop;
end $$`;

/** Gives every object its owner and every role its privileges, in one transaction. Does nothing before the roles and the schema exist. */
export async function applyRights(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ exists: boolean }>(
    `select to_regrole('athos_ledger') is not null and to_regnamespace('graphile_worker') is not null
            and to_regclass('public.migrations') is not null as exists`,
  );
  if (rows[0]?.exists !== true) return;
  await client.query('begin');
  await client.query(SET_OWNERS);
  await client.query(SET_RIGHTS);
  await client.query('commit');
}
