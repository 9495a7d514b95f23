import { randomUUID } from 'node:crypto';
import type { Db, Tx } from '../../../platform/database/database.ts';
import type { Passkey } from '../../../platform/factors/passkeys.ts';

/** Returns the handle of the user, which is `fresh` if there was none. The caller has locked the user. */
export async function ensureHandle(tx: Tx, userId: bigint, fresh: Buffer): Promise<Buffer> {
  const row = await tx
    .insertInto('passkey_handles')
    .values({ user_id: userId, handle: fresh })
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet((row) => ({ handle: row.ref('passkey_handles.handle') })),
    )
    .returning('handle')
    .executeTakeFirstOrThrow();
  return row.handle;
}

interface OwnPasskey {
  readonly id: string;
  readonly credentialId: string;
  readonly transports: readonly string[];
  readonly name: string;
  readonly createdAt: Date;
  readonly usedAt: Date | null;
}

/** The passkeys of a user, oldest first. */
export async function selectPasskeys(db: Db | Tx, userId: bigint): Promise<OwnPasskey[]> {
  const rows = await db
    .selectFrom('passkeys')
    .select([
      'id',
      'credential_id as credentialId',
      'transports',
      'name',
      'created_at as createdAt',
      'used_at as usedAt',
    ])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({ ...row, credentialId: row.credentialId.toString('base64url') }));
}

export interface SignInPasskey extends Passkey {
  readonly id: string;
  readonly userId: bigint;
  readonly userUuid: string;
  readonly email: string;
  readonly handle: Buffer;
}

/** A passkey with its user; `undefined` if it is unknown or the account is closed. */
export async function selectPasskey(
  db: Db,
  credentialId: string,
): Promise<SignInPasskey | undefined> {
  const row = await db
    .selectFrom('passkeys')
    .innerJoin('users', 'users.id', 'passkeys.user_id')
    .innerJoin('passkey_handles', 'passkey_handles.user_id', 'passkeys.user_id')
    .select([
      'passkeys.id',
      'passkeys.user_id as userId',
      'users.uuid as userUuid',
      'users.email',
      'passkey_handles.handle',
      'passkeys.public_key as publicKey',
      'passkeys.sign_count as signCount',
      'passkeys.transports',
    ])
    .where('passkeys.credential_id', '=', Buffer.from(credentialId, 'base64url'))
    .where('users.closed_at', 'is', null)
    .$narrowType<{ email: string }>()
    .executeTakeFirst();
  return row && { ...row, credentialId, signCount: parseInt(String(row.signCount), 10) };
}

/** Returns whether the passkey is new. The same response can be sent twice. */
export async function insertPasskey(
  tx: Tx,
  { credentialId, publicKey, signCount, transports }: Passkey,
  { userId, name, now }: { readonly userId: bigint; readonly name: string; readonly now: Date },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('passkeys')
    .values({
      id: randomUUID(),
      user_id: userId,
      credential_id: Buffer.from(credentialId, 'base64url'),
      public_key: publicKey,
      sign_count: BigInt(signCount),
      transports: [...transports],
      name,
      created_at: now,
    })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** Stores the signature count of a use. Returns `false` if it is not above the previous one, unless the authenticator never counts. */
export async function updateSignCount(
  tx: Tx,
  id: string,
  { signCount, now }: { readonly signCount: number; readonly now: Date },
): Promise<boolean> {
  const count = BigInt(signCount);
  const { numUpdatedRows } = await tx
    .updateTable('passkeys')
    .set({ sign_count: count, used_at: now })
    .where('id', '=', id)
    .where((where) =>
      where.or([
        where('sign_count', '<', count),
        where.and([where('sign_count', '=', 0n), where(where.val(count), '=', 0n)]),
      ]),
    )
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

interface OneOf {
  readonly id: string;
  readonly userId: bigint;
}

/** Returns whether the user has this passkey. */
export async function updatePasskeyName(
  db: Db,
  { id, userId }: OneOf,
  name: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('passkeys')
    .set({ name })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function deletePasskeysOf(tx: Tx, userId: bigint): Promise<void> {
  await tx.deleteFrom('passkeys').where('user_id', '=', userId).execute();
}

/** Returns whether the user had this passkey. */
export async function deletePasskey(tx: Tx, { id, userId }: OneOf): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('passkeys')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}
