/** Staff and their records: the audit, chained like the product's, approval requests, exports and verifications. */
import type pg from 'pg';
import type { ConsoleScale } from '../scale.ts';
import { JOURNAL_BEGIN, JOURNAL_DAYS, keyAt } from './journal.sql.ts';

/** Enough that the limit on one person's calls per second is never reached. */
const STAFF = 200;
const EXPORTS_OF_EACH = 50;
const VERIFICATIONS = 200;
const ENTRIES_PER_TRANSACTION = 1_000;

const PEOPLE_SQL = `
  insert into staff (email, name, organisation, state, created_at)
  select 'staff' || n || '@bench.invalid', 'Staff ' || n, case when n % 4 = 0 then 'brand' else 'provider' end, 'active', ${JOURNAL_BEGIN}
    from generate_series(1, ${STAFF}) n;
  insert into staff_roles (staff_id, role_id, granted_at)
  select id, role, created_at from staff, unnest(array['provider_owner', 'support']) role`;

const ACTIONS = `string_to_array('customer.open,customer.note,hold.place,payment.refund,audit.verify', ',')`;

/** Commits from time to time: within one transaction, every entry would leave a dead row of the audit's head for the next one to read. */
const auditSql = (entryCount: number): string => `do $audit$
declare
  people uuid[] := array(select id from staff order by email);
begin
  for n in 1..${entryCount} loop
    perform audit_append(${JOURNAL_BEGIN} + n * interval '${JOURNAL_DAYS} days' / ${entryCount}, people[1 + n % ${STAFF}], null, 'provider',
      (${ACTIONS})[1 + n % 5], 'customer', (select uuid::text from users where id = 1 + n % 5000),
      case when n % 1000 = 0 then 'failed' else 'done' end, 'bench-' || n, null, null, '\\x00', '{}');
    if n % ${ENTRIES_PER_TRANSACTION} = 0 then commit; end if;
  end loop;
end $audit$`;

/** One in a hundred requests is still open. */
const approvalsSql = (requestCount: number): string => `
  insert into approvals (id, action, subject_type, subject_id, subject_version, customer_id, payload, digest, reason, requested_by,
                         organisation, requested_at, expires_at, votes_needed, voters, state, ended_at)
  select ${keyAt('at', 'n')}, case when n % 2 = 0 then 'payment.refund' else 'customer.adjust' end, 'customer', n::text, '1', n, '{}',
         sha256(n::text::bytea), 'Asked for by the customer.', person.id, 'provider', at, at + interval '72 hours', n % 2, 'anyone',
         case when n % 100 = 1 then 'pending' else 'executed' end, case when n % 100 = 1 then null else at end
    from generate_series(1::bigint, ${requestCount}) n,
         lateral (select now() - (${requestCount} - n) * interval '60 hours' / ${requestCount} as at) requested
    join (select id, row_number() over (order by email) as number from staff) person on true
   where person.number = 1 + n % ${STAFF};
  insert into approval_votes (approval_id, staff_id, is_approved, at)
  select approvals.id, person.id, true, requested_at
    from approvals, lateral (select id from staff where id <> requested_by limit 1) person where approvals.state = 'executed'`;

const OTHERS_SQL = [
  `insert into saved_views (staff_id, list, name, search) select id, '/customers', 'View ' || n, '' from staff, generate_series(1, 50) n`,
  `insert into seals (day, sealed_at, books_head, audit_seq, audit_head, balances)
   select at::date, at, 'head', 1, 'head', '[]'
     from generate_series(${JOURNAL_BEGIN}, now() - interval '1 day', interval '1 day') at`,
  `insert into exports (id, staff_id, content, filters, state, created_at)
   select ${keyAt('created_at', 'row_number() over ()')}, id, 'customers', '{}', 'deleted', created_at
     from staff, generate_series(1, ${EXPORTS_OF_EACH})`,
  `insert into ledger_verifications (id, requested_at, finished_at)
   select gen_random_uuid(), at, at from generate_series(${JOURNAL_BEGIN}, now(), interval '${JOURNAL_DAYS} days' / ${VERIFICATIONS}) at`,
  `insert into audit_verifications (id, requested_at, requested_by, finished_at, entry_count, emptied_count, head)
   select gen_random_uuid(), at, (select id from staff limit 1), at, 1, 0, 'head'
     from generate_series(${JOURNAL_BEGIN}, now(), interval '${JOURNAL_DAYS} days' / ${VERIFICATIONS}) at`,
];

export async function fillStaff(client: pg.Client): Promise<void> {
  await client.query(PEOPLE_SQL);
}

/** Inserts their records, once there are customers. */
export async function fillActs(client: pg.Client, scale: ConsoleScale): Promise<void> {
  await client.query(auditSql(scale.auditEntries));
  await client.query(approvalsSql(scale.customers / 50));
  for (const statement of OTHERS_SQL) await client.query(statement);
}
