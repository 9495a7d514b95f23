/**
 * The most recent scans made with this device, including those that never reached the server. Stored per member of
 * staff.
 */
import { openStored, type StoredValue } from '@athos/app-core/stored-value';
import { storesByName } from '@athos/app-core/stores-by-name';
import type { ErrorCode } from '@athos/contract/errors';

/** `looked`: nothing was redeemed. `lost`: no response. `unknown`: items may have been redeemed. */
export type RecentOutcome = 'redeemed' | 'refused' | 'looked' | 'tier' | 'lost' | 'unknown';

/** The server's verdict on a redemption without a network. `conflict`: some of its items were redeemed elsewhere before. */
export type OfflineOutcome = 'waiting' | 'confirmed' | 'conflict' | 'refused';

export interface RecentScan {
  readonly id: string;
  readonly atMs: number;
  readonly outcome: RecentOutcome;
  readonly venueName: string;
  readonly redeemedCount: number;
  /** Titles of the items or of the tier. */
  readonly titles: readonly string[];
  /** The reason why the whole code was refused. */
  readonly code?: ErrorCode;
  /** The outcome of a redemption without a network. */
  readonly offline?: OfflineOutcome;
}

/** More than one device scans in a day. The day's counts are derived from this list. */
const COUNT_MAX = 1000;
const NONE: readonly RecentScan[] = [];

const lists = storesByName<StoredValue<readonly RecentScan[]>>();

/** Newest first. */
export const recentScansOf = (userUuid: string): StoredValue<readonly RecentScan[]> =>
  lists.of(userUuid, () =>
    openStored({
      key: `scanner-recent:${userUuid}`,
      empty: NONE,
      parse: (stored) => (Array.isArray(stored) ? (stored as RecentScan[]) : undefined),
    }),
  );

/** Adds a scan at the front. A later outcome of the same scan replaces the earlier one. */
export const rememberScan = (userUuid: string, scan: RecentScan): void =>
  recentScansOf(userUuid).change((scans) =>
    [scan, ...scans.filter(({ id }) => id !== scan.id)].slice(0, COUNT_MAX),
  );

/** Records the server's outcome of a redemption without a network. */
export const settleOfflineScan = (
  userUuid: string,
  id: string,
  offline: Exclude<OfflineOutcome, 'waiting'>,
): void =>
  recentScansOf(userUuid).change((scans) =>
    scans.map((scan) => (scan.id === id ? { ...scan, offline } : scan)),
  );

export interface DayCounts {
  readonly scans: number;
  readonly redeemedItems: number;
  readonly refused: number;
}

/** Counts scans as the server does: a scan without anything to redeem counts as refused. */
export const countsOf = (scans: readonly RecentScan[]): DayCounts => ({
  scans: scans.length,
  redeemedItems: scans.reduce((sum, { redeemedCount }) => sum + redeemedCount, 0),
  refused: scans.filter(({ outcome }) => outcome === 'refused').length,
});

export const closeRecentScans = lists.closeAll;
