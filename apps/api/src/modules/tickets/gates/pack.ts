/** The data that an enrolled scanner needs to redeem without a network. */
import { encodeIds } from '@athos/domain/id-list';
import { FIRST_PREVIOUS_HASH, PACK_HOURS_MAX } from '@athos/domain/offline-log';
import { dateOf, type Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors.ts';
import type { SigningKeys } from '../../../platform/keys/signing-keys.ts';
import { brakeRefusal } from '../../../platform/settings/brakes.ts';
import type { ReadProgramme } from '../../../platform/settings/programme-settings.ts';
import { selectVenuesOfStaff } from '../attempt-facts.sql.ts';
import { requireStaff, requireVenue } from '../attempt.ts';
import { keyByteOf } from '../offline/read-ticket-code.ts';
import { selectDeviceVenue } from '../scanners/scanners.sql.ts';
import { allowanceOf } from './allowance.ts';
import { grantOffline, selectLogOfDevice, type OfflineLog } from './logs.sql.ts';
import { isTakenBack, selectEndedTickets, selectPackOffers, selectSpentItems } from './pack.sql.ts';

export interface PackDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly qrKeys: SigningKeys;
  readonly programme: ReadProgramme;
}

interface PackRequest {
  readonly deviceId: string;
  readonly staff: { readonly userId: bigint; readonly userUuid: string };
  readonly venueId: number;
  readonly since: Date | undefined;
}

const HOUR_MS = 60 * 60_000;
/** Far longer than a transaction lasts: rows committed late, with an earlier time, are in the next answer at the latest. */
const OVERLAP_MS = 120_000;

export const presentHead = ({ lastSeq, lastHash, suspectSince }: OfflineLog) => ({
  state: suspectSince === null ? ('active' as const) : ('suspect' as const),
  last_seq: lastSeq,
  last_hash: lastHash?.toString('base64url') ?? FIRST_PREVIOUS_HASH,
});

const idsText = (ids: readonly number[]): string =>
  Buffer.from(encodeIds(ids)).toString('base64url');

/** Returns the log of the device at its own venue. Throws `device_not_enrolled`. */
async function requireLog(db: Db, { deviceId, venueId }: PackRequest): Promise<OfflineLog> {
  const [log, ownVenueId] = await Promise.all([
    selectLogOfDevice(db, deviceId),
    selectDeviceVenue(db, deviceId),
  ]);
  if (log === undefined || ownVenueId !== venueId) throw new AppError('device_not_enrolled');
  return log;
}

/** Throws `staff_revoked`, `foreign_venue` and `device_not_enrolled`. */
export async function readPack(deps: PackDeps, request: PackRequest) {
  const { db, clock, qrKeys } = deps;
  const { staff, venueId } = request;
  const now = dateOf(clock);
  const venues = await selectVenuesOfStaff(db, staff.userId);
  requireStaff(venues);
  requireVenue(venues, venueId);
  const log = await requireLog(db, request);
  const asked = request.since && new Date(request.since.getTime() - OVERLAP_MS);
  const since = asked === undefined || (await isTakenBack(db, asked)) ? undefined : asked;
  const [offers, endedTickets, spentItems] = await Promise.all([
    selectPackOffers(db, venueId),
    selectEndedTickets(db, { since, now }),
    selectSpentItems(db, { venueId, since, now }),
  ]);
  // What was granted before goes on until the gate has a network again; the brake only keeps it from going on after that.
  const isStopped = (await brakeRefusal(deps.programme, 'redeeming')) !== undefined;
  const mayGrant = log.suspectSince === null && !isStopped;
  return {
    server_time: now.toISOString(),
    device: { id: log.id, ...presentHead(log) },
    grant: mayGrant ? await grant(deps, { log, request, now }) : null,
    keys: [...qrKeys.jwks].map(({ kid, x }) => ({ key_byte: keyByteOf(kid), public_key: x })),
    offers,
    is_whole: since === undefined,
    ended_tickets: idsText(endedTickets),
    spent_items: idsText(spentItems),
    next_since: now.toISOString(),
  };
}

async function grant(
  deps: PackDeps,
  {
    log,
    request,
    now,
  }: { readonly log: OfflineLog; readonly request: PackRequest; readonly now: Date },
) {
  const { staff, venueId } = request;
  const until = new Date(now.getTime() + PACK_HOURS_MAX * HOUR_MS);
  const allowance = await allowanceOf(deps, log.deviceId);
  await grantOffline(deps.db, {
    logId: log.id,
    staffUserId: staff.userId,
    venueId,
    from: now,
    until,
  });
  return {
    staff_uuid: staff.userUuid,
    venue_id: venueId,
    until: until.toISOString(),
    items_max: allowance.itemsMax,
    value_max_ath_hundredths: allowance.valueMaxAthHundredths,
    item_value_max_ath_hundredths: allowance.itemValueMaxAthHundredths,
  };
}
