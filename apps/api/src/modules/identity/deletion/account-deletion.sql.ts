import type { Db, Tx } from '../../../platform/database/database.ts';
import type { SignedInUser } from '../../../platform/http/endpoint.ts';
import type { Cell } from '../../../platform/sealed.ts';

/** Closes the account: it can no longer sign in, and its address is free. */
export async function updateUserClosed(tx: Tx, userId: bigint, now: Date): Promise<void> {
  await tx
    .updateTable('users')
    .set({ email: null, password_hash: null, closed_at: now })
    .where('id', '=', userId)
    .execute();
}

/** The cell that stores the sealed address of a deleted account. */
export const lastMailCell = (userId: bigint): Cell => ({
  table: 'account_closures',
  column: 'mail_to',
  rowId: userId,
});

interface Closure {
  readonly userId: bigint;
  readonly key: string;
  readonly closedAt: Date;
  readonly sealedMailTo: Buffer;
}

export async function insertClosure(
  tx: Tx,
  { userId, key, closedAt, sealedMailTo }: Closure,
): Promise<void> {
  await tx
    .insertInto('account_closures')
    .values({ user_id: userId, key, closed_at: closedAt, mail_to: sealedMailTo, erased_at: null })
    .execute();
}

interface DeletedUser {
  readonly userId: bigint;
  readonly userUuid: string;
  readonly role: SignedInUser['role'];
}

const deletedBy = (db: Db, key: string) =>
  db
    .selectFrom('account_closures')
    .innerJoin('users', 'users.id', 'account_closures.user_id')
    .select(['users.id as userId', 'users.uuid as userUuid', 'users.role'])
    .where('account_closures.key', '=', key);

/** Whether a request with this key deleted this user. */
export async function wasDeletedBy(db: Db, userId: bigint, key: string): Promise<boolean> {
  return (await deletedBy(db, key).where('users.id', '=', userId).executeTakeFirst()) !== undefined;
}

/** The user with this public address if a request with this key deleted the account. */
export async function selectDeletedBy(
  db: Db,
  userUuid: string,
  key: string,
): Promise<DeletedUser | undefined> {
  return deletedBy(db, key).where('users.uuid', '=', userUuid).executeTakeFirst();
}

/** The sealed address for the last mail to a deleted account; `undefined` once it has been sent. */
export async function selectLastMail(
  db: Db,
  userId: bigint,
): Promise<{ sealedTo: Buffer; closedAt: Date } | undefined> {
  return db
    .selectFrom('account_closures')
    .select(['mail_to as sealedTo', 'closed_at as closedAt'])
    .where('user_id', '=', userId)
    .where('mail_to', 'is not', null)
    .$narrowType<{ sealedTo: Buffer }>()
    .executeTakeFirst();
}

export async function forgetLastMail(db: Db, userId: bigint): Promise<void> {
  await db
    .updateTable('account_closures')
    .set({ mail_to: null })
    .where('user_id', '=', userId)
    .execute();
}

/** Deletes the addresses of accounts deleted at `before` or earlier whose last mail could not be delivered. */
export async function forgetOldLastMails(db: Db, before: Date): Promise<void> {
  await db
    .updateTable('account_closures')
    .set({ mail_to: null })
    .where('mail_to', 'is not', null)
    .where('closed_at', '<=', before)
    .execute();
}

/** Users deleted at `before` or earlier whose data has not been erased. */
export async function selectNotErased(db: Db, before: Date): Promise<bigint[]> {
  const rows = await db
    .selectFrom('account_closures')
    .select('user_id')
    .where('erased_at', 'is', null)
    .where('closed_at', '<=', before)
    .execute();
  return rows.map((row) => row.user_id);
}

/**
 * Marks a deleted account as erased and locks it until the transaction ends. Returns `false` if there is no such deleted
 * account or it was erased before.
 */
export async function updateErased(tx: Tx, userId: bigint, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('account_closures')
    .set({ erased_at: now })
    .where('user_id', '=', userId)
    .where('erased_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Deletes everything that identity stores about a user, except the row that other tables reference. */
export async function deleteTracesOf(tx: Tx, userId: bigint): Promise<void> {
  await tx.deleteFrom('sessions').where('user_id', '=', userId).execute();
  await tx.deleteFrom('totp_secrets').where('user_id', '=', userId).execute();
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  await tx.deleteFrom('second_step_recoveries').where('user_id', '=', userId).execute();
  await tx.deleteFrom('mailed_resets').where('user_id', '=', userId).execute();
  await tx.deleteFrom('send_limits').where('user_id', '=', userId).execute();
  await tx.deleteFrom('confirmation_limits').where('user_id', '=', userId).execute();
  await tx.deleteFrom('passkeys').where('user_id', '=', userId).execute();
  await tx.deleteFrom('passkey_handles').where('user_id', '=', userId).execute();
  await tx.deleteFrom('sign_in_challenges').where('user_id', '=', userId).execute();
  await tx.deleteFrom('known_devices').where('user_id', '=', userId).execute();
  await tx.deleteFrom('password_changes').where('user_id', '=', userId).execute();
  await tx.deleteFrom('link_codes').where('user_id', '=', userId).execute();
}
