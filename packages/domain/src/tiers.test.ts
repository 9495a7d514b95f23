import { describe, expect, it } from 'vitest';
import { microAth } from './money.ts';
import {
  byAmountDescending,
  currentTier,
  nextTier,
  tierProgressPercent,
  tierShifts,
} from './tiers.ts';

const bronze = { title: 'Bronze', amountMicroAth: microAth(100_000_000n) };
const silver = { title: 'Silver', amountMicroAth: microAth(500_000_000n) };
const gold = { title: 'Gold', amountMicroAth: microAth(2_000_000_000n) };
const tiers = [silver, gold, bronze];

describe('tiers', () => {
  it('[S9-018] sorts by amount descending', () => {
    expect(byAmountDescending(tiers)).toEqual([gold, silver, bronze]);
  });

  it('[S3-021] finds the highest tier whose amount is at most the balance, in micro-units', () => {
    // 99.999999 ATH is shown as 100.00 and is not yet bronze.
    expect(currentTier(tiers, microAth(99_999_999n))).toBeUndefined();
    expect(currentTier(tiers, microAth(100_000_000n))).toBe(bronze);
    expect(currentTier(tiers, microAth(1_999_999_999n))).toBe(silver);
    expect(currentTier(tiers, microAth(9_000_000_000n))).toBe(gold);
    expect(currentTier([], microAth(1n))).toBeUndefined();
  });

  it('finds the lowest tier above the balance', () => {
    expect(nextTier(tiers, microAth(0n))).toBe(bronze);
    expect(nextTier(tiers, microAth(100_000_000n))).toBe(silver);
    expect(nextTier(tiers, microAth(2_000_000_000n))).toBeUndefined();
  });

  it('computes the progress to the next tier', () => {
    expect(tierProgressPercent(tiers, microAth(0n))).toBe(0);
    expect(tierProgressPercent(tiers, microAth(50_000_000n))).toBe(50);
    expect(tierProgressPercent(tiers, microAth(300_000_000n))).toBe(50);
    expect(tierProgressPercent(tiers, microAth(9_000_000_000n))).toBe(100);
    expect(tierProgressPercent([], microAth(1n))).toBe(100);
  });

  it('says who would move when thresholds change', () => {
    const balances = [0n, 99n, 100n, 300n, 499n, 500n, 700n, 5_000n].map((ath) => ath * 1_000_000n);
    const holdersFrom = (amount: bigint) => balances.filter((each) => each >= amount).length;
    const later = [
      { title: 'Bronze', amountMicroAth: microAth(50_000_000n) },
      { title: 'Silver', amountMicroAth: microAth(600_000_000n) },
    ];
    const shifts = tierShifts(tiers, later, holdersFrom);
    expect(
      shifts.map(({ before, after, holderCount }) => [before?.title, after?.title, holderCount]),
    ).toEqual([
      [undefined, undefined, 1],
      [undefined, 'Bronze', 1],
      ['Bronze', 'Bronze', 3],
      ['Silver', 'Bronze', 1],
      ['Silver', 'Silver', 1],
      ['Gold', 'Silver', 1],
    ]);
  });
});
