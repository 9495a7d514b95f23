/**
 * The devices that have signed in to an account. They are recognized by keyed hashes, end a while after their last sign-in, and
 * an account keeps only the latest.
 */
import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/database/database.ts';

/** More than a person owns. Whoever knows the password could otherwise add rows without end. */
const KNOWN_COUNT_MAX = 20;

/** Whether this device has signed in to the account with this address. */
export async function isKnownDevice(db: Db, email: string, deviceHash: Buffer): Promise<boolean> {
  const row = await db
    .selectFrom('known_devices')
    .innerJoin('users', 'users.id', 'known_devices.user_id')
    .select('users.id')
    .where('users.email', '=', email)
    .where('known_devices.device_hash', '=', deviceHash)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether this device has signed in to the user's account. */
export async function isKnownDeviceOf(
  db: Db,
  userId: bigint,
  deviceHash: Buffer,
): Promise<boolean> {
  const row = await db
    .selectFrom('known_devices')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('device_hash', '=', deviceHash)
    .executeTakeFirst();
  return row !== undefined;
}

export async function selectKnownDevices(tx: Tx, userId: bigint): Promise<Buffer[]> {
  const rows = await tx
    .selectFrom('known_devices')
    .select('device_hash')
    .where('user_id', '=', userId)
    .execute();
  return rows.map((row) => row.device_hash);
}

/** Remembers that a device has signed in. Returns whether it is new. The caller has locked the user. */
export async function rememberDevice(
  tx: Tx,
  userId: bigint,
  deviceHash: Buffer,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('known_devices')
    .set({ last_seen_at: now })
    .where('user_id', '=', userId)
    .where('device_hash', '=', deviceHash)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) return false;
  await tx
    .insertInto('known_devices')
    .values({ user_id: userId, device_hash: deviceHash, first_seen_at: now, last_seen_at: now })
    .execute();
  await deleteOldestDevices(tx, userId);
  return true;
}

/** Keeps the devices that signed in last. */
async function deleteOldestDevices(tx: Tx, userId: bigint): Promise<void> {
  await sql`
    delete from known_devices where user_id = ${userId} and device_hash in (
      select device_hash from known_devices where user_id = ${userId}
       order by last_seen_at desc, first_seen_at desc offset ${KNOWN_COUNT_MAX}
    )`.execute(tx);
}

/** When the known devices of a user signed in, the latest first. */
export const selectDeviceTimes = (db: Db, userId: bigint) =>
  db
    .selectFrom('known_devices')
    .select(['first_seen_at as firstSeenAt', 'last_seen_at as lastSeenAt'])
    .where('user_id', '=', userId)
    .orderBy('last_seen_at', 'desc')
    .execute();
