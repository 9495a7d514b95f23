/** The door of transfers: balances, sends, and `pay`, which moves value in the transaction of other rows. */
import type { Capability } from '../../capability.ts';
import { sendHistory } from './history.ts';
import { registerTransferRoutes } from './transfers.routes.ts';

export { presentBalances, readBalances } from './balances.ts';
export { presentMovement } from './history.ts';
export { pay, refusalError, type RefusalWords } from './pay.ts';
export { PayTogether, type Refused } from './pay-together.ts';

export { createSendCount } from './send-count.ts';
export { createRecipients, sendAsset, type SendDeps } from './send.ts';

export const transfers = {
  registerRoutes: registerTransferRoutes,
  history: sendHistory,
} satisfies Capability;
