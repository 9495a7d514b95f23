/** The door of rate: what one ATH costs in US dollars, where that comes from and how it is published. */
import type { Capability } from '../../capability.ts';
import { registerRateRoutes } from './rate.routes.ts';
import type {} from './tables.ts';

export { startRatePublisher } from './rate-publisher.ts';
export { readStoredRate, selectQuotableRates } from './rate.sql.ts';

export const rate = { registerRoutes: registerRateRoutes } satisfies Capability;
