/**
 * What is being redeemed, with the key under which it happens once. Kept over repeats and reloads, so that whoever asks
 * again asks for the same thing (decisions "API": an intent keeps its key until it succeeds or its content changes).
 */
import { localStore } from '@athos/app-core/storage';

export interface RedeemIntent {
  readonly key: string;
  readonly payload: string;
  readonly venueId: number;
  readonly venueName: string;
  readonly itemIds: readonly number[];
  readonly userUuid: string;
  readonly confirmedAtMs: number;
}

const STORAGE_KEY = 'scanner-redeem-intent';
/** The server keeps the answer to a key at least this long; later, scanning anew tells more. */
const KEPT_MS = 12 * 3_600_000;

export const keepIntent = (intent: RedeemIntent): void =>
  localStore.write(STORAGE_KEY, JSON.stringify(intent));

export const dropIntent = (): void => localStore.remove(STORAGE_KEY);

/** The intent of this user whose outcome was never learnt. */
export function keptIntent(userUuid: string): RedeemIntent | undefined {
  try {
    const stored = JSON.parse(localStore.read(STORAGE_KEY) ?? 'null') as RedeemIntent | null;
    if (stored === null || stored.userUuid !== userUuid) return undefined;
    return Date.now() - stored.confirmedAtMs < KEPT_MS ? stored : undefined;
  } catch {
    return undefined;
  }
}
