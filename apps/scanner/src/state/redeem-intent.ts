/**
 * A redemption with an unknown outcome, stored so that every retry, even after a reload, sends the same request. Each
 * member of staff has one on this device. Once the outcome is known nothing is kept: scanning the code again uses a new
 * key.
 */
import type { ConfirmedIntent, Intent, IntentPlace } from '@athos/app-core/intents/intent';
import { localStore } from '@athos/app-core/storage';

export interface Redeeming {
  readonly payload: string;
  readonly venueId: number;
  readonly venueName: string;
  readonly itemIds: readonly number[];
  readonly confirmedAtMs: number;
}

export type RedeemIntent = ConfirmedIntent<Redeeming>;

/** The server keeps the response to a key at least this long. After that, scanning the code again says more. */
const KEPT_MS = 12 * 3_600_000;

/** Earlier versions stored one intent for the device, whichever user it belonged to. */
const DEVICE_KEY = 'scanner-redeem-intent';
const keyOf = (userUuid: string): string => `${DEVICE_KEY}:${userUuid}`;

type Fields = Partial<Record<keyof Redeeming | 'key' | 'userUuid', unknown>>;

const isNumbers = (value: unknown): value is readonly number[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'number');

function parseIntent(text: string | null, userUuid: string): Intent<Redeeming> | undefined {
  try {
    const fields = JSON.parse(text ?? 'null') as Fields | null;
    if (fields === null || fields.userUuid !== userUuid) return undefined;
    const { key, payload, venueId, venueName, itemIds, confirmedAtMs } = fields;
    if (typeof key !== 'string' || typeof payload !== 'string') return undefined;
    if (typeof venueId !== 'number' || typeof venueName !== 'string') return undefined;
    if (!isNumbers(itemIds) || typeof confirmedAtMs !== 'number') return undefined;
    if (Date.now() - confirmedAtMs >= KEPT_MS) return undefined;
    return { key, content: { payload, venueId, venueName, itemIds, confirmedAtMs }, isAsked: true };
  } catch {
    return undefined;
  }
}

export function redeemPlaceOf(userUuid: string): IntentPlace<Redeeming> {
  const readAt = (storageKey: string) => parseIntent(localStore.read(storageKey), userUuid);
  return {
    read: () => readAt(keyOf(userUuid)) ?? readAt(DEVICE_KEY),
    write(intent) {
      if (readAt(DEVICE_KEY) !== undefined) localStore.remove(DEVICE_KEY);
      const { key, content, isAsked } = intent ?? { isAsked: false };
      if (isAsked) localStore.write(keyOf(userUuid), JSON.stringify({ ...content, key, userUuid }));
      else localStore.remove(keyOf(userUuid));
    },
    isSame: () => false,
  };
}
