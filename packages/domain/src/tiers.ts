import { microAth, type MicroAth } from './money.ts';

/** Far more than anybody can distinguish. */
export const TIER_COUNT_MAX = 12;
/** The title must fit into a badge. */
export const TIER_TITLE_LENGTH_MAX = 40;
export const TIER_NOTE_LENGTH_MAX = 300;

export interface TierThreshold {
  readonly amountMicroAth: MicroAth;
}

/** Spec 9: the tier panel lists tiers by amount, highest first. */
export const byAmountDescending = <T extends TierThreshold>(tiers: readonly T[]): T[] =>
  tiers.toSorted((a, b) =>
    a.amountMicroAth < b.amountMicroAth ? 1 : a.amountMicroAth > b.amountMicroAth ? -1 : 0,
  );

/** Spec 3: the highest tier whose amount is at most the balance, compared in micro-units. */
export const currentTier = <T extends TierThreshold>(
  tiers: readonly T[],
  balance: MicroAth,
): T | undefined => byAmountDescending(tiers).find((tier) => tier.amountMicroAth <= balance);

/** The lowest tier above the balance; `undefined` at the highest. */
export const nextTier = <T extends TierThreshold>(
  tiers: readonly T[],
  balance: MicroAth,
): T | undefined => byAmountDescending(tiers).findLast((tier) => tier.amountMicroAth > balance);

/** Progress of a balance from its tier to the next, in whole percent; 100 at the highest tier. */
export function tierProgressPercent(tiers: readonly TierThreshold[], balance: MicroAth): number {
  const next = nextTier(tiers, balance);
  if (next === undefined) return 100;
  const start = currentTier(tiers, balance)?.amountMicroAth ?? microAth(0n);
  const span = next.amountMicroAth - start;
  return span === 0n ? 100 : parseInt((((balance - start) * 100n) / span).toString(), 10);
}

/** 0 and every threshold, in order. Between two of them, all holders have the same tier. */
export function tierBounds(...ladders: readonly (readonly TierThreshold[])[]): MicroAth[] {
  const thresholds = ladders.flat().map(({ amountMicroAth }) => amountMicroAth);
  return [...new Set([microAth(0n), ...thresholds])].toSorted((a, b) => (a < b ? -1 : 1));
}

/** The number of people who have the tier `before` by one ladder and `after` by the other. */
export interface TierShift<Before, After> {
  readonly before: Before | undefined;
  readonly after: After | undefined;
  readonly holderCount: number;
}

/**
 * Counts holders by their tiers in two ladders. `holdersFrom` returns how many hold an amount or more, and is called only with
 * `tierBounds`.
 */
export function tierShifts<Before extends TierThreshold, After extends TierThreshold>(
  before: readonly Before[],
  after: readonly After[],
  holdersFrom: (amount: MicroAth) => number,
): TierShift<Before, After>[] {
  const bounds = tierBounds(before, after);
  return bounds.map((bound, index) => {
    const next = bounds[index + 1];
    return {
      before: currentTier(before, bound),
      after: currentTier(after, bound),
      holderCount: holdersFrom(bound) - (next === undefined ? 0 : holdersFrom(next)),
    };
  });
}
