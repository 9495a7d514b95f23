/** The last scans of this device, also those that the server never heard of. For each member of staff. */
import { localStore } from '@athos/app-core/storage';
import type { ErrorCode } from '@athos/contract/errors';
import { createValue } from '@athos/app-core/value';

/** `looked`: nothing was redeemed. `lost`: no answer. `unknown`: it was not learnt whether items were redeemed. */
export type RecentOutcome = 'redeemed' | 'refused' | 'looked' | 'tier' | 'lost' | 'unknown';

export interface RecentScan {
  readonly id: string;
  readonly atMs: number;
  readonly outcome: RecentOutcome;
  readonly venueName: string;
  readonly redeemedCount: number;
  /** Of the items, or of the tier. */
  readonly titles: readonly string[];
  /** Why the whole code was refused. */
  readonly code?: ErrorCode;
}

const COUNT_MAX = 30;
const keyOf = (userUuid: string): string => `scanner-recent:${userUuid}`;

export const recentScans = createValue<readonly RecentScan[]>([]);

export function openRecentScans(userUuid: string): void {
  try {
    const stored: unknown = JSON.parse(localStore.read(keyOf(userUuid)) ?? '[]');
    recentScans.set(Array.isArray(stored) ? (stored as RecentScan[]) : []);
  } catch {
    recentScans.set([]);
  }
}

/** Puts a scan before the others; a later word about the same scan takes the place of the earlier one. */
export function rememberScan(userUuid: string, scan: RecentScan): void {
  const others = recentScans.get().filter(({ id }) => id !== scan.id);
  const next = [scan, ...others].slice(0, COUNT_MAX);
  localStore.write(keyOf(userUuid), JSON.stringify(next));
  recentScans.set(next);
}
