/** Decisions of staff about the rate: a rate of their own for a later time, or a rate of the source that a guard rail refuses. */
import { z } from 'zod';
import { parseRate, rateText, type Rate } from '@athos/domain/money';
import type { Action } from '../../capability.ts';
import type { RateSource } from '../../config/rate.ts';
import { dateOf, type Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/database/database.ts';
import { AppError, invariant } from '../../platform/errors.ts';
import type { ReadProgramme } from '../../platform/settings/programme-settings.ts';
import { brokenGuardRail, changeFromAny, type RateHistory } from './rate-guards.ts';
import {
  insertScheduledRate,
  selectWaitingRates,
  type ScheduledRate,
} from './rate-schedule.sql.ts';
import { lockPublishing, selectCurrentRate, selectRateHistory, upsertRate } from './rate.sql.ts';

/** Long enough for every wallet to learn of the coming change, and for the person who scheduled it to cancel. */
export const SCHEDULE_AHEAD_MIN_MS = 60_000;
const HOUR_MS = 60 * 60_000;
/** Far more rates than anybody schedules by hand. */
const WAITING_MAX = 100;
const VOTES_BEYOND_GUARD_RAILS = 2;

interface RateActionDeps {
  readonly clock: Clock;
  readonly programme: ReadProgramme;
  readonly config: { readonly rateSource: RateSource };
}

const wanted = z.object({ usd_per_ath: z.string(), in_force_from: z.string() });
export const refusedRate = z.object({
  usd_per_ath: z.string(),
  guard_rail: z.string(),
  source: z.enum(['fixed', 'walk', 'url', 'console']),
});

function storedRate(text: string): Rate {
  const rate = parseRate(text);
  invariant(rate !== undefined, 'only rates are asked for');
  return rate;
}

/** The rate's time, but not earlier than a request made now would allow, in case the votes took longer than the remaining time. */
const timeOf = ({ clock }: RateActionDeps, { in_force_from: at }: z.output<typeof wanted>): Date =>
  new Date(Math.max(Date.parse(at), clock.nowMs() + SCHEDULE_AHEAD_MIN_MS));

/** The largest difference between the rate and every other rate that is or will be in force within an hour of it. */
function changeWithinAnHour(
  { usdPerAth, inForceFrom }: Pick<ScheduledRate, 'usdPerAth' | 'inForceFrom'>,
  { lastHour }: RateHistory,
  waiting: readonly ScheduledRate[],
): bigint {
  const next = waiting
    .filter((other) => other.inForceFrom.getTime() > inForceFrom.getTime())
    .filter((other) => other.inForceFrom.getTime() < inForceFrom.getTime() + HOUR_MS);
  return changeFromAny(usdPerAth, [
    lastHour.lowest,
    lastHour.highest,
    ...next.map((other) => other.usdPerAth),
  ]);
}

/** Judges the rate at its time, taking into account every rate that is scheduled before it. */
async function judge(deps: RateActionDeps, tx: Tx, payload: z.output<typeof wanted>) {
  const usdPerAth = storedRate(payload.usd_per_ath);
  const inForceFrom = timeOf(deps, payload);
  const waiting = await selectWaitingRates(tx);
  if (waiting.length >= WAITING_MAX) throw new AppError('rate_schedule_full');
  const history = await selectRateHistory(tx, inForceFrom, { isWithSchedule: true });
  const guardRail = brokenGuardRail(usdPerAth, history, await deps.programme());
  const measured =
    history === undefined || guardRail !== undefined
      ? undefined
      : changeWithinAnHour({ usdPerAth, inForceFrom }, history, waiting);
  return { usdPerAth, inForceFrom, history, guardRail, measured };
}

const shared = {
  permission: 'rate.set',
  policy: 'ratePolicy',
  subjectType: 'rate',
  unit: '%',
} as const;

export const scheduleAction: Action<RateActionDeps, z.output<typeof wanted>> = {
  ...shared,
  name: 'rate.schedule',
  payload: wanted,
  async lock({ config }, tx) {
    if (config.rateSource.kind !== 'console') throw new AppError('rate_source_elsewhere');
    await lockPublishing(tx);
  },
  async preview(deps, tx, { id, payload }) {
    const { history, guardRail, measured } = await judge(deps, tx, payload);
    const before = history === undefined ? null : { rate: rateText(history.current) };
    return {
      subjectId: id,
      version: JSON.stringify([before, guardRail]),
      ...(measured !== undefined && { measured }),
      ...(guardRail !== undefined && { votesMin: VOTES_BEYOND_GUARD_RAILS }),
      before,
      after: {
        rate: payload.usd_per_ath,
        in_force_from: payload.in_force_from,
        ...(guardRail !== undefined && { guard_rail: guardRail }),
      },
    };
  },
  async execute(deps, tx, { id, payload }) {
    const { usdPerAth, inForceFrom, guardRail } = await judge(deps, tx, payload);
    const isByVote = guardRail !== undefined;
    await insertScheduledRate(tx, { id, usdPerAth, inForceFrom, isByVote });
  },
};

/** Publishes at once a rate that a guard rail has refused. The programme itself requests this. */
export const refusedAction: Action<RateActionDeps, z.output<typeof refusedRate>> = {
  ...shared,
  name: 'rate.publish_refused',
  payload: refusedRate,
  lock: (_deps, tx) => lockPublishing(tx),
  async preview(_deps, tx, { id, payload }) {
    const current = await selectCurrentRate(tx);
    const before = current === undefined ? null : { rate: rateText(current) };
    const { usd_per_ath: rate, ...why } = payload;
    return {
      subjectId: id,
      version: JSON.stringify(before),
      votesMin: VOTES_BEYOND_GUARD_RAILS,
      before,
      after: { rate, ...why },
    };
  },
  async execute({ clock }, tx, { payload }) {
    await upsertRate(tx, storedRate(payload.usd_per_ath), dateOf(clock), { isByVote: true });
  },
};
