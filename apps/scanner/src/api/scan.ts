/** Reads what a scanned code holds. Changes nothing, so it may be repeated freely. */
import type { AnswerOf } from '@athos/contract/api';
import type { ErrorCode } from '@athos/contract/errors';
import { ApiError, isTemporary } from '@athos/client/errors';
import { client } from './http.ts';
import { endIfNotStaff } from './staff.ts';

export type Scan = AnswerOf<'scannerScan'>;
export type PurchaseScan = Extract<Scan, { kind: 'purchase' }>;
export type TierScan = Extract<Scan, { kind: 'tier' }>;
export type ScannedItem = PurchaseScan['items'][number];

const ATTEMPTS_MAX = 3;
const PAUSE_MS = 700;

export type ScanOutcome =
  | { readonly kind: 'read'; readonly scan: Scan }
  | { readonly kind: 'refused'; readonly code: ErrorCode | undefined }
  /** No answer came. */
  | { readonly kind: 'lost' }
  /** The session is over; the sign-in screen says why. */
  | { readonly kind: 'ended' };

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function outcomeOf(error: unknown): ScanOutcome {
  if (endIfNotStaff(error)) return { kind: 'ended' };
  if (!(error instanceof ApiError)) return { kind: 'lost' };
  return error.status === 401 ? { kind: 'ended' } : { kind: 'refused', code: error.code };
}

/**
 * Tries up to three times, because a code is valid for only 30 s and the server judges it by the first request that
 * arrives. Rejects only when `signal` aborts.
 */
export async function scanCode(
  payload: string,
  venueId: number,
  signal: AbortSignal,
): Promise<ScanOutcome> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const body = { payload, venue_id: venueId };
      return { kind: 'read', scan: await client.call('scannerScan', { body, signal }) };
    } catch (error) {
      if (signal.aborted) throw error;
      if (attempt === ATTEMPTS_MAX || !isTemporary(error)) return outcomeOf(error);
    }
    await pause(PAUSE_MS);
    signal.throwIfAborted();
  }
}

/** Milliseconds since 1970 by the server's clock, which decides when a code expires. */
export const serverNowMs = (): number => client.serverNowMs();
