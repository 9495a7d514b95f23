/** Reads what a scanned code holds. Changes nothing, so it may be repeated freely. */
import type { AnswerOf } from '@athos/contract/api';
import { isTemporary } from '@athos/client/errors';
import { outcomeOfError, type Outcome } from '@athos/client/outcome';
import { pause } from '@athos/client/pause';
import { client } from './http.ts';
import { asStaff } from './staff.ts';

export type Scan = AnswerOf<'scannerScan'>;
export type PurchaseScan = Extract<Scan, { kind: 'purchase' }>;
export type TierScan = Extract<Scan, { kind: 'tier' }>;
export type ScannedItem = PurchaseScan['items'][number];

const ATTEMPTS_MAX = 3;
const PAUSE_MS = 700;

/**
 * Tries up to three times, because a code is valid for only 30 s and the server judges it by the first request that
 * arrives. Rejects only when `signal` aborts.
 */
export async function scanCode(
  payload: string,
  venueId: number,
  signal: AbortSignal,
): Promise<Outcome<Scan>> {
  const body = { payload, venue_id: venueId };
  for (let attempt = 1; ; attempt += 1) {
    try {
      const data = await asStaff(client.call('scannerScan', { body, signal }));
      return { status: 'done', data };
    } catch (error) {
      signal.throwIfAborted();
      if (attempt === ATTEMPTS_MAX || !isTemporary(error)) return outcomeOfError(error, false);
    }
    await pause(PAUSE_MS, signal);
    signal.throwIfAborted();
  }
}

/** Milliseconds since 1970 by the server's clock, which decides when a code expires. */
export const serverNowMs = (): number => client.serverNowMs();
