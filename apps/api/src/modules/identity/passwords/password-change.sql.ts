import type { Db, Tx } from '../../../platform/database/database.ts';

export interface CurrentPassword {
  readonly email: string;
  readonly passwordHash: string;
}

const passwordOf = (db: Db | Tx, userId: bigint) =>
  db
    .selectFrom('users')
    .select(['email', 'password_hash as passwordHash'])
    .where('id', '=', userId)
    .where('closed_at', 'is', null)
    .$narrowType<{ email: string; passwordHash: string }>();

/** `undefined` if the account is closed. */
export async function selectPassword(db: Db, userId: bigint): Promise<CurrentPassword | undefined> {
  return passwordOf(db, userId).executeTakeFirst();
}

/** Like `selectPassword`, but locks the user until the transaction ends. */
export async function lockPassword(tx: Tx, userId: bigint): Promise<CurrentPassword | undefined> {
  return passwordOf(tx, userId).forUpdate().executeTakeFirst();
}

interface ChangeId {
  readonly userId: bigint;
  readonly key: string;
}

/** The hash of the request that changed the password with this key; `undefined` if there was none. */
export async function selectChange(db: Db, { userId, key }: ChangeId): Promise<string | undefined> {
  const row = await db
    .selectFrom('password_changes')
    .select('request_hash')
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .executeTakeFirst();
  return row?.request_hash;
}

export async function insertChange(
  tx: Tx,
  { userId, key }: ChangeId,
  { requestHash, now }: { readonly requestHash: string; readonly now: Date },
): Promise<void> {
  await tx
    .insertInto('password_changes')
    .values({ user_id: userId, key, request_hash: requestHash, changed_at: now })
    .execute();
}
