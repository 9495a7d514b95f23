/**
 * Redemptions with an unknown outcome, stored so that every retry, even after a reload, sends the same request. Each window of a member of
 * staff has its own intent, because each may serve another guest. Once the outcome is known, the intent is removed: scanning the code again
 * uses a new key.
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

/**
 * The server keeps the response to a key at least this long. After that, a retry is no longer safe, and scanning the code again shows the
 * state.
 */
const KEPT_MS = 12 * 3_600_000;

/** Earlier versions stored one intent per device, regardless of the user. */
const DEVICE_KEY = 'scanner-redeem-intent';
/** Holds a list. Earlier versions stored one intent for all windows of a user. */
const keyOf = (userUuid: string): string => `${DEVICE_KEY}:${userUuid}`;

type StoredIntent = Intent<Redeeming> & { readonly isAsked: true };

type Fields = Partial<Record<keyof Redeeming | 'key' | 'userUuid', unknown>>;

const isNumbers = (value: unknown): value is readonly number[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'number');

function parseIntent(stored: unknown, userUuid: string): StoredIntent | undefined {
  const fields = stored as Fields | null;
  if (fields === null || fields.userUuid !== userUuid) return undefined;
  const { key, payload, venueId, venueName, itemIds, confirmedAtMs } = fields;
  if (typeof key !== 'string' || typeof payload !== 'string') return undefined;
  if (typeof venueId !== 'number' || typeof venueName !== 'string') return undefined;
  if (!isNumbers(itemIds) || typeof confirmedAtMs !== 'number') return undefined;
  if (Date.now() - confirmedAtMs >= KEPT_MS) return undefined;
  return { key, content: { payload, venueId, venueName, itemIds, confirmedAtMs }, isAsked: true };
}

function parseIntents(text: string | null, userUuid: string): readonly StoredIntent[] {
  try {
    return [JSON.parse(text ?? '[]') as unknown]
      .flat()
      .flatMap((stored) => parseIntent(stored, userUuid) ?? []);
  } catch {
    return [];
  }
}

interface RedeemPlace extends IntentPlace<Redeeming> {
  /**
   * Takes over the oldest stored intent, left by a reload or a crash. If its window is still open, both windows send the same request and
   * get the same outcome.
   */
  readonly resume: () => Intent<Redeeming> | undefined;
}

/** The storage place of one window. */
export function redeemPlaceOf(userUuid: string): RedeemPlace {
  let ownKey: string | undefined;
  const readAt = (storageKey: string) => parseIntents(localStore.read(storageKey), userUuid);
  const readAll = () => [...readAt(DEVICE_KEY), ...readAt(keyOf(userUuid))];
  const isOwn = ({ key }: StoredIntent): boolean => key === ownKey;

  function writeAll(intents: readonly StoredIntent[]): void {
    if (readAt(DEVICE_KEY).length > 0) localStore.remove(DEVICE_KEY);
    const stored = intents.map(({ key, content }) => ({ ...content, key, userUuid }));
    if (stored.length === 0) localStore.remove(keyOf(userUuid));
    else localStore.write(keyOf(userUuid), JSON.stringify(stored));
  }

  return {
    resume() {
      const [oldest] = readAll();
      ownKey = oldest?.key;
      return oldest;
    },
    read: () => readAll().find(isOwn),
    write(intent) {
      const others = readAll().filter((stored) => !isOwn(stored));
      ownKey = intent?.isAsked ? intent.key : undefined;
      writeAll(intent?.isAsked ? [...others, { ...intent, isAsked: true }] : others);
    },
    isSame: () => false,
  };
}
