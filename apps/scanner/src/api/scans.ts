/** The account's own scans and the day's counters, as the server records them. */
import { queryClient } from '@athos/app-core/query-client';
import type { AnswerOf } from '@athos/contract/api';
import { queryOptions } from '@tanstack/react-query';
import type { DayCounts } from '../state/recent-scans.ts';
import { client } from './http.ts';
import { asStaff } from './staff.ts';

type WireScans = AnswerOf<'scannerScans'>;

export interface ListedScan {
  readonly id: number;
  /** ISO 8601. */
  readonly at: string;
  readonly outcome: WireScans['scans'][number]['outcome'];
  readonly venueName: string;
  readonly titles: readonly string[];
  readonly redeemedCount: number;
}

/** The scans and counters since a time. */
interface Scans {
  /** The last scans, newest first. */
  readonly scans: readonly ListedScan[];
  readonly counts: DayCounts;
}

const readScans = ({ scans, counts }: WireScans): Scans => ({
  scans: scans.map(({ id, at, outcome, venue, titles, redeemed_count: redeemedCount }) => ({
    id,
    at,
    outcome,
    venueName: venue ?? '',
    titles,
    redeemedCount,
  })),
  counts: { scans: counts.scans, redeemedItems: counts.redeemed_items, refused: counts.refused },
});

/** The number of scans in a list. */
export const LISTED_COUNT = 30;
const QUERY_KEY = 'scans';

/** Returns the start of the day in this device's time zone. */
export function todayTime(): string {
  const now = new Date();
  return new Date(now.getFullYear(), now.getMonth(), now.getDate()).toISOString();
}

/** `sinceTime` is part of the key, so a new day starts new counters. */
export const scansQuery = (sinceTime: string) =>
  queryOptions({
    queryKey: [QUERY_KEY, sinceTime],
    queryFn: async ({ signal }) => {
      const query = { limit: LISTED_COUNT, since: sinceTime };
      return readScans(await asStaff(client.call('scannerScans', { query, signal })));
    },
  });

/** Fetches scans and counters again, after something was scanned or redeemed. */
export const refreshScans = (): void =>
  void queryClient.invalidateQueries({ queryKey: [QUERY_KEY] });
