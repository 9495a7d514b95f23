/** The door of transfers: balances and sends. */
import type { Capability } from '../../capability.ts';
import { registerTransferRoutes } from './transfers.routes.ts';

export const transfers = { registerRoutes: registerTransferRoutes } satisfies Capability;
