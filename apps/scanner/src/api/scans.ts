/** The account's own scans and the counters of the day, as the server has them. */
import { queryClient } from '@athos/app-core/query-client';
import type { AnswerOf } from '@athos/contract/api';
import { queryOptions } from '@tanstack/react-query';
import { client } from './http.ts';
import { endIfNotStaff } from './staff.ts';

export type ListedScan = AnswerOf<'scannerScans'>['scans'][number];

const LISTED_COUNT = 30;
const QUERY_KEY = 'scans';

/** When the day began where this device is. */
export function todayTime(): string {
  const now = new Date();
  return new Date(now.getFullYear(), now.getMonth(), now.getDate()).toISOString();
}

/** `sinceTime` is part of the key: after midnight another day is counted. */
export const scansQuery = (sinceTime: string) =>
  queryOptions({
    queryKey: [QUERY_KEY, sinceTime],
    queryFn: async ({ signal }) => {
      try {
        const query = { limit: LISTED_COUNT, since: sinceTime };
        return await client.call('scannerScans', { query, signal });
      } catch (error) {
        endIfNotStaff(error);
        throw error;
      }
    },
  });

/** After something was scanned or redeemed. */
export const refreshScans = (): void =>
  void queryClient.invalidateQueries({ queryKey: [QUERY_KEY] });
