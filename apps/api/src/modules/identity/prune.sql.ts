import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import { deleteInBatches } from '../../platform/database/delete-in-batches.ts';

/** Deletes old rows. `before` is inclusive. */

export async function deleteExpiredLinkCodes(db: Db, before: Date): Promise<void> {
  await deleteInBatches(db, 'link_codes', sql`expires_at <= ${before}`);
}

/** Deletes sign-ups that were created and last mailed at `before` or earlier. */
export async function deleteOldSignUps(db: Db, before: Date): Promise<void> {
  await deleteInBatches(
    db,
    'sign_ups',
    sql`created_at <= ${before} and (mailed_at is null or mailed_at <= ${before})`,
  );
}

export async function deleteEndedSessions(db: Db, before: Date): Promise<void> {
  await deleteInBatches(db, 'sessions', sql`expires_at <= ${before}`);
}

/** Deletes devices that last signed in at `before` or earlier. */
export async function deleteOldDevices(db: Db, before: Date): Promise<void> {
  await deleteInBatches(db, 'known_devices', sql`last_seen_at <= ${before}`);
}

export async function deleteOldPasswordChanges(db: Db, before: Date): Promise<void> {
  await deleteInBatches(db, 'password_changes', sql`changed_at <= ${before}`);
}
