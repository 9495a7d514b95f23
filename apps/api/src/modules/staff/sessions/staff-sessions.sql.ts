import { sql } from 'kysely';
import type { Grants } from '@athos/contract/console/permissions';
import { notifyConsole } from '../../../platform/console/console-changes.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { deleteInBatches } from '../../../platform/database/delete-in-batches.ts';
import { prepared } from '../../../platform/database/prepared.ts';
import type {} from '../tables.ts';

export interface SessionRow {
  readonly id: string;
  readonly staffId: string;
  readonly isEnrolled: boolean;
  readonly seenAt: Date;
  readonly email: string;
  readonly name: string;
  readonly organisation: 'provider' | 'brand';
  readonly walletUuid: string | null;
  readonly isDemo: boolean;
  /** The person's roles. `grants` is null for a built-in role. */
  readonly roles: readonly { readonly id: string; readonly grants: Grants | null }[];
}

/** The session with this token or id and its person, if the session is open and the person active. */
export async function selectSession(
  db: Db | Tx,
  which: { readonly tokenHash: Buffer } | { readonly id: string },
  { now, seenAfter }: { readonly now: Date; readonly seenAfter: Date },
): Promise<SessionRow | undefined> {
  const isByToken = 'tokenHash' in which;
  const { rows } = await prepared(
    isByToken ? 'staff_session' : 'staff_session_by_id',
    sql<SessionRow>`
      select session.id, session.staff_id as "staffId", session.is_enrolled as "isEnrolled", session.seen_at as "seenAt",
             person.email, person.name, person.organisation, person.wallet_uuid as "walletUuid", person.is_demo as "isDemo",
             coalesce((select jsonb_agg(jsonb_build_object('id', role.id, 'grants', role.grants))
                         from staff_roles held join roles role on role.id = held.role_id
                        where held.staff_id = person.id), '[]') as roles
        from staff_sessions session
        join staff person on person.id = session.staff_id
       where ${isByToken ? sql`session.token_hash = ${which.tokenHash}` : sql`session.id = ${which.id}`}
         and session.expires_at > ${now} and session.seen_at > ${seenAfter}
         and person.state = 'active'`,
  ).execute(db);
  return rows[0];
}

export interface NewSession {
  readonly id: string;
  readonly tokenHash: Buffer;
  readonly staffId: string;
  readonly isEnrolled: boolean;
  readonly now: Date;
  readonly expiresAt: Date;
  readonly browser: string;
  readonly place: string;
}

export async function insertSession(tx: Tx | Db, session: NewSession): Promise<void> {
  const { id, tokenHash, staffId, isEnrolled, now, expiresAt, browser, place } = session;
  await tx
    .insertInto('staff_sessions')
    .values({
      id,
      token_hash: tokenHash,
      staff_id: staffId,
      is_enrolled: isEnrolled,
      created_at: now,
      seen_at: now,
      expires_at: expiresAt,
      // Signing in with a second factor counts as a proof.
      proved_at: isEnrolled ? now : null,
      browser,
      place,
    })
    .execute();
}

/** Records the time of a call. Skips a row that a risky act has locked instead of waiting; a later call will record the time. */
export async function touchSession(
  db: Db,
  id: string,
  { now, place }: { readonly now: Date; readonly place: string },
): Promise<void> {
  await sql`
    update staff_sessions set seen_at = ${now}, place = ${place}
     where id = (select id from staff_sessions where id = ${id} for no key update skip locked)`.execute(
    db,
  );
}

export interface ProofRow {
  readonly provedAt: Date | null;
  readonly movedUsdCents: bigint;
}

