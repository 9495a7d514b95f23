/** Statements on the logs of scanners that redeem without a network, and on the staff who may write them. */
import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { deleteInBatches } from '../../../platform/database/delete-in-batches.ts';

export interface OfflineLog {
  readonly id: string;
  readonly deviceId: string;
  readonly publicKey: Buffer;
  readonly lastSeq: number;
  /** Null before the first entry. */
  readonly lastHash: Buffer | null;
  readonly lastAtMs: number;
  readonly suspectSince: Date | null;
  readonly lastSyncAt: Date | null;
}

const columns = [
  'id',
  'device_id as deviceId',
  'public_key as publicKey',
  'last_hash as lastHash',
  'suspect_since as suspectSince',
  'last_sync_at as lastSyncAt',
  // Selected as floats, which hold whole numbers up to 2^53.
  sql<number>`last_seq::float8`.as('lastSeq'),
  sql<number>`last_at_ms::float8`.as('lastAtMs'),
] as const;

/**
 * Begins the log of a key, or continues it: a browser may have lost its device id but kept its key. Returns `undefined` for the key of a
 * blocked device.
 */
export async function enrolLog(
  tx: Tx,
  { deviceId, publicKey, at }: { deviceId: string; publicKey: Buffer; at: Date },
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    insert into offline_logs as log (device_id, public_key, begun_at)
    values (${deviceId}::uuid, ${publicKey}::bytea, ${at}::timestamptz)
    on conflict (public_key) do update set device_id = excluded.device_id, begun_at = excluded.begun_at
      where not exists (select from scanner_devices where id = log.device_id and blocked_at is not null)
    returning id`.execute(tx);
  return rows[0]?.id;
}

/** The log of the device's newest key; `undefined` if it has none. */
export const selectLogOfDevice = (db: Db, deviceId: string): Promise<OfflineLog | undefined> =>
  db
    .selectFrom('offline_logs')
    .select(columns)
    .where('device_id', '=', deviceId)
    .orderBy('begun_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();

export const selectLog = (db: Db, id: string): Promise<OfflineLog | undefined> =>
  db.selectFrom('offline_logs').select(columns).where('id', '=', id).executeTakeFirst();

export const lockLog = (tx: Tx, id: string): Promise<OfflineLog | undefined> =>
  tx
    .selectFrom('offline_logs')
    .select(columns)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();

/** Locks every log of the device, always in the same order. */
export const lockLogsOfDevice = (tx: Tx, deviceId: string): Promise<OfflineLog[]> =>
  tx
    .selectFrom('offline_logs')
    .select(columns)
    .where('device_id', '=', deviceId)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();

/** The fault of a log that is valid but contains more redemptions than its device may make. */
export const ABOVE_ALLOWANCE = 'allowance';

/** The fault of a log that is valid but contains items that are not redeemed at its venue. */
export const ELSEWHERE = 'elsewhere';

export interface OfflineFacts {
  readonly lastSyncAt: Date | null;
  readonly suspectSince: Date | null;
  /** Whether exceeding the allowance is the only fault of the suspect logs. */
  readonly isAboveAllowance: boolean;
  /** Whether items of other venues are the only fault of the suspect logs. */
  readonly isElsewhere: boolean;
  readonly keptCount: number;
}

/** The facts about all logs of a device; `undefined` if it has none. */
export async function selectOfflineFacts(
  db: Db,
  deviceId: string,
): Promise<OfflineFacts | undefined> {
  const { rows } = await sql<OfflineFacts>`
    select max(log.last_sync_at) as "lastSyncAt", min(log.suspect_since) as "suspectSince",
           coalesce(bool_and(log.suspect_fault = ${ABOVE_ALLOWANCE}), false) as "isAboveAllowance",
           coalesce(bool_and(log.suspect_fault = ${ELSEWHERE}), false) as "isElsewhere",
           coalesce(sum(kept.count), 0)::int as "keptCount"
      from offline_logs log
      cross join lateral (select count(*) from offline_entries where log_id = log.id and state = 'kept') kept
     where log.device_id = ${deviceId}::uuid
    having count(*) > 0`.execute(db);
  return rows[0];
}

interface Grant {
  readonly logId: string;
  readonly staffUserId: bigint;
  readonly venueId: number;
  readonly from: Date;
  readonly until: Date;
}

/** Allows a member of staff to redeem with a key. A grant that is still valid is prolonged, so that a shift is one row. */
export async function grantOffline(
  db: Db,
  { logId, staffUserId, venueId, from, until }: Grant,
): Promise<void> {
  await sql`
    with running as (
      update scanner_grants set granted_until = ${until}::timestamptz
       where log_id = ${logId}::uuid and staff_user_id = ${staffUserId}::bigint and venue_id = ${venueId}::integer
         and granted_until >= ${from}::timestamptz
      returning log_id
    )
    insert into scanner_grants (log_id, staff_user_id, venue_id, granted_from, granted_until)
    select ${logId}::uuid, ${staffUserId}::bigint, ${venueId}::integer, ${from}::timestamptz, ${until}::timestamptz
     where not exists (select from running)
    on conflict (log_id, staff_user_id, venue_id, granted_from) do nothing`.execute(db);
}

/** Deletes grants and logs that are no longer needed as evidence. A log is deleted after its entries. */
export async function deleteOldLogs(db: Db, before: Date): Promise<void> {
  await deleteInBatches(db, 'scanner_grants', sql`granted_until <= ${before}`);
  await deleteInBatches(db, 'offline_logs', sql`coalesce(last_sync_at, begun_at) <= ${before}`);
}

export interface GrantRow {
  readonly staffUserId: bigint;
  readonly staffUuid: string;
  readonly venueId: number;
  readonly from: Date;
  readonly until: Date;
}

export const selectGrants = (
  db: Db | Tx,
  logId: string,
  staffUuids: readonly string[],
): Promise<GrantRow[]> =>
  db
    .selectFrom('scanner_grants as grant')
    .innerJoin('users as staff', 'staff.id', 'grant.staff_user_id')
    .select([
      'grant.staff_user_id as staffUserId',
      'staff.uuid as staffUuid',
      'grant.venue_id as venueId',
      'grant.granted_from as from',
      'grant.granted_until as until',
    ])
    .where('grant.log_id', '=', logId)
    .where('staff.uuid', 'in', staffUuids)
    .execute();

interface Head {
  readonly seq: number;
  readonly hash: Buffer;
  readonly atMs: number;
}

/** Records a sync, and the entry that is now the last one. */
export async function moveHead(
  tx: Tx,
  logId: string,
  { at, head }: { readonly at: Date; readonly head: Head | undefined },
): Promise<void> {
  await tx
    .updateTable('offline_logs')
    .set({
      last_sync_at: at,
      ...(head && {
        last_seq: BigInt(head.seq),
        last_hash: head.hash,
        last_at_ms: BigInt(head.atMs),
      }),
    })
    .where('id', '=', logId)
    .execute();
}

/** Makes a log suspect, or clears it. */
export async function updateSuspect(
  tx: Tx,
  logId: string,
  suspect: { readonly since: Date; readonly fault: string } | undefined,
): Promise<void> {
  await tx
    .updateTable('offline_logs')
    .set({ suspect_since: suspect?.since ?? null, suspect_fault: suspect?.fault ?? null })
    .where('id', '=', logId)
    .execute();
}
