/** Statements on the devices that scan, on their sessions, and on codes that enrol them. */
import { sql, type RawBuilder } from 'kysely';
import type { ListCount } from '@athos/contract/console/lists';
import { countRows } from '../../../platform/console/list-count.sql.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { deleteInBatches } from '../../../platform/database/delete-in-batches.ts';
import type { SeenVenues } from '../venues/seen-venues.ts';

export interface SeenDevice {
  readonly id: string;
  readonly hash: Buffer;
  /** Hashes under earlier keys, under which the device may be stored. */
  readonly earlierHashes: readonly Buffer[];
  readonly label: string;
  readonly appVersion: string | null;
  readonly userId: bigint;
  readonly sessionId: string;
  readonly at: Date;
  readonly isScan: boolean;
}

/**
 * Records the device of a session. Returns its id, and whether it is blocked, in which case the session is not recorded. The lock on the
 * device's row makes a block and a new session wait for each other, so that no session escapes a block.
 */
export async function noteSession(
  tx: Tx,
  device: SeenDevice,
): Promise<{ readonly id: string; readonly isBlocked: boolean }> {
  const { id, hash, label, appVersion, userId, sessionId, at, isScan } = device;
  const known = await selectDeviceOfSession(tx, sessionId);
  if (known !== undefined) {
    await touchDevice(tx, { id: known.id, at, isScan });
    return known;
  }
  await rehashDevice(tx, device);
  const row = await tx
    .insertInto('scanner_devices')
    .values({
      id,
      device_hash: hash,
      label,
      app_version: appVersion,
      user_id: userId,
      first_seen_at: at,
      last_seen_at: at,
      last_scan_at: isScan ? at : null,
    })
    .onConflict((conflict) =>
      conflict.column('device_hash').doUpdateSet({
        label,
        app_version: appVersion,
        user_id: userId,
        last_seen_at: at,
        ...(isScan && { last_scan_at: at }),
      }),
    )
    .returning(['id', 'blocked_at'])
    .executeTakeFirstOrThrow();
  if (row.blocked_at !== null) return { id: row.id, isBlocked: true };
  await tx
    .insertInto('scanner_sessions')
    .values({ session_id: sessionId, device_id: row.id })
    // Two concurrent first calls of a session come from the same device.
    .onConflict((conflict) => conflict.column('session_id').doNothing())
    .execute();
  return { id: row.id, isBlocked: false };
}

/** Replaces a hash under an earlier key, so that the device stays the same, with its enrolment or its block. */
async function rehashDevice(tx: Tx, { hash, earlierHashes }: SeenDevice): Promise<void> {
  if (earlierHashes.length === 0) return;
  await sql`
    update scanner_devices set device_hash = ${hash} where device_hash in (${sql.join(earlierHashes)})
       and not exists (select from scanner_devices where device_hash = ${hash})`.execute(tx);
}

/** The device recorded for a session, whatever device the current call names. */
async function selectDeviceOfSession(tx: Tx, sessionId: string) {
  const row = await tx
    .selectFrom('scanner_sessions as own')
    .innerJoin('scanner_devices as device', 'device.id', 'own.device_id')
    .select(['device.id', 'device.blocked_at as blockedAt'])
    .where('own.session_id', '=', sessionId)
    .executeTakeFirst();
  return row === undefined ? undefined : { id: row.id, isBlocked: row.blockedAt !== null };
}

export async function touchDevice(
  db: Db | Tx,
  { id, at, isScan }: { readonly id: string; readonly at: Date; readonly isScan: boolean },
): Promise<void> {
  await db
    .updateTable('scanner_devices')
    .set({ last_seen_at: at, ...(isScan && { last_scan_at: at }) })
    .where('id', '=', id)
    .execute();
}

/** Whether the device is enrolled at one of the venues, or belongs to somebody who is bound to one. */
const isOfVenues = (venueIds: readonly number[]): RawBuilder<boolean> => sql<boolean>`(
  device.venue_id = any(${venueIds}::integer[]) or exists (
    select from venue_staff binding
     where binding.user_id = device.user_id and binding.revoked_at is null
       and binding.venue_id = any(${venueIds}::integer[])))`;

