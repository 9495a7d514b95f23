/** The door of rate: the price of one ATH in US dollars, its source and its publication. */
import type { Capability } from '../../capability.ts';
import { registerRateRoutes } from './rate.routes.ts';
import { createRateTasks, rateCrontab } from './rate.tasks.ts';
import type {} from './tables.ts';

export { startRatePublisher } from './rate-publisher.ts';
export { readStoredRate, selectCurrentRate, selectQuotableRates } from './rate.sql.ts';

export const rate = {
  registerRoutes: registerRateRoutes,
  createTasks: createRateTasks,
  crontab: rateCrontab,
} satisfies Capability;
