/** What may be done at once, and how many votes anything else needs (decision 0022). */
import type { ApprovalPolicy } from '@athos/contract/approval-policy';
import type { Action, ActionPreview } from '../../capability.ts';

/** Smallest units of `measured` per unit of the policy. */
const UNIT_SCALE = { ATH: 1_000_000, USD: 100, codes: 1, '%': 100 } as const;
const CENTS_PER_USD = 100;

interface Before {
  readonly customer: bigint;
  readonly person: bigint;
}

/** Converts exactly: settings have few decimals and stay far below 2^53 smallest units. */
const scaled = (limit: number, unit: Action['unit']): bigint =>
  BigInt(Math.round(limit * UNIT_SCALE[unit]));

/** Returns the number of votes needed; 0 if the policy allows it at once. */
export function votesNeeded(
  policy: ApprovalPolicy,
  unit: Action['unit'],
  { measured, usdCents, votesMin = 0 }: Pick<ActionPreview, 'measured' | 'usdCents' | 'votesMin'>,
  before: Before,
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
  // Without a price the worth is unknown, so treat it as large.
  const isLarge =
    twoAbove !== undefined &&
    (usdCents === undefined || usdCents > BigInt(Math.round(twoAbove * CENTS_PER_USD)));
  return Math.max(policy.votes, votesMin, isLarge ? 2 : 0);
}
