/** The door of health: whether this process answers and reaches the database. */
import type { Capability } from '../../capability.ts';
import { registerHealthRoutes } from './health.routes.ts';

export const health = { registerRoutes: registerHealthRoutes } satisfies Capability;