const isSignedIn = (now: Date): RawBuilder<boolean> => sql<boolean>`exists (
  select from scanner_sessions own join sessions session on session.id = own.session_id
   where own.device_id = device.id and session.revoked_at is null and session.expires_at > ${now})`;

/** The state over all logs of a device, since a suspect log waits for a person even if the device has a new key. */
const offlineState = sql<'active' | 'suspect' | null>`(
  select case when bool_or(log.suspect_since is not null) then 'suspect' when count(*) > 0 then 'active' end
    from offline_logs log where log.device_id = device.id)`;

export interface DeviceFilters {
  readonly venueIds: SeenVenues;
  readonly state?: 'signed_in' | 'signed_out' | 'blocked' | 'suspect' | undefined;
  readonly now: Date;
}

function listed(db: Db | Tx, { venueIds, state, now }: DeviceFilters) {
  let rows = db.selectFrom('scanner_devices as device');
  if (venueIds !== undefined) rows = rows.where(isOfVenues(venueIds));
  if (state === 'blocked') rows = rows.where('device.blocked_at', 'is not', null);
  if (state === 'suspect') rows = rows.where(sql<boolean>`${offlineState} = 'suspect'`);
  if (state === 'signed_in') rows = rows.where(isSignedIn(now));
  if (state === 'signed_out') rows = rows.where(sql<boolean>`not ${isSignedIn(now)}`);
  return rows;
}

const shown = (rows: ReturnType<typeof listed>, now: Date) =>
  rows
    .leftJoin('venues as venue', 'venue.id', 'device.venue_id')
    .leftJoin('users as person', 'person.id', 'device.user_id')
    .select([
      'device.id',
      'device.name',
      'device.label',
      'device.app_version as appVersion',
      'device.first_seen_at as firstSeenAt',
      'device.last_seen_at as lastSeenAt',
      'device.last_scan_at as lastScanAt',
      'device.blocked_at as blockedAt',
      'venue.id as venueId',
      'venue.name as venue',
      'person.uuid as userUuid',
    ])
    .select([isSignedIn(now).as('isSignedIn'), offlineState.as('offlineState')]);

export type DeviceRow = NonNullable<Awaited<ReturnType<typeof selectDevice>>>;

/** Newest first. Returns one row more than `limit` if there is a next page. */
export const selectDevices = (
  db: Db,
  filters: DeviceFilters,
  { limit, beforeId }: { readonly limit: number; readonly beforeId: string | undefined },
) =>
  shown(listed(db, filters), filters.now)
    .$if(beforeId !== undefined, (rows) => rows.where('device.id', '<', beforeId ?? ''))
    .orderBy('device.id', 'desc')
    .limit(limit + 1)
    .execute();

export const countDevices = (db: Db, filters: DeviceFilters): Promise<ListCount> =>
  countRows(db, listed(db, filters).select('device.id'));

/** Returns `undefined` also for a device of other venues. */
export const selectDevice = (db: Db | Tx, filters: DeviceFilters, id: string) =>
  shown(listed(db, filters), filters.now).where('device.id', '=', id).executeTakeFirst();

/** Locks devices in the order of their ids. Returns those that match the filters. */
export async function lockDevices(
  tx: Tx,
  filters: DeviceFilters,
  which: { readonly id: string } | 'all',
): Promise<readonly string[]> {
  const rows = await listed(tx, filters)
    .select('device.id')
    .$if(which !== 'all', (all) => all.where('device.id', '=', which === 'all' ? '' : which.id))
    .orderBy('device.id')
    .forNoKeyUpdate('device')
    .execute();
  return rows.map(({ id }) => id);
}

export async function updateBlocked(
  tx: Tx,
  ids: readonly string[],
  blockedAt: Date | null,
): Promise<void> {
  await tx
    .updateTable('scanner_devices')
    .set({ blocked_at: blockedAt })
    .where('id', 'in', ids)
    .execute();
}

