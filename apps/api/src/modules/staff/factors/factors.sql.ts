import { randomUUID } from 'node:crypto';
import type { Db, Tx } from '../../../platform/database/database.ts';
import type { Passkey } from '../../../platform/factors/passkeys.ts';

interface FactorRow {
  readonly id: string;
  readonly kind: 'totp' | 'passkey';
  readonly name: string;
  readonly createdAt: Date;
  readonly usedAt: Date | null;
}

/** The person's factors, oldest first: passkeys and a confirmed authenticator app. */
export const selectFactors = (db: Db | Tx, staffId: string): Promise<FactorRow[]> =>
  db
    .selectFrom('staff_factors')
    .select(['id', 'kind', 'name', 'created_at as createdAt', 'used_at as usedAt'])
    .where('staff_id', '=', staffId)
    .where('confirmed_at', 'is not', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute();

export interface TotpRow {
  readonly id: string;
  /** Sealed. */
  readonly secret: Buffer;
  readonly lastStep: bigint | undefined;
}

/** A person's authenticator app. There is at most one confirmed and one unconfirmed. */
export async function selectTotp(
  db: Db | Tx,
  staffId: string,
  { isConfirmed }: { readonly isConfirmed: boolean },
): Promise<TotpRow | undefined> {
  const row = await db
    .selectFrom('staff_factors')
    .select(['id', 'secret', 'last_step'])
    .where('staff_id', '=', staffId)
    .where('kind', '=', 'totp')
    .where('confirmed_at', isConfirmed ? 'is not' : 'is', null)
    .executeTakeFirst();
  if (row === undefined || row.secret === null) return undefined;
  return { id: row.id, secret: row.secret, lastStep: row.last_step ?? undefined };
}

export async function insertTotp(
  tx: Tx,
  { id, staffId, secret, now }: { id: string; staffId: string; secret: Buffer; now: Date },
): Promise<void> {
  await tx
    .insertInto('staff_factors')
    .values({ id, staff_id: staffId, kind: 'totp', name: '', secret, created_at: now })
    .execute();
}

export async function deleteTotp(
  tx: Tx,
  staffId: string,
  { isConfirmed }: { readonly isConfirmed: boolean },
): Promise<void> {
  await tx
    .deleteFrom('staff_factors')
    .where('staff_id', '=', staffId)
    .where('kind', '=', 'totp')
    .where('confirmed_at', isConfirmed ? 'is not' : 'is', null)
    .execute();
}

export async function confirmFactor(
  tx: Tx,
  id: string,
  { name, now }: { readonly name: string; readonly now: Date },
): Promise<void> {
  await tx
    .updateTable('staff_factors')
    .set({ name, confirmed_at: now })
    .where('id', '=', id)
    .execute();
}

/** Uses up a time step. Returns whether it was unused; of several concurrent attempts, only one succeeds. */
export async function useTotpStep(
  tx: Tx,
  id: string,
  { step, now }: { readonly step: bigint; readonly now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('staff_factors')
    .set({ last_step: step, used_at: now })
    .where('id', '=', id)
    .where((where) => where.or([where('last_step', 'is', null), where('last_step', '<', step)]))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export interface PasskeyRow extends Passkey {
  readonly id: string;
  readonly staffId: string;
}

const passkeysOf = (db: Db | Tx) =>
  db
    .selectFrom('staff_factors')
    .select(['id', 'staff_id', 'credential_id', 'public_key', 'sign_count', 'transports'])
    .where('kind', '=', 'passkey');

type SelectedPasskey = Awaited<ReturnType<ReturnType<typeof passkeysOf>['execute']>>[number];

function passkeyOf(row: SelectedPasskey): PasskeyRow {
  const { id, staff_id: staffId, credential_id: credentialId, public_key: publicKey } = row;
  if (credentialId === null || publicKey === null) throw new Error(`passkey ${id} has no key`);
  return {
    id,
    staffId,
    credentialId: credentialId.toString('base64url'),
    publicKey,
    signCount: parseInt(String(row.sign_count ?? 0n), 10),
    transports: row.transports ?? [],
  };
}

export async function selectPasskeys(db: Db | Tx, staffId: string): Promise<PasskeyRow[]> {
  const rows = await passkeysOf(db).where('staff_id', '=', staffId).execute();
  return rows.map(passkeyOf);
}

export async function selectPasskey(
  db: Db | Tx,
  credentialId: string,
): Promise<PasskeyRow | undefined> {
  const row = await passkeysOf(db)
    .where('credential_id', '=', Buffer.from(credentialId, 'base64url'))
    .executeTakeFirst();
  return row === undefined ? undefined : passkeyOf(row);
}

/** Returns whether the passkey is new. The same response can be sent twice. */
export async function insertPasskey(
  tx: Tx,
  { credentialId, publicKey, signCount, transports }: Passkey,
  { staffId, name, now }: { staffId: string; name: string; now: Date },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('staff_factors')
    .values({
      id: randomUUID(),
      staff_id: staffId,
      kind: 'passkey',
      name,
      created_at: now,
      confirmed_at: now,
      credential_id: Buffer.from(credentialId, 'base64url'),
      public_key: publicKey,
      sign_count: BigInt(signCount),
      transports: [...transports],
    })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** Stores the signature count. Returns `false` if another use has already stored the same count or a higher one. */
export async function updateSignCount(
  tx: Tx,
  id: string,
  { signCount, now }: { readonly signCount: number; readonly now: Date },
): Promise<boolean> {
  const count = BigInt(signCount);
  const { numUpdatedRows } = await tx
    .updateTable('staff_factors')
    .set({ sign_count: count, used_at: now })
    .where('id', '=', id)
    .where((where) => where.or([where('sign_count', '<', count), where(where.val(count), '=', 0n)]))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Returns the factor that was deleted. */
export async function deleteFactor(
  tx: Tx,
  staffId: string,
  id: string,
): Promise<Pick<FactorRow, 'kind' | 'name'> | undefined> {
  return tx
    .deleteFrom('staff_factors')
    .where('staff_id', '=', staffId)
    .where('id', '=', id)
    .where('confirmed_at', 'is not', null)
    .returning(['kind', 'name'])
    .executeTakeFirst();
}

/** Deletes all factors and recovery codes of a person who lost them. */
export async function deleteFactors(tx: Tx, staffId: string): Promise<void> {
  await tx.deleteFrom('staff_factors').where('staff_id', '=', staffId).execute();
  await tx.deleteFrom('staff_recovery_codes').where('staff_id', '=', staffId).execute();
}

/** The hashes of the unused codes. */
export async function selectRecoveryCodes(db: Db | Tx, staffId: string): Promise<Buffer[]> {
  const rows = await db
    .selectFrom('staff_recovery_codes')
    .select('code_hash')
    .where('staff_id', '=', staffId)
    .where('used_at', 'is', null)
    .execute();
  return rows.map(({ code_hash: hash }) => hash);
}

/** Replaces all codes, used or not. */
export async function replaceRecoveryCodes(
  tx: Tx,
  staffId: string,
  { hashes, now }: { readonly hashes: readonly Buffer[]; readonly now: Date },
): Promise<void> {
  await tx.deleteFrom('staff_recovery_codes').where('staff_id', '=', staffId).execute();
  await tx
    .insertInto('staff_recovery_codes')
    .values(hashes.map((hash) => ({ staff_id: staffId, code_hash: hash, created_at: now })))
    .execute();
}

/** Uses up a code. Returns whether it was unused. */
export async function useRecoveryCode(
  tx: Tx,
  staffId: string,
  { hash, now }: { readonly hash: Buffer; readonly now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('staff_recovery_codes')
    .set({ used_at: now })
    .where('staff_id', '=', staffId)
    .where('code_hash', '=', hash)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
