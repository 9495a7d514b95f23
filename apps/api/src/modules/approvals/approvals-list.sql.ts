import { sql, type CompiledQuery, type RawBuilder } from 'kysely';
import type { ApprovalState } from '@athos/contract/console/approvals';
import type { ListCount } from '@athos/contract/console/lists';
import { countRows } from '../../platform/console/list-count.sql.ts';
import type { ListPosition } from '../../platform/console/list-cursor.ts';
import type { SignedInStaff } from '../../platform/console/signed-in-staff.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import { isConcerned } from './concerned-staff.sql.ts';
import type {} from './tables.ts';

export interface ApprovalFilters {
  readonly view: 'decide' | 'mine' | 'all';
  readonly sort: 'newest' | 'oldest';
  readonly state?: ApprovalState | undefined;
  readonly action?: string | undefined;
  readonly subject_id?: string | undefined;
}

export interface Reader {
  readonly staff: Pick<SignedInStaff, 'staffId' | 'organisation' | 'walletUuid' | 'email'>;
  /** The actions on whose requests the person may vote. */
  readonly decidable: readonly string[];
  readonly now: Date;
}

/** The guards of `obstacleFor` as conditions of a query. */
const mayBeDecidedBy = ({ staff, decidable, now }: Reader): RawBuilder<boolean> => sql<boolean>`
  request.state = 'pending' and request.expires_at > ${now}::timestamptz
  and request.action = any(${decidable}::text[]) and request.requested_by is distinct from ${staff.staffId}::uuid
  and (request.voters = 'anyone' or request.voters = ${staff.organisation}::text
    or request.voters = 'other' and request.organisation <> ${staff.organisation}::text)
  and not ${isConcerned(staff.staffId)}
  and not exists (select from approval_votes vote where vote.approval_id = request.id and vote.staff_id = ${staff.staffId}::uuid)
  and not exists (select from users customer where customer.id = request.customer_id
                   and (customer.uuid = ${staff.walletUuid}::uuid or lower(customer.email) = ${staff.email}::text))`;

/** Whether the person is bound to venues, and so may see only data about them. */
const isBoundToVenues = ({ staffId }: Pick<SignedInStaff, 'staffId'>): RawBuilder<boolean> =>
  sql<boolean>`exists (select from staff_venues where staff_id = ${staffId}::uuid)`;

export async function selectIsBound(
  db: Db,
  staff: Pick<SignedInStaff, 'staffId'>,
): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`select ${isBoundToVenues(staff)} as is`.execute(db);
  return rows[0]?.is === true;
}

function filtered(db: Db | Tx, filters: ApprovalFilters, reader: Reader) {
  const { view, state, action, subject_id: subjectId } = filters;
  let rows = db.selectFrom('approvals as request').where('request.votes_needed', '>', 0);
  if (view === 'mine') rows = rows.where('request.requested_by', '=', reader.staff.staffId);
  if (view === 'decide') rows = rows.where(mayBeDecidedBy(reader));
  if (view === 'all') {
    // A request about another venue would reveal events there.
    const isOwn = sql<boolean>`request.requested_by = ${reader.staff.staffId}::uuid`;
    rows = rows.where(sql<boolean>`(not ${isBoundToVenues(reader.staff)} or ${isOwn})`);
  }
  if (state !== undefined) rows = rows.where('request.state', '=', state);
  if (action !== undefined) rows = rows.where('request.action', '=', action);
  if (subjectId !== undefined) rows = rows.where('request.subject_id', '=', subjectId);
  return rows;
}

export type ApprovalListRow = Awaited<ReturnType<typeof selectApprovals>>[number];

const shown = (rows: ReturnType<typeof filtered>, direction: 'asc' | 'desc') =>
  rows
    .leftJoin('staff as person', 'person.id', 'request.requested_by')
    .selectAll('request')
    .select([
      'person.name as requesterName',
      sql<number>`(select count(*)::int from approval_votes vote where vote.approval_id = request.id and vote.is_approved)`.as(
        'votesGiven',
      ),
    ])
    .orderBy('request.requested_at', direction)
    .orderBy('request.id', direction);

/** The statement that selects all requests matching the filters, for a file. */
export const compileApprovals = (
  db: Db,
  filters: ApprovalFilters,
  reader: Reader,
): CompiledQuery<ApprovalListRow> =>
  shown(filtered(db, filters, reader), filters.sort === 'newest' ? 'desc' : 'asc').compile();

/** Returns one row more than `limit` if there is a next page. */
export function selectApprovals(
  db: Db,
  filters: ApprovalFilters,
  reader: Reader,
  { limit, after }: { readonly limit: number; readonly after: ListPosition | undefined },
) {
  const isNewest = filters.sort === 'newest';
  const direction = isNewest ? 'desc' : 'asc';
  let rows = shown(filtered(db, filters, reader), direction).limit(limit + 1);
  if (after !== undefined) {
    const [at = '', id = ''] = after;
    const beyond = isNewest ? sql.raw('<') : sql.raw('>');
    rows = rows.where(
      sql<boolean>`(request.requested_at, request.id) ${beyond} (${at}::timestamptz, ${id}::uuid)`,
    );
  }
  return rows.execute();
}

export const countApprovals = (
  db: Db | Tx,
  filters: ApprovalFilters,
  reader: Reader,
): Promise<ListCount> => countRows(db, filtered(db, filters, reader));
