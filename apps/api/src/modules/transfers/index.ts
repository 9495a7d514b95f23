/** The door of transfers: balances and sends. */
import type { Capability } from '../../capability.ts';
import { sendHistory } from './history.ts';
import { registerTransferRoutes } from './transfers.routes.ts';

export { presentBalances, readBalances } from './balances.ts';
export { presentMovement } from './history.ts';

export const transfers = {
  registerRoutes: registerTransferRoutes,
  history: sendHistory,
} satisfies Capability;