/** The open sessions of devices. */
export async function selectSessionsOf(
  tx: Tx,
  ids: readonly string[],
  now: Date,
): Promise<readonly { readonly userId: bigint; readonly sessionId: string }[]> {
  const { rows } = await sql<{ userId: bigint; sessionId: string }>`
    select session.user_id as "userId", session.id as "sessionId"
      from scanner_sessions own join sessions session on session.id = own.session_id
     where own.device_id = any(${`{${ids.join()}}`}::uuid[]) and session.revoked_at is null
       and session.expires_at > ${now}
     order by session.user_id, session.id`.execute(tx);
  return rows;
}

interface NewEnrolment {
  readonly codeHash: Buffer;
  readonly venueId: number;
  readonly name: string;
  readonly staffId: string;
  readonly at: Date;
  readonly expiresAt: Date;
}

export async function insertEnrolment(tx: Tx, enrolment: NewEnrolment): Promise<void> {
  const { codeHash, venueId, name, staffId, at, expiresAt } = enrolment;
  await tx
    .insertInto('scanner_enrolments')
    .values({
      code_hash: codeHash,
      venue_id: venueId,
      name,
      created_by: staffId,
      created_at: at,
      expires_at: expiresAt,
    })
    .execute();
}

/** Uses up a code. Returns `undefined` if it is unknown, used or expired, or belongs to a venue where the user is not bound. */
export async function takeEnrolment(
  tx: Tx,
  {
    codeHashes,
    userId,
    now,
  }: { readonly codeHashes: readonly Buffer[]; readonly userId: bigint; readonly now: Date },
): Promise<
  { readonly venueId: number; readonly venue: string; readonly name: string } | undefined
> {
  const { rows } = await sql<{ venueId: number; venue: string; name: string }>`
    update scanner_enrolments enrolment set used_at = ${now}
      from venues venue
     where enrolment.code_hash in (${sql.join(codeHashes)}) and enrolment.used_at is null and enrolment.expires_at > ${now}
       and venue.id = enrolment.venue_id and venue.archived_at is null
       and exists (select from venue_staff where venue_id = venue.id and user_id = ${userId} and revoked_at is null)
    returning venue.id as "venueId", venue.name as venue, enrolment.name`.execute(tx);
  return rows[0];
}

export async function enrolDevice(
  tx: Tx,
  id: string,
  enrolled: { readonly venueId: number; readonly name: string; readonly at: Date },
): Promise<void> {
  await tx
    .updateTable('scanner_devices')
    .set({ name: enrolled.name, venue_id: enrolled.venueId, enrolled_at: enrolled.at })
    .where('id', '=', id)
    .execute();
}

/** The venue where the device is enrolled; null or `undefined` if it is not enrolled. */
export async function selectDeviceVenue(db: Db, id: string): Promise<number | null | undefined> {
  const row = await db
    .selectFrom('scanner_devices')
    .select('venue_id')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.venue_id;
}

/** Erases which devices a user signed in on. The devices stay. */
export async function eraseScanners(tx: Tx, userId: bigint): Promise<void> {
  await tx
    .updateTable('scanner_devices')
    .set({ user_id: null })
    .where('user_id', '=', userId)
    .execute();
}

export async function deleteOldDevices(
  db: Db,
  {
    before,
    blockedBefore,
    expiredBefore,
  }: Readonly<Record<'before' | 'blockedBefore' | 'expiredBefore', Date>>,
): Promise<void> {
  // A device is deleted after its log of redemptions, which may be needed as evidence.
  const hasNoLog = sql`not exists (select from offline_logs where device_id = scanner_devices.id)`;
  await deleteInBatches(
    db,
    'scanner_devices',
    sql`last_seen_at <= ${before} and blocked_at is null and ${hasNoLog}`,
  );
  await deleteInBatches(
    db,
    'scanner_devices',
    sql`last_seen_at <= ${blockedBefore} and ${hasNoLog}`,
  );
  await deleteInBatches(db, 'scanner_enrolments', sql`expires_at <= ${expiredBefore}`);
}
