/** The door of rate: the price of one ATH in US dollars, its source and its publication. */
import type { Capability, WaitingSource } from '../../capability.ts';
import { dateOf, type Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { registerRateRoutes } from './rate.routes.ts';
import { refusedAction, scheduleAction } from './rate.actions.ts';
import { registerRateConsoleRoutes } from './rate.console.routes.ts';
import { createRateTasks, rateCrontab } from './rate.tasks.ts';
import { rateStats } from './rate-stats.sql.ts';
import { selectQuotableRates } from './rate.sql.ts';
import type {} from './tables.ts';

interface StaleDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly config: { readonly rateMaxAgeMs: number };
}

/** Reports that the source is silent, so that buying will stop or has stopped. */
const staleRate: WaitingSource<StaleDeps> = {
  kind: 'stale_rate',
  permission: 'rate.read',
  async count({ db, clock, config }) {
    const [current] = await selectQuotableRates(db, dateOf(clock));
    const ageMs = clock.nowMs() - (current?.confirmedAt.getTime() ?? 0);
    return { count: ageMs > config.rateMaxAgeMs ? 1 : 0, isAtLeast: false };
  },
};

export { publishRate, startRatePublisher } from './rate-publisher.ts';
export {
  readStoredRate,
  selectCurrentRate,
  selectQuotableRates,
  selectRatesAt,
} from './rate.sql.ts';
export { readWorth } from './worth.ts';

export const rate = {
  stats: rateStats,
  waiting: [staleRate],
  registerRoutes: registerRateRoutes,
  createTasks: createRateTasks,
  registerConsoleRoutes: registerRateConsoleRoutes,
  crontab: rateCrontab,
  actions: [scheduleAction, refusedAction],
} satisfies Capability;
