/**
 * Claiming reward codes (spec 4). The outcome of a code outlives its screen, so going back and forward does not claim
 * it again. Its key outlives the page, even after success: a claim after a reload is a replay and gets the same
 * response.
 */
import {
  openIntent,
  type IntentPlace,
  type IntentState,
  type IntentStore,
} from '@athos/app-core/intents/intent';
import { storesByName } from '@athos/app-core/stores-by-name';
import { openStored } from '@athos/app-core/stored-value';
import type { MicroAth } from '@athos/domain/money';
import { readRewardCode } from '@athos/domain/reward-code';

/** `data`: the credited amount. */
export type RewardClaim = IntentState<string, MicroAth>;

/** More codes than anyone claims in a short time. Older claims are long settled. */
const KEPT_COUNT_MAX = 20;

/** Returns the code of a link in its canonical spelling; empty without one. */
export function rewardCodeIn(search: string): string {
  const text = (new URLSearchParams(search).get('code') ?? '').trim();
  return readRewardCode(text) ?? text;
}

const SETTLED = 'settled';

/** Without the mark, as in pairs stored by earlier versions of the app, the outcome is unknown. */
type StoredKey = readonly [code: string, key: string, mark?: typeof SETTLED];

const isStoredKey = (entry: unknown): entry is StoredKey =>
  Array.isArray(entry) &&
  typeof entry[0] === 'string' &&
  typeof entry[1] === 'string' &&
  (entry.length === 2 || (entry.length === 3 && entry[2] === SETTLED));

const NONE: readonly StoredKey[] = [];

const parseKeys = (stored: unknown): readonly StoredKey[] | undefined =>
  Array.isArray(stored) ? stored.filter(isStoredKey) : undefined;

function placeOf(userUuid: string, code: string): IntentPlace<string> {
  const keys = openStored({ key: `reward-keys:${userUuid}`, empty: NONE, parse: parseKeys });
  const find = () => keys.read().find(([other]) => other === code);
  return {
    read() {
      const [, key, mark] = find() ?? [];
      return key === undefined ? undefined : { key, content: code, isAsked: mark !== SETTLED };
    },
    write(intent) {
      const key = intent?.key ?? find()?.[1];
      if (key === undefined) return;
      const entry: StoredKey = intent?.isAsked ? [code, key] : [code, key, SETTLED];
      keys.change((stored) =>
        [entry, ...stored.filter(([other]) => other !== code)].slice(0, KEPT_COUNT_MAX),
      );
    },
    isSame: (left, right) => left === right,
  };
}

const claims = storesByName<IntentStore<string, MicroAth>>();

/** The claim of one code by one account. Idle after a page load; the first request learns the known outcome. */
export const rewardClaimOf = (userUuid: string, code: string): IntentStore<string, MicroAth> =>
  claims.of(`${userUuid} ${code}`, () => openIntent(placeOf(userUuid, code)));

export const closeRewardClaims = claims.closeAll;