/** Locks the session until the transaction ends. `undefined` if it has ended. */
export const selectProofForUpdate = (tx: Tx, id: string): Promise<ProofRow | undefined> =>
  tx
    .selectFrom('staff_sessions')
    .select(['proved_at as provedAt', 'moved_usd_cents as movedUsdCents'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();

/** Stores a new proof of presence and resets the moved value to 0. */
export async function updateProof(tx: Tx | Db, id: string, now: Date): Promise<void> {
  await tx
    .updateTable('staff_sessions')
    .set({ proved_at: now, moved_usd_cents: 0n })
    .where('id', '=', id)
    .execute();
}

export async function addMoved(tx: Tx, id: string, usdCents: bigint): Promise<void> {
  await tx
    .updateTable('staff_sessions')
    .set({ moved_usd_cents: sql`moved_usd_cents + ${usdCents}` })
    .where('id', '=', id)
    .execute();
}

/** Ends one session of a person, or all except `exceptId`. Returns the number ended. */
export async function deleteSessions(
  tx: Tx | Db,
  staffId: string,
  which: { readonly id: string } | { readonly exceptId?: string | undefined },
): Promise<number> {
  let ended = tx.deleteFrom('staff_sessions').where('staff_id', '=', staffId);
  if ('id' in which) ended = ended.where('id', '=', which.id);
  else if (which.exceptId !== undefined) ended = ended.where('id', '<>', which.exceptId);
  await notifyConsole(tx, 'sessions');
  const { numDeletedRows } = await ended.executeTakeFirstOrThrow();
  return parseInt(numDeletedRows.toString(), 10);
}

/** Ends the session of a token. */
export async function deleteSessionOfToken(tx: Tx, tokenHash: Buffer): Promise<void> {
  await tx.deleteFrom('staff_sessions').where('token_hash', '=', tokenHash).execute();
  await notifyConsole(tx, 'sessions');
}

/** Ends the person's sessions that no transaction has locked. Waiting for a locked one could deadlock. */
export async function deleteFreeSessions(tx: Tx, staffId: string): Promise<void> {
  await sql`
    delete from staff_sessions where id in (
      select id from staff_sessions where staff_id = ${staffId} for update skip locked
    )`.execute(tx);
  await notifyConsole(tx, 'sessions');
}

/** Ends all sessions of a person except the `keptCount` most recently used ones. */
export async function limitSessions(tx: Tx, staffId: string, keptCount: number): Promise<void> {
  await sql`
    delete from staff_sessions where id in (
      select id from staff_sessions where staff_id = ${staffId}
       order by seen_at desc, created_at desc offset ${keptCount} for update skip locked
    )`.execute(tx);
  await notifyConsole(tx, 'sessions');
}

/** Marks the session as enrolled, which counts as a proof. */
export async function updateEnrolled(tx: Tx, id: string, now: Date): Promise<void> {
  await tx
    .updateTable('staff_sessions')
    .set({ is_enrolled: true, proved_at: now })
    .where('id', '=', id)
    .execute();
}

export const selectOwnSession = (
  db: Db,
  id: string,
): Promise<(ProofRow & { readonly expiresAt: Date; readonly seenAt: Date }) | undefined> =>
  db
    .selectFrom('staff_sessions')
    .select([
      'expires_at as expiresAt',
      'seen_at as seenAt',
      'proved_at as provedAt',
      'moved_usd_cents as movedUsdCents',
    ])
    .where('id', '=', id)
    .executeTakeFirst();

export async function deleteEndedSessions(
  db: Db,
  { now, seenBefore }: { readonly now: Date; readonly seenBefore: Date },
): Promise<void> {
  await deleteInBatches(
    db,
    'staff_sessions',
    sql`expires_at <= ${now} or seen_at <= ${seenBefore}`,
  );
}

/** More staff than any programme has. */
const STAFF_COUNT_MAX = 1_000;

/** All active staff with the ids of their roles, or one of them. */
export async function selectActiveStaff(db: Db | Tx, staffId: string | null = null) {
  const { rows } = await sql<
    Pick<SessionRow, 'staffId' | 'email' | 'organisation' | 'walletUuid'> & {
      readonly roleIds: readonly string[];
    }
  >`
    select person.id as "staffId", person.email, person.organisation, person.wallet_uuid as "walletUuid",
           array_agg(held.role_id order by held.role_id) as "roleIds"
      from staff person
      join staff_roles held on held.staff_id = person.id
     where person.state = 'active' and (${staffId}::uuid is null or person.id = ${staffId}::uuid)
     group by person.id order by person.id limit ${STAFF_COUNT_MAX}`.execute(db);
  return rows;
}

/** Built-in roles have no grants of their own. */
export const selectRoles = (db: Db | Tx): Promise<SessionRow['roles']> =>
  db.selectFrom('roles').select(['id', 'grants']).execute();
