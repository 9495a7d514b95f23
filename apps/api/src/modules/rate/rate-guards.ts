/**
 * The guard rails of the rate. One wrong rate would sell the programme's tokens for nothing, and people accept a published rate
 * within seconds, so every rate is checked before it is published, whatever its source.
 */
import type { ProgrammeSettings } from '@athos/contract/programme';
import type { Rate } from '@athos/domain/money';

/** The lowest and the highest rate that was in force at some moment of a window of time. */
export interface RateRange {
  readonly lowest: Rate;
  readonly highest: Rate;
}

export interface RateHistory {
  readonly current: Rate;
  readonly lastHour: RateRange;
  readonly lastDay: RateRange;
}

export type GuardRail = 'lowest' | 'highest' | 'step' | 'hour' | 'day';

function isTooFar(rate: Rate, other: Rate, percentMax: bigint): boolean {
  const change = rate > other ? rate - other : other - rate;
  return change * 100n > other * percentMax;
}

const isTooFarFromAny = (rate: Rate, { lowest, highest }: RateRange, percentMax: bigint) =>
  isTooFar(rate, lowest, percentMax) || isTooFar(rate, highest, percentMax);

/**
 * The guard rail that the rate would break. `history` is `undefined` for the first rate of a programme, which has only the lowest
 * and the highest to keep to. A rate that stays changes nothing, so settings that are narrowed around it do not end buying.
 */
export function brokenGuardRail(
  rate: Rate,
  history: RateHistory | undefined,
  settings: ProgrammeSettings,
): GuardRail | undefined {
  if (rate < settings.rateLowest) return 'lowest';
  if (rate > settings.rateHighest) return 'highest';
  if (history === undefined || history.current === rate) return undefined;
  if (isTooFar(rate, history.current, settings.rateStepPercentMax)) return 'step';
  if (isTooFarFromAny(rate, history.lastHour, settings.rateHourPercentMax)) return 'hour';
  if (isTooFarFromAny(rate, history.lastDay, settings.rateDayPercentMax)) return 'day';
  return undefined;
}
