/**
 * The staff whose own permissions a request may change. Unlike permission checks, this may look at roles, because it asks whom a change
 * concerns, not what a person may do.
 */
import { sql, type RawBuilder } from 'kysely';
import type { Db, Tx } from '../../platform/database/database.ts';

/** Staff who might vote permissions for themselves: the person whom a request is about, or everybody who holds the role. */
export async function selectConcerned(
  db: Db | Tx,
  {
    subject_type: type,
    subject_id: id,
  }: { readonly subject_type: string; readonly subject_id: string },
): Promise<ReadonlySet<string>> {
  if (type === 'staff') return new Set([id]);
  if (type !== 'role') return new Set();
  const rows = await db
    .selectFrom('staff_roles')
    .select('staff_id')
    .where('role_id', '=', id)
    .execute();
  return new Set(rows.map(({ staff_id: staffId }) => staffId));
}

/** The same check for one person, as a condition on a row `request`. */
export const isConcerned = (staffId: string): RawBuilder<boolean> => sql<boolean>`(
  request.subject_type = 'staff' and request.subject_id = ${staffId}::text
  or request.subject_type = 'role' and exists (select from staff_roles held
       where held.role_id = request.subject_id and held.staff_id = ${staffId}::uuid))`;
