/**
 * The guard rails of the rate. One wrong rate would sell the programme's tokens for nothing, and people accept a published rate
 * within seconds, so every rate is checked before it is published, whatever its source.
 */
import type { ProgrammeSettings } from '@athos/contract/programme';
import { divideRoundUp, type Rate } from '@athos/domain/money';

/** The lowest and the highest rate that was in force at any time in a window. */
export interface RateRange {
  readonly lowest: Rate;
  readonly highest: Rate;
}

export interface RateHistory {
  readonly current: Rate;
  /** Whether staff voted for the current rate although it breaks a guard rail. Both ranges begin with such a rate. */
  readonly isByVote: boolean;
  readonly lastHour: RateRange;
  readonly lastDay: RateRange;
}

export type GuardRail = 'lowest' | 'highest' | 'step' | 'hour' | 'day';

const distance = (rate: Rate, other: Rate): bigint => (rate > other ? rate - other : other - rate);

const isTooFar = (rate: Rate, other: Rate, percentMax: bigint): boolean =>
  distance(rate, other) * 100n > other * percentMax;

const isTooFarFromAny = (rate: Rate, { lowest, highest }: RateRange, percentMax: bigint) =>
  isTooFar(rate, lowest, percentMax) || isTooFar(rate, highest, percentMax);

/**
 * The guard rail that the rate would break. `history` is `undefined` for the first rate of a programme, which only has to be between the
 * lowest and the highest. An unchanged rate breaks none, so settings that are narrowed around it do not stop buying, nor does a source
 * that keeps returning a rate for which staff voted.
 */
export function brokenGuardRail(
  rate: Rate,
  history: RateHistory | undefined,
  settings: ProgrammeSettings,
): GuardRail | undefined {
  if (history?.isByVote === true && history.current === rate) return undefined;
  if (rate < settings.rateLowest) return 'lowest';
  if (rate > settings.rateHighest) return 'highest';
  if (history === undefined || history.current === rate) return undefined;
  if (isTooFar(rate, history.current, settings.rateStepPercentMax)) return 'step';
  if (isTooFarFromAny(rate, history.lastHour, settings.rateHourPercentMax)) return 'hour';
  if (isTooFarFromAny(rate, history.lastDay, settings.rateDayPercentMax)) return 'day';
  return undefined;
}

const HUNDREDTHS_OF_PERCENT = 10_000n;

/** The largest change from any of the others to the rate, in hundredths of a per cent, rounded up. */
export function changeFromAny(rate: Rate, others: readonly Rate[]): bigint {
  const changes = others.map((other) =>
    divideRoundUp(distance(rate, other) * HUNDREDTHS_OF_PERCENT, other),
  );
  return changes.reduce((most, change) => (change > most ? change : most), 0n);
}
