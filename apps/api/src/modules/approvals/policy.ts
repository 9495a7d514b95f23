/** Which acts may be done at once, and how many votes the others need (decision 0022). */
import type { ApprovalPolicy } from '@athos/contract/approval-policy';
import type { Action, ActionPreview } from '../../capability.ts';
import type { Sums } from './approvals.sql.ts';

/** Smallest units of `measured` per unit of the policy. */
const UNIT_SCALE = { ATH: 1_000_000, USD: 100, codes: 1, '%': 100 } as const;
const CENTS_PER_USD = 100;

/** Converts exactly: settings have few decimals and stay far below 2^53 smallest units. */
const scaled = (limit: number, unit: Action['unit']): bigint =>
  BigInt(Math.round(limit * UNIT_SCALE[unit]));

/** Returns the number of votes needed; 0 if the policy allows the act at once. */
export function votesNeeded(
  policy: ApprovalPolicy,
  unit: Action['unit'],
  { measured, usdCents, votesMin = 0 }: Pick<ActionPreview, 'measured' | 'usdCents' | 'votesMin'>,
  before: Sums,
): number {
  const limits: readonly [number | undefined, bigint][] = [
    [policy.direct_max, 0n],
    [policy.customer_30_days_max, before.customer],
    [policy.person_day_max, before.person],
  ];
  const isWithin =
    measured !== undefined &&
    policy.direct_max > 0 &&
    limits.every(([limit, sum]) => limit === undefined || sum + measured <= scaled(limit, unit));
  if (isWithin) return votesMin;
  const { two_votes_above_usd: twoAbove } = policy;
  // Without a price the worth is unknown, so the act counts as large. Parts of a large act count together (decision 0027).
  const isLarge =
    twoAbove !== undefined &&
    (usdCents === undefined ||
      before.dayUsdCents + usdCents > BigInt(Math.round(twoAbove * CENTS_PER_USD)));
  return Math.max(policy.votes, votesMin, isLarge ? 2 : 0);
}
