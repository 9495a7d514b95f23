/** Limits how much a device may redeem without a network before it has synced with the server. */
import { PACK_HOURS_MAX, type Allowance } from '@athos/domain/offline-log';
import type { Clock } from '../../../platform/clock.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import type { ReadProgramme } from '../../../platform/settings/programme-settings.ts';
import { countConflictsOfDevice } from './conflicts.sql.ts';
import { selectCallsAfter, type EarlierCall } from './entries.sql.ts';
import { CLOCK_SLACK_MS, type GoodEntry } from './judge-entry.ts';
import type { OfflineLog } from './logs.sql.ts';

export interface AllowanceDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly programme: ReadProgramme;
}

/** How long a conflict counts. */
export const HALVED_FOR_MS = 7 * 24 * 60 * 60_000;
/** A gate must be able to go on, whatever its device has done. */
const ITEMS_MIN = 10;
const HUNDREDTHS = 100;
const PACK_MS = PACK_HOURS_MAX * 60 * 60_000;

/** Halves the allowance, in items and in value, for each redemption of the last week that conflicted. */
export function halvedAllowance(whole: Allowance, conflictCount: number): Allowance {
  const itemsMax = Math.max(
    Math.min(ITEMS_MIN, whole.itemsMax),
    Math.floor(whole.itemsMax / 2 ** conflictCount),
  );
  return {
    ...whole,
    itemsMax,
    valueMaxAthHundredths: Math.floor((whole.valueMaxAthHundredths * itemsMax) / whole.itemsMax),
  };
}

async function wholeAllowance(programme: ReadProgramme): Promise<Allowance> {
  const { offlineItemsMax, offlineValueMaxAth, offlineItemValueMaxAth } = await programme();
  return {
    itemsMax: offlineItemsMax,
    valueMaxAthHundredths: offlineValueMaxAth * HUNDREDTHS,
    itemValueMaxAthHundredths: offlineItemValueMaxAth * HUNDREDTHS,
  };
}

export async function allowanceOf(
  { db, clock, programme }: AllowanceDeps,
  deviceId: string,
): Promise<Allowance> {
  const nowMs = clock.nowMs();
  const conflictCount = await countConflictsOfDevice(db, deviceId, {
    since: new Date(nowMs - HALVED_FOR_MS),
    until: new Date(nowMs),
  });
  return halvedAllowance(await wholeAllowance(programme), conflictCount);
}

/** The items and the value that one entry handed out. */
export interface HandedOut {
  readonly atMs: number;
  readonly itemCount: number;
  readonly valueAthHundredths: number;
  readonly dearestAthHundredths: number;
}

/**
 * The time at which the device fetched the list that it used for the entry. Its grant shows only the newest list of the shift; if that
 * list is newer than the entry, the list used was at most as old as lists may be.
 */
function listedAtMs({ at_ms: atMs, grantedUntilMs }: GoodEntry): number {
  const newestMs = grantedUntilMs - PACK_MS;
  return newestMs <= atMs ? newestMs : atMs - PACK_MS;
}

/** The highest allowance that a device may have received with the list of any of these entries. */
async function highestAllowance(
  tx: Tx,
  programme: ReadProgramme,
  { deviceId, entries }: { readonly deviceId: string; readonly entries: readonly GoodEntry[] },
): Promise<Allowance> {
  const lastMs = Math.max(...entries.map(({ at_ms: atMs }) => atMs));
  const conflictCount = await countConflictsOfDevice(tx, deviceId, {
    since: new Date(lastMs - HALVED_FOR_MS),
    // A list made at the same moment may not have included the conflict.
    until: new Date(Math.min(...entries.map(listedAtMs)) - CLOCK_SLACK_MS),
  });
  return halvedAllowance(await wholeAllowance(programme), conflictCount);
}

/** Whether these entries, together with others that were not synced yet at their time, exceed the allowance. */
function isAbove(
  handedOut: readonly HandedOut[],
  earlier: readonly EarlierCall[],
  allowance: Allowance,
): boolean {
  let itemCount = 0;
  let value = 0;
  return handedOut.some((entry) => {
    itemCount += entry.itemCount;
    value += entry.valueAthHundredths;
    const waiting = earlier.filter((call) => call.atMs > entry.atMs + CLOCK_SLACK_MS);
    const sumOf = (field: 'itemCount' | 'valueAthHundredths') =>
      waiting.reduce((sum, call) => sum + call[field], 0);
    return (
      entry.dearestAthHundredths > allowance.itemValueMaxAthHundredths ||
      itemCount + sumOf('itemCount') > allowance.itemsMax ||
      value + sumOf('valueAthHundredths') > allowance.valueMaxAthHundredths
    );
  });
}

/**
 * Whether a log contains more redemptions than its device may make. The entries of one call were all unsynced at the same time. So were
 * entries of earlier calls that the server did not have yet at an entry's time: sending a log in parts does not raise the allowance.
 */
export async function isAboveAllowance(
  tx: Tx,
  programme: ReadProgramme,
  told: {
    readonly log: OfflineLog;
    readonly entries: readonly GoodEntry[];
    readonly handedOut: readonly HandedOut[];
  },
): Promise<boolean> {
  const { log, entries, handedOut } = told;
  const after = new Date(Math.min(...entries.map(({ at_ms: atMs }) => atMs)) + CLOCK_SLACK_MS);
  const hasEarlier = log.lastSyncAt !== null && log.lastSyncAt > after;
  const earlier = hasEarlier ? await selectCallsAfter(tx, log.id, after) : [];
  const { deviceId } = log;
  return isAbove(handedOut, earlier, await highestAllowance(tx, programme, { deviceId, entries }));
}
