import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import { deleteInBatches } from '../../platform/database/delete-in-batches.ts';
import type {} from './tables.ts';

/** The addresses of active demo staff. */
export async function selectDemoStaff(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('staff')
    .select('email')
    .where('is_demo', '=', true)
    .where('state', '=', 'active')
    .orderBy('email')
    .limit(10)
    .execute();
  return rows.map(({ email }) => email);
}

export async function deleteExpiredInvites(db: Db, now: Date): Promise<void> {
  await deleteInBatches(db, 'staff_invites', sql`expires_at <= ${now}`);
}
