/** Computes which customers would change tier, from the number of holders of each threshold or more. */
import type { MicroAth } from '@athos/domain/money';
import { tierBounds, tierShifts } from '@athos/domain/tiers';
import { m } from '@athos/messages/messages';
import type { AdminAnswer } from '../../api/call.ts';
import type { ShownTier } from './tier-draft.ts';

export type Holders = AdminAnswer<'tierHolders'>;

/** The amounts that a comparison of both needs, as a parameter of the call. */
export const amountsOf = (before: readonly ShownTier[], after: readonly ShownTier[]): string =>
  tierBounds(before, after).join(',');

export interface TierCount {
  readonly tier: ShownTier | undefined;
  readonly isRemoved: boolean;
  readonly now: number;
  readonly after: number;
}

export interface Move {
  readonly from: ShownTier | undefined;
  readonly to: ShownTier | undefined;
  readonly count: number;
}

export interface Comparison {
  /** The new tiers, highest first, then removed ones, then customers without a tier. */
  readonly counts: readonly TierCount[];
  readonly moves: readonly Move[];
  readonly movedCount: number;
  readonly isExact: boolean;
}

export function compareTiers(
  before: readonly ShownTier[],
  after: readonly ShownTier[],
  { items }: Holders,
): Comparison {
  const holders = new Map(items.map(({ amount, count }) => [amount, count]));
  const shifts = tierShifts(
    before,
    after,
    (amount: MicroAth) => holders.get(amount.toString()) ?? 0,
  );
  const sumOf = (side: 'before' | 'after', id: number | undefined): number =>
    shifts
      .filter((shift) => shift[side]?.id === id)
      .reduce((sum, { holderCount }) => sum + holderCount, 0);
  const removed = before.filter(({ id }) => !after.some((tier) => tier.id === id));
  const countsOf = (tier: ShownTier | undefined, isRemoved: boolean): TierCount => ({
    tier,
    isRemoved,
    now: sumOf('before', tier?.id),
    after: sumOf('after', tier?.id),
  });
  const moves = Map.groupBy(
    shifts.filter((shift) => shift.before?.id !== shift.after?.id && shift.holderCount > 0),
    (shift) => `${shift.before?.id ?? ''} ${shift.after?.id ?? ''}`,
  )
    .values()
    .toArray()
    .flatMap((same) => {
      const [first] = same;
      const count = same.reduce((sum, { holderCount }) => sum + holderCount, 0);
      return first === undefined ? [] : { from: first.before, to: first.after, count };
    });
  return {
    counts: [
      ...after.map((tier) => countsOf(tier, false)),
      ...removed.map((tier) => countsOf(tier, true)),
      countsOf(undefined, false),
    ],
    moves,
    movedCount: moves.reduce((sum, { count }) => sum + count, 0),
    isExact: items.every(({ isExact }) => isExact),
  };
}

const figures = (count: number): string => count.toLocaleString('en-US');

/** `1,204`, or `about 1,204` if a threshold lies between two counted amounts. */
export const countText = (count: number, isExact: boolean): string =>
  isExact ? figures(count) : m.ladder_about({ count: figures(count) });

/** `+12`, `−12` or an empty text. */
export function changeText({ now, after }: TierCount): string {
  if (now === after) return '';
  return `${after > now ? '+' : '−'}${figures(Math.abs(after - now))}`;
}

export const tierName = (tier: ShownTier | undefined): string => tier?.title ?? m.ladder_no_tier();
