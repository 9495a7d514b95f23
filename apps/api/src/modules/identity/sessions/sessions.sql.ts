import type { SignInMethod } from '@athos/contract/wallet/security';
import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { earlyCommit } from '../../../platform/database/early-commit.ts';
import { prepared } from '../../../platform/database/prepared.ts';
import { invariant } from '../../../platform/errors.ts';
import type { SignedInUser } from '../../../platform/http/endpoint.ts';
import { endingText, type Ending } from './ended-sessions.ts';

/** The maximum for one sign-in. Each sign-in opens only one session, so a backlog shrinks anyway. */
const ENDED_AT_ONCE_MAX = 100;

/** A refresh also shows that the session is in use. */
const seenAt = sql<Date>`greatest(sessions.last_seen_at, sessions.refreshed_at)`;

/** Whether the account has chosen a limit, or has one because of a second factor. */
const confirmsSpends = sql<boolean>`(
  exists (select from confirmation_limits where user_id = users.id)
  or exists (select from totp_secrets where user_id = users.id and confirmed_at is not null)
  or exists (select from passkeys where user_id = users.id))`;

/** How a session was opened. */
export interface SessionOrigin {
  /** Browser and system, in words from a fixed list. */
  readonly label: string | undefined;
  readonly method: SignInMethod;
}

/** The user of a session and when the session was last seen; `undefined` if it has ended. */
export async function selectSessionUser(
  db: Db,
  sessionId: string,
  now: Date,
): Promise<{ user: SignedInUser; seenAt: Date } | undefined> {
  const session = db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['users.id as user_id', 'users.uuid', 'users.role'])
    .leftJoin('send_limits', 'send_limits.user_id', 'users.id')
    .select(['users.terms_version', 'users.terms_accepted_at'])
    .select('send_limits.limited_until as sendsLimitedUntil')
    .select(confirmsSpends.as('confirmsSpends'))
    .select(seenAt.as('seenAt'))
    .where('sessions.id', '=', sessionId)
    .where('sessions.revoked_at', 'is', null)
    .where('sessions.expires_at', '>', now)
    .where('users.closed_at', 'is', null);
  // Every call of a signed-in user reads this.
  const [row] = (await prepared('select_session_user', session).execute(db)).rows;
  if (row === undefined) return undefined;
  const terms = { version: row.terms_version, acceptedAt: row.terms_accepted_at };
  const { sendsLimitedUntil, confirmsSpends: isLimited } = row;
  const user = {
    userId: row.user_id,
    userUuid: row.uuid,
    role: row.role,
    sessionId,
    terms,
    ...(sendsLimitedUntil !== null && { sendsLimitedUntil }),
    ...(isLimited && { confirmsSpends: true as const }),
  };
  return { user, seenAt: row.seenAt };
}

/**
 * Opens a session. Returns its id and those of the user's other open sessions beyond the newest `keptCount` of all, at most as many as one
 * notification can name.
 */
export async function insertSession(
  tx: Tx | Db,
  userId: bigint,
  session: {
    readonly now: Date;
    readonly expiresAt: Date;
    readonly origin: SessionOrigin | undefined;
    readonly keptCount: number;
  },
): Promise<{ readonly sessionId: string; readonly tooManyIds: readonly string[] }> {
  const { now, expiresAt, origin, keptCount } = session;
  // The second part of a statement does not see the row of the first.
  const { rows } = await sql<{ sessionId: string; tooManyIds: string[] }>`
    with opened as (
      insert into sessions (user_id, created_at, refreshed_at, expires_at, label, method)
      values (${userId}, ${now}, ${now}, ${expiresAt}, ${origin?.label ?? null}, ${origin?.method ?? null})
      returning id
    )
    select id as "sessionId", array(
      select id from sessions
       where user_id = ${userId} and revoked_at is null and expires_at > ${now}
       order by created_at desc, id desc offset ${keptCount - 1} limit ${ENDED_AT_ONCE_MAX}
    )::text[] as "tooManyIds"
      from opened`.execute(tx);
  const [row] = rows;
  invariant(row !== undefined, 'an insert returns its row');
  return row;
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

/**
 * Commits early and passes no barrier: what is lost is only a time, and a lookup must not wait for the disk or a standby because of it.
 */
export async function updateLastSeen(db: Db, sessionId: string, now: Date): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ last_seen_at: now })
    .where('id', '=', sessionId)
    .where('revoked_at', 'is', null)
    .returning(earlyCommit.as('early'))
    .execute();
}

/** Ends sessions and notifies every process when the transaction commits. */
export async function endSessions(tx: Tx | Db, ending: Ending, now: Date): Promise<void> {
  const which =
    'sessionIds' in ending
      ? sql`id = any(${`{${ending.sessionIds.join(',')}}`}::uuid[])`
      : sql`id is distinct from ${ending.exceptSessionId ?? null}::uuid`;
  await sql`
    with ended as (
      update sessions set revoked_at = ${now}
       where user_id = ${ending.userId} and revoked_at is null and ${which}
    )
    select pg_notify('sessions_ended', ${endingText(ending)})`.execute(tx);
}

export async function notifyUserChanged(tx: Tx | Db, userId: bigint): Promise<void> {
  await sql`select pg_notify('user_changed', ${String(userId)})`.execute(tx);
}

/** Sign-ins of a user, newest first. Sessions are deleted some time after they ended. */
export const selectSignIns = (
  db: Db,
  userId: bigint,
  { beforeId, limit }: { readonly beforeId: string | undefined; readonly limit: number },
) =>
  db
    .selectFrom('sessions')
    .select(['id', 'created_at as createdAt', 'revoked_at as revokedAt'])
    .where('user_id', '=', userId)
    .$if(beforeId !== undefined, (query) => query.where('id', '<', beforeId ?? ''))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();

/** The sessions of a user that have not ended, newest first. */
export const selectOpenSessions = (db: Db, userId: bigint, now: Date) =>
  db
    .selectFrom('sessions')
    .select([
      'id',
      'created_at as createdAt',
      'refreshed_at as refreshedAt',
      'expires_at as expiresAt',
      'label',
      'method',
    ])
    .select(seenAt.as('seenAt'))
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .orderBy('id', 'desc')
    .execute();

/**
 * The time at which the session began; `undefined` if it is not the user's or has ended. An open session cannot be ended by others until
 * the transaction ends.
 */
export async function lockOpenSession(
  tx: Tx,
  { userId, sessionId }: { readonly userId: bigint; readonly sessionId: string },
  now: Date,
): Promise<Date | undefined> {
  const row = await tx
    .selectFrom('sessions')
    .select('created_at')
    .where('id', '=', sessionId)
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .forUpdate()
    .executeTakeFirst();
  return row?.created_at;
}
