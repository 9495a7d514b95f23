import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/database/database.ts';
import type { SignedInUser } from '../../../platform/http/endpoint.ts';

/** The user of a session; `undefined` if it has ended. */
export async function selectSessionUser(
  db: Db,
  sessionId: string,
  now: Date,
): Promise<SignedInUser | undefined> {
  const row = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['users.id as user_id', 'users.uuid', 'users.role'])
    .where('sessions.id', '=', sessionId)
    .where('sessions.revoked_at', 'is', null)
    .where('sessions.expires_at', '>', now)
    .where('users.closed_at', 'is', null)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return { userId: row.user_id, userUuid: row.uuid, role: row.role, sessionId };
}

export async function insertSession(tx: Tx | Db, userId: bigint, expiresAt: Date): Promise<string> {
  const { id } = await tx
    .insertInto('sessions')
    .values({ user_id: userId, expires_at: expiresAt })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Returns `false` if the session has ended or began at `begunAfter` or earlier. */
export async function updateSessionExpiry(
  db: Db,
  sessionId: string,
  {
    now,
    expiresAt,
    begunAfter,
  }: { readonly now: Date; readonly expiresAt: Date; readonly begunAfter: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('sessions')
    .set({ refreshed_at: now, expires_at: expiresAt })
    .where('id', '=', sessionId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .where('created_at', '>', begunAfter)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function updateSessionRevoked(
  tx: Tx | Db,
  sessionId: string,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('sessions')
    .set({ revoked_at: now })
    .where('id', '=', sessionId)
    .where('revoked_at', 'is', null)
    .execute();
}

/** Ends all sessions of a user except `exceptSessionId` and returns the ids of those that it ended. */
export async function updateUserSessionsRevoked(
  tx: Tx | Db,
  userId: bigint,
  { now, exceptSessionId }: { readonly now: Date; readonly exceptSessionId: string | undefined },
): Promise<string[]> {
  const rows = await tx
    .updateTable('sessions')
    .set({ revoked_at: now })
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .$if(exceptSessionId !== undefined, (query) => query.where('id', '!=', exceptSessionId ?? ''))
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Notifies every process when the transaction commits. */
export async function notifySessionRevoked(tx: Tx | Db, sessionId: string): Promise<void> {
  await sql`select pg_notify('session_revoked', ${sessionId})`.execute(tx);
}
