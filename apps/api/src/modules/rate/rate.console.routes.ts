import type { FastifyInstance } from 'fastify';
import { consoleApi } from '@athos/contract/console/calls';
import type { RateRangeName } from '@athos/contract/console/rate';
import { parseRate, rateText } from '@athos/domain/money';
import type { RateSource } from '../../config/rate.ts';
import { dateOf } from '../../platform/clock.ts';
import { consoleEndpoint, type ConsoleDeps } from '../../platform/console/console-endpoint.ts';
import type { Db } from '../../platform/database/database.ts';
import { AppError, invariant } from '../../platform/errors.ts';
import type { ReadProgramme } from '../../platform/settings/programme-settings.ts';
import { perform, selectOwnRequest, type PerformDeps } from '../approvals/index.ts';
import { endScheduledRate, selectWaitingRates } from './rate-schedule.sql.ts';
import {
  refusedAction,
  refusedRate,
  SCHEDULE_AHEAD_MIN_MS,
  scheduleAction,
} from './rate.actions.ts';
import { lockPublishing, selectRateInForce, selectRateSeries } from './rate.sql.ts';

interface RateConsoleDeps extends ConsoleDeps, PerformDeps {
  readonly db: Db;
  readonly programme: ReadProgramme;
  readonly config: ConsoleDeps['config'] & {
    readonly rateSource: RateSource;
    readonly rateMaxAgeMs: number;
  };
}

const DAY_MS = 24 * 60 * 60_000;
const RANGE_MS: Readonly<Record<RateRangeName, number>> = {
  hour: DAY_MS / 24,
  day: DAY_MS,
  week: 7 * DAY_MS,
  month: 30 * DAY_MS,
  quarter: 90 * DAY_MS,
};
/** The number of points that a chart of usual width can show. */
const SERIES_POINTS = 145;
const SCHEDULE_AHEAD_MAX_MS = 90 * DAY_MS;

async function selectOpenRefusal(db: Db) {
  const last = await selectOwnRequest(db, refusedAction.name);
  if (last?.state !== 'pending') return null;
  return {
    approval_id: last.id,
    usd_per_ath: refusedRate.parse(JSON.parse(last.payload)).usd_per_ath,
    requested_at: last.requested_at.toISOString(),
  };
}

async function presentRate({ db, clock, config, programme }: RateConsoleDeps) {
  const { rateSource: source, rateMaxAgeMs } = config;
  const settings = await programme();
  const current = await selectRateInForce(db);
  const schedule = await selectWaitingRates(db);
  return {
    current:
      current === undefined
        ? null
        : {
            usd_per_ath: rateText(current.usdPerAth),
            in_force_from: current.inForceFrom.toISOString(),
            confirmed_at: current.confirmedAt.toISOString(),
            is_by_vote: current.isByVote,
          },
    is_too_old:
      current === undefined || clock.nowMs() - current.confirmedAt.getTime() > rateMaxAgeMs,
    max_age_seconds: rateMaxAgeMs / 1000,
    source: { kind: source.kind, host: source.kind === 'url' ? new URL(source.url).host : null },
    guard_rails: {
      lowest: rateText(settings.rateLowest),
      highest: rateText(settings.rateHighest),
      step_percent_max: parseInt(settings.rateStepPercentMax.toString(), 10),
      hour_percent_max: parseInt(settings.rateHourPercentMax.toString(), 10),
      day_percent_max: parseInt(settings.rateDayPercentMax.toString(), 10),
    },
    schedule: schedule.map(({ id, usdPerAth, inForceFrom, isByVote }) => ({
      id,
      usd_per_ath: rateText(usdPerAth),
      in_force_from: inForceFrom.toISOString(),
      is_by_vote: isByVote,
    })),
    refused: await selectOpenRefusal(db),
  };
}

export function registerRateConsoleRoutes(app: FastifyInstance, deps: RateConsoleDeps): void {
  const { db, clock } = deps;

  consoleEndpoint(app, deps, consoleApi.rateNow, () => presentRate(deps));

  consoleEndpoint(app, deps, consoleApi.rateSeries, async ({ query }) => {
    const to = dateOf(clock);
    const from = new Date(to.getTime() - RANGE_MS[query.range]);
    const points = await selectRateSeries(db, { from, to, count: SERIES_POINTS });
    return {
      items: points.map(({ at, usdPerAth }) => ({ at: at.toISOString(), usd_per_ath: usdPerAth })),
    };
  });

  consoleEndpoint(app, deps, consoleApi.scheduleRate, ({ body, ...act }) => {
    const aheadMs = Date.parse(body.in_force_from) - clock.nowMs();
    if (aheadMs < SCHEDULE_AHEAD_MIN_MS) throw new AppError('rate_too_soon');
    if (aheadMs > SCHEDULE_AHEAD_MAX_MS) {
      throw new AppError('invalid_request', { detail: 'Schedule it within 90 days.' });
    }
    const usdPerAth = parseRate(body.usd_per_ath);
    invariant(usdPerAth !== undefined, 'the schema takes only rates');
    return perform(deps, act, scheduleAction, {
      payload: { usd_per_ath: rateText(usdPerAth), in_force_from: body.in_force_from },
      reason: body.reason,
    });
  });

  consoleEndpoint(app, deps, consoleApi.cancelRate, async ({ params, body, tx, record }) => {
    await lockPublishing(tx);
    const isEnded = await endScheduledRate(tx, params.id, {
      state: 'cancelled',
      at: dateOf(clock),
    });
    if (!isEnded) throw new AppError('state_changed');
    await record({ subjectId: params.id, after: { state: 'cancelled', reason: body.reason } });
    return { success: true };
  });
}
