import { athHundredths, microAthFromHundredths } from '@athos/domain/money';
import { allowanceOf, HALVED_FOR_MS, type AllowanceDeps } from './allowance.ts';
import { countConflictsOfDevice } from './conflicts.sql.ts';
import { selectOfflineFacts } from './logs.sql.ts';

/** The console's data about a device that can redeem without a network; null if it has no key. */
export async function readOfflineFacts(deps: AllowanceDeps, deviceId: string) {
  const { db, clock } = deps;
  const nowMs = clock.nowMs();
  const [facts, allowance, conflictCount] = await Promise.all([
    selectOfflineFacts(db, deviceId),
    allowanceOf(deps, deviceId),
    countConflictsOfDevice(db, deviceId, {
      since: new Date(nowMs - HALVED_FOR_MS),
      until: new Date(nowMs),
    }),
  ]);
  if (facts === undefined) return null;
  return {
    last_sync_at: facts.lastSyncAt?.toISOString() ?? null,
    suspect_since: facts.suspectSince?.toISOString() ?? null,
    is_above_allowance: facts.isAboveAllowance,
    is_elsewhere: facts.isElsewhere,
    kept_count: facts.keptCount,
    conflict_count: conflictCount,
    items_max: allowance.itemsMax,
    value_max: microAthFromHundredths(athHundredths(allowance.valueMaxAthHundredths)).toString(),
  };
}
