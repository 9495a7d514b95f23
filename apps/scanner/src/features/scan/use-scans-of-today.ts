import { useUuidOf } from '@athos/app-core/current-user';
import { useValue } from '@athos/app-core/value';
import { todayTime } from '../../api/scans.ts';
import { recentScansOf, type RecentScan } from '../../state/recent-scans.ts';
import { session } from '../../state/session.ts';

/** The scans made with this device since midnight in its time zone, newest first. */
export function useScansOfToday(): readonly RecentScan[] {
  const scans = useValue(recentScansOf(useUuidOf(session)));
  const sinceMs = Date.parse(todayTime());
  return scans.filter(({ atMs }) => atMs >= sinceMs);
}
