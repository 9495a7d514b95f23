import type { Db } from '../../platform/database.ts';

/** Each deletes what nothing asks for any more. `before` is the newest time that goes. */

export async function deleteExpiredLinkCodes(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('link_codes').where('expires_at', '<=', before).execute();
}

/** Sign-ups that were neither made nor mailed since. */
export async function deleteOldSignUps(db: Db, before: Date): Promise<void> {
  await db
    .deleteFrom('sign_ups')
    .where('created_at', '<=', before)
    .where((where) => where.or([where('mailed_at', 'is', null), where('mailed_at', '<=', before)]))
    .execute();
}

export async function deleteEndedSessions(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('sessions').where('expires_at', '<=', before).execute();
}

export async function deleteOldFailures(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('sign_in_failures').where('last_failed_at', '<=', before).execute();
}

export async function deleteOldPasswordChanges(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('password_changes').where('changed_at', '<=', before).execute();
}
