/**
 * Redeeming reward codes (spec 4). What became of a code outlives its screen, so that going back and forth starts nothing
 * again; its key outlives the page, so that a reload is a repeat and is answered as the first time.
 */
import { newIdempotencyKey } from '@athos/client/idempotency-key';
import { localStore } from '@athos/app-core/storage';
import type { MicroAth } from '@athos/domain/money';
import { readRewardCode } from '@athos/domain/reward-code';
import { createValue, type Value } from '@athos/app-core/value';

/** `unknown`: no answer came, so it may have been redeemed. The others credited nothing. */
export type RedemptionFailure =
  | 'unknown'
  | 'not_valid'
  | 'not_running'
  | 'used_up'
  | 'claimed'
  | 'limit_reached'
  | 'too_many'
  | 'refused';

export type RedemptionState =
  /** `failure`: of the last attempt; there was none yet without. */
  | { readonly status: 'idle'; readonly failure?: RedemptionFailure }
  | { readonly status: 'submitting' }
  | { readonly status: 'submitted'; readonly amount: MicroAth };

export interface Redemption extends Value<RedemptionState> {
  /** Of the code and the account, over all repeats. */
  readonly key: string;
}

/** More codes than anybody redeems in a while; older ones are long settled. */
const KEPT_COUNT_MAX = 20;

/** The code of a link in one spelling; empty without one. */
export function rewardCodeIn(search: string): string {
  const text = (new URLSearchParams(search).get('code') ?? '').trim();
  return readRewardCode(text) ?? text;
}

function readKeys(storageKey: string): [code: string, key: string][] {
  try {
    const stored: unknown = JSON.parse(localStore.read(storageKey) ?? '[]');
    if (!Array.isArray(stored)) return [];
    return stored.filter(
      (entry): entry is [string, string] =>
        Array.isArray(entry) &&
        entry.length === 2 &&
        entry.every((part) => typeof part === 'string'),
    );
  } catch {
    return [];
  }
}

function keyOf(userUuid: string, code: string): string {
  const storageKey = `reward-keys:${userUuid}`;
  const keys = readKeys(storageKey);
  const known = keys.find(([other]) => other === code);
  if (known !== undefined) return known[1];
  const key = newIdempotencyKey();
  localStore.write(storageKey, JSON.stringify([[code, key], ...keys].slice(0, KEPT_COUNT_MAX)));
  return key;
}

const open = new Map<string, Redemption>();

/** The redemption of one code by one account. */
export function redemptionOf(userUuid: string, code: string): Redemption {
  const name = `${userUuid}:${code}`;
  const redemption = open.get(name) ?? {
    ...createValue<RedemptionState>({ status: 'idle' }),
    key: keyOf(userUuid, code),
  };
  open.set(name, redemption);
  return redemption;
}

/** Forgets what became of codes, as a reload does. */
export function closeRedemptions(): void {
  open.clear();
}
