import { sql, type CompiledQuery, type RawBuilder } from 'kysely';
import type { AuditOutcome } from '@athos/contract/console/audit';
import type { ListCount } from '@athos/contract/console/lists';
import { countRows } from '../../../platform/console/list-count.sql.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import type {} from '../tables.ts';

export interface AuditFilters {
  readonly sort: 'newest' | 'oldest';
  readonly staff_id?: string | undefined;
  readonly action?: string | undefined;
  readonly subject_type?: string | undefined;
  readonly subject_id?: string | undefined;
  readonly outcome?: AuditOutcome | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Times rise with the entry numbers, so a range of times is read as a range of the primary key, whatever the other filters. */
const firstSince = (time: string): RawBuilder<bigint> => sql<bigint>`
  coalesce((select seq from audit_entries where at >= ${time}::timestamptz order by at, seq limit 1), 9223372036854775807)`;

function filtered(db: Db | Tx, filters: AuditFilters) {
  let rows = db
    .selectFrom('audit_entries as entry')
    .leftJoin('staff as person', 'person.id', 'entry.staff_id');
  for (const column of ['staff_id', 'action', 'subject_type', 'subject_id', 'outcome'] as const) {
    const value = filters[column];
    if (value !== undefined) rows = rows.where(`entry.${column}`, '=', value);
  }
  if (filters.from !== undefined) rows = rows.where('entry.seq', '>=', firstSince(filters.from));
  if (filters.to !== undefined) rows = rows.where('entry.seq', '<', firstSince(filters.to));
  return rows;
}

const COLUMNS = [
  'entry.seq as id',
  'entry.at',
  'entry.staff_id as staffId',
  'person.name as staffName',
  'entry.organisation',
  'entry.action',
  'entry.subject_type as subjectType',
  'entry.subject_id as subjectId',
  'entry.outcome',
  'entry.request_id as requestId',
  'entry.approval_id as approvalId',
  'entry.ledger_key as ledgerKey',
] as const;

export type AuditRow = Awaited<ReturnType<typeof selectEntries>>[number];

/** Returns one row more than `limit` if there is a next page. */
export function selectEntries(
  db: Db,
  filters: AuditFilters,
  { limit, afterSeq }: { readonly limit: number; readonly afterSeq: bigint | undefined },
) {
  const isNewest = filters.sort === 'newest';
  let rows = filtered(db, filters)
    .select(COLUMNS)
    .orderBy('entry.seq', isNewest ? 'desc' : 'asc')
    .limit(limit + 1);
  if (afterSeq !== undefined) rows = rows.where('entry.seq', isNewest ? '<' : '>', afterSeq);
  return rows.execute();
}

/** The statement that reads all entries matching the filters. */
export const compileEntries = (db: Db, filters: AuditFilters): CompiledQuery<AuditRow> =>
  filtered(db, filters)
    .select(COLUMNS)
    .orderBy('entry.seq', filters.sort === 'newest' ? 'desc' : 'asc')
    .compile();

export const countEntries = (db: Db | Tx, filters: AuditFilters): Promise<ListCount> =>
  countRows(db, filtered(db, filters));

export const selectEntry = (db: Db, seq: bigint) =>
  db
    .selectFrom('audit_entries as entry')
    .leftJoin('staff as person', 'person.id', 'entry.staff_id')
    .leftJoin('audit_details as detail', 'detail.seq', 'entry.seq')
    .select([
      ...COLUMNS,
      'entry.session_id as sessionId',
      'entry.digest',
      'entry.hash',
      'detail.details',
    ])
    .where('entry.seq', '=', seq)
    .executeTakeFirst();

/** Entries about a subject, newest first, except those of one action. */
export const selectEntriesAbout = (
  db: Db,
  subject: { readonly type: string; readonly id: string },
  page: {
    readonly beforeSeq: bigint | undefined;
    readonly limit: number;
    readonly except: string;
  },
) =>
  filtered(db, { sort: 'newest', subject_type: subject.type, subject_id: subject.id })
    .select(COLUMNS)
    .where('entry.action', '<>', page.except)
    .$if(page.beforeSeq !== undefined, (rows) => rows.where('entry.seq', '<', page.beforeSeq ?? 0n))
    .orderBy('entry.seq', 'desc')
    .limit(page.limit)
    .execute();
