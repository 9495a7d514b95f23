/** The account's own scans and the day's counters, from the server. */
import { queryClient } from '@athos/app-core/query-client';
import type { AnswerOf } from '@athos/contract/api';
import { queryOptions } from '@tanstack/react-query';
import { client } from './http.ts';
import { asStaff } from './staff.ts';

export type ListedScan = AnswerOf<'scannerScans'>['scans'][number];

const LISTED_COUNT = 30;
const QUERY_KEY = 'scans';

/** The start of the day in this device's time zone. */
export function todayTime(): string {
  const now = new Date();
  return new Date(now.getFullYear(), now.getMonth(), now.getDate()).toISOString();
}

/** `sinceTime` is part of the key, so that a new day starts new counters. */
export const scansQuery = (sinceTime: string) =>
  queryOptions({
    queryKey: [QUERY_KEY, sinceTime],
    queryFn: ({ signal }) => {
      const query = { limit: LISTED_COUNT, since: sinceTime };
      return asStaff(client.call('scannerScans', { query, signal }));
    },
  });

/** Fetches them again, after something was scanned or redeemed. */
export const refreshScans = (): void =>
  void queryClient.invalidateQueries({ queryKey: [QUERY_KEY] });
