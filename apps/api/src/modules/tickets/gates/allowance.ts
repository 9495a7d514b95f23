/** How much a device may redeem without a network before it has told the server of it. */
import type { Allowance } from '@athos/domain/offline-log';
import type { Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/database.ts';
import type { ReadProgramme } from '../../../platform/settings/programme-settings.ts';
import { countConflictsOfDevice } from './conflicts.sql.ts';

export interface AllowanceDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly programme: ReadProgramme;
}

/** For how long a conflict counts. */
export const HALVED_FOR_MS = 7 * 24 * 60 * 60_000;
/** A gate has to go on, whatever its device has done. */
const ITEMS_MIN = 10;
const HUNDREDTHS = 100;

/** Half for each redemption of the last week that conflicted, of items and of value alike. */
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

export async function allowanceOf(
  { db, clock, programme }: AllowanceDeps,
  deviceId: string,
): Promise<Allowance> {
  const { offlineItemsMax, offlineValueMaxAth, offlineItemValueMaxAth } = await programme();
  const since = new Date(clock.nowMs() - HALVED_FOR_MS);
  return halvedAllowance(
    {
      itemsMax: offlineItemsMax,
      valueMaxAthHundredths: offlineValueMaxAth * HUNDREDTHS,
      itemValueMaxAthHundredths: offlineItemValueMaxAth * HUNDREDTHS,
    },
    await countConflictsOfDevice(db, deviceId, since),
  );
}
