import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/database/database.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { AppError } from '../../platform/errors.ts';
import type { AcceptedTerms } from '../../platform/http/endpoint.ts';

export interface Credentials {
  readonly user: { userId: bigint; userUuid: string; passwordHash: string } | undefined;
  /** The newest unverified sign-up, if there is no user. */
  readonly signUp: { signUpId: bigint; passwordHash: string } | undefined;
}

/** Reads user and sign-up in one statement, so that every address takes the same time to look up. */
export async function selectCredentials(db: Db, email: string): Promise<Credentials> {
  const { rows } = await sql<{
    user_id: bigint | null;
    uuid: string;
    password_hash: string;
    sign_up_id: bigint | null;
    sign_up_hash: string;
  }>`
    select u.id as user_id, u.uuid, u.password_hash, s.id as sign_up_id, s.password_hash as sign_up_hash
    from (select ${email}::text as email) as given
    left join users u on u.email = given.email
    left join lateral (
      select id, password_hash from sign_ups where sign_ups.email = given.email order by id desc limit 1
    ) s on u.id is null`.execute(db);
  const row = rows[0];
  const userId = row?.user_id ?? undefined;
  const signUpId = row?.sign_up_id ?? undefined;
  return {
    user:
      row === undefined || userId === undefined
        ? undefined
        : { userId, userUuid: row.uuid, passwordHash: row.password_hash },
    signUp:
      row === undefined || signUpId === undefined
        ? undefined
        : { signUpId, passwordHash: row.sign_up_hash },
  };
}

export async function selectUserIdByEmail(db: Db | Tx, email: string): Promise<bigint | undefined> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirst();
  return row?.id;
}

/** The address of an open account. */
export async function selectUserEmail(db: Db | Tx, userId: bigint): Promise<string | undefined> {
  const row = await db
    .selectFrom('users')
    .select('email')
    .where('id', '=', userId)
    .executeTakeFirst();
  return row?.email ?? undefined;
}

/** Like `selectUserEmail`, but locks the user until the transaction ends. */
export async function lockUserEmail(tx: Tx, userId: bigint): Promise<string | undefined> {
  const row = await tx
    .selectFrom('users')
    .select('email')
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
  return row?.email ?? undefined;
}

/** The terms that the account last accepted. */
export async function selectTerms(db: Db | Tx, userId: bigint): Promise<AcceptedTerms> {
  const row = await db
    .selectFrom('users')
    .select(['terms_version as version', 'terms_accepted_at as acceptedAt'])
    .where('id', '=', userId)
    .executeTakeFirst();
  return row ?? { version: null, acceptedAt: null };
}

/** Like `selectTerms`, but locks the open account until the transaction ends. Throws `not_found` without one. */
export async function lockTerms(tx: Tx, userId: bigint): Promise<AcceptedTerms> {
  const row = await tx
    .selectFrom('users')
    .select(['terms_version as version', 'terms_accepted_at as acceptedAt'])
    .where('id', '=', userId)
    .where('closed_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) throw new AppError('not_found');
  return row;
}

export async function updateTerms(
  tx: Tx,
  userId: bigint,
  { version, acceptedAt }: AcceptedTerms,
): Promise<void> {
  await tx
    .updateTable('users')
    .set({ terms_version: version, terms_accepted_at: acceptedAt })
    .where('id', '=', userId)
    .execute();
}

export interface NewUser {
  readonly email: string;
  readonly passwordHash: string;
  readonly termsVersion: string | null;
  readonly termsAcceptedAt: Date | null;
  readonly createdAt: Date;
}

/** Inserts a user. Returns `undefined` if the address already belongs to one. */
export async function insertUser(
  tx: Tx,
  { email, passwordHash, termsVersion, termsAcceptedAt, createdAt }: NewUser,
): Promise<{ userId: bigint; userUuid: string } | undefined> {
  return tx
    .insertInto('users')
    .values({
      email,
      password_hash: passwordHash,
      terms_version: termsVersion,
      terms_accepted_at: termsAcceptedAt,
      created_at: createdAt,
    })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning(['id as userId', 'uuid as userUuid'])
    .executeTakeFirst();
}

export async function updatePasswordHash(
  tx: Tx,
  userId: bigint,
  passwordHash: string,
): Promise<void> {
  await tx
    .updateTable('users')
    .set({ password_hash: passwordHash })
    .where('id', '=', userId)
    .where('closed_at', 'is', null)
    .execute();
}

/** The public addresses of users, including closed accounts, which the journal keeps as pseudonyms. */
export async function selectUserUuids(
  db: Db,
  userIds: readonly bigint[],
): Promise<ReadonlyMap<bigint, string>> {
  if (userIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('users')
    .select(['id', 'uuid'])
    .where('id', 'in', userIds)
    .execute();
  return new Map(rows.map(({ id, uuid }) => [id, uuid]));
}

export interface Addressee {
  readonly userId: bigint;
  /** Whether the account is open. */
  readonly isOpen: boolean;
}

/** Users by their public addresses, including closed accounts. Unknown addresses are omitted. */
export async function selectAddressees(
  db: Db,
  userUuids: readonly string[],
): Promise<ReadonlyMap<string, Addressee>> {
  const rows = await db
    .selectFrom('users')
    .select(['id', 'uuid', 'closed_at'])
    .where(sql<boolean>`uuid = any(${`{${userUuids.join(',')}}`}::uuid[])`)
    .execute();
  return new Map(
    rows.map(({ id, uuid, closed_at }) => [uuid, { userId: id, isOpen: closed_at === null }]),
  );
}

/**
 * Serializes the requests of one user without blocking other work on the user's rows. Several users are locked in the order
 * of their ids, so that two transactions cannot deadlock.
 */
export async function lockUsers(tx: Tx, userIds: readonly bigint[]): Promise<void> {
  await prepared(
    'lock_users',
    sql`
    select from users where id = any(${`{${userIds.join(',')}}`}::bigint[])
     order by id for no key update`,
  ).execute(tx);
}

const USER_COLUMNS = ['id', 'uuid', 'email', 'closed_at'] as const;

/** The user, including a closed account, which has no address. */
export async function selectUser(db: Db | Tx, userId: bigint) {
  const user = db.selectFrom('users').select(USER_COLUMNS).where('id', '=', userId);
  return (await prepared('select_user', user).execute(db)).rows[0];
}

export const selectUserByUuid = (db: Db | Tx, userUuid: string) =>
  db.selectFrom('users').select(USER_COLUMNS).where('uuid', '=', userUuid).executeTakeFirst();

/** Returns whether the account is open; if so, it stays open until the transaction ends. */
export async function lockOpenUser(tx: Tx, userId: bigint): Promise<boolean> {
  const row = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('closed_at', 'is', null)
    .forKeyShare()
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Serializes the requests of an owner. Throws `session_ended` if the account was closed in the meantime, since it may already be erased.
 */
export async function lockOwner(tx: Tx, userId: bigint): Promise<void> {
  await lockUsers(tx, [userId]);
  if (!(await lockOpenUser(tx, userId))) throw new AppError('session_ended');
}

/** Lets an open account sign in to the scanner, and locks it. Returns whether the account is open. */
export async function giveScannerRole(tx: Tx, userId: bigint): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({ role: 'scanner' })
    .where('id', '=', userId)
    .where('closed_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** When the account was opened; `undefined` after it was closed. */
export async function selectOpenedAt(db: Db, userId: bigint): Promise<Date | undefined> {
  const row = await db
    .selectFrom('users')
    .select('created_at')
    .where('id', '=', userId)
    .where('closed_at', 'is', null)
    .executeTakeFirst();
  return row?.created_at;
}
