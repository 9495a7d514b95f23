/**
 * The devices that have signed in to an account. They are recognized by keyed hashes and expire a while after their last sign-in, and an
 * account keeps only the latest.
 */
import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/database/database.ts';
import type { Device } from './device.ts';

/** More devices than a person owns. Otherwise somebody who knows the password could add rows without end. */
const KNOWN_COUNT_MAX = 20;

/**
 * The hash under which this device has signed in to the account with this address; `undefined` if it has not. Attempts from the device
 * are counted under that hash.
 */
export async function findKnownDevice(
  db: Db,
  email: string,
  { hasId, hashes }: Pick<Device, 'hasId' | 'hashes'>,
): Promise<Buffer | undefined> {
  if (!hasId) return undefined;
  const row = await db
    .selectFrom('known_devices')
    .innerJoin('users', 'users.id', 'known_devices.user_id')
    .select('known_devices.device_hash as deviceHash')
    .where('users.email', '=', email)
    .where('known_devices.device_hash', 'in', hashes)
    .executeTakeFirst();
  return row?.deviceHash;
}

/** Whether this device has signed in to the user's account. */
export async function isKnownDeviceOf(
  db: Db,
  userId: bigint,
  hashes: readonly Buffer[],
): Promise<boolean> {
  const row = await db
    .selectFrom('known_devices')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('device_hash', 'in', hashes)
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

/**
 * Stores that a device has signed in, from now on under the first hashing key. Returns whether it is new. The caller has locked the user.
 */
export async function rememberDevice(
  tx: Tx,
  userId: bigint,
  { hash, hashes }: Pick<Device, 'hash' | 'hashes'>,
  now: Date,
): Promise<boolean> {
  if (hashes.length > 1) await deleteEarlierHashes(tx, userId, hashes);
  const { numUpdatedRows } = await tx
    .updateTable('known_devices')
    .set({ last_seen_at: now, device_hash: hash })
    .where('user_id', '=', userId)
    .where('device_hash', 'in', hashes)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) return false;
  await tx
    .insertInto('known_devices')
    .values({ user_id: userId, device_hash: hash, first_seen_at: now, last_seen_at: now })
    .execute();
  await deleteOldestDevices(tx, userId);
  return true;
}

/**
 * Keeps the latest row of one device. It has two if it signed in at a process without the key of the first, and they cannot both get the
 * same hash.
 */
async function deleteEarlierHashes(
  tx: Tx,
  userId: bigint,
  hashes: readonly Buffer[],
): Promise<void> {
  await sql`
    delete from known_devices where user_id = ${userId} and device_hash in (
      select device_hash from known_devices
       where user_id = ${userId} and device_hash in (${sql.join(hashes)})
       order by last_seen_at desc, first_seen_at desc offset 1
    )`.execute(tx);
}

/** Keeps only the devices that signed in last. */
async function deleteOldestDevices(tx: Tx, userId: bigint): Promise<void> {
  await sql`
    delete from known_devices where user_id = ${userId} and device_hash in (
      select device_hash from known_devices where user_id = ${userId}
       order by last_seen_at desc, first_seen_at desc offset ${KNOWN_COUNT_MAX}
    )`.execute(tx);
}

/** The sign-in times of a user's known devices, latest first. */
export const selectDeviceTimes = (db: Db, userId: bigint) =>
  db
    .selectFrom('known_devices')
    .select(['first_seen_at as firstSeenAt', 'last_seen_at as lastSeenAt'])
    .where('user_id', '=', userId)
    .orderBy('last_seen_at', 'desc')
    .execute();
