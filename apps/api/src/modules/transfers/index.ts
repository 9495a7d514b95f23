/** The door of transfers: balances, sends, and `pay`, which moves value in the transaction of other rows. */
import type { Capability, DeletionGuard } from '../../capability.ts';
import { AppError } from '../../platform/errors.ts';
import { hasLive } from './held/held-sends.sql.ts';
import { heldEvents } from './held/live-events.ts';
import { heldObjects } from './held/transfer-rows.ts';
import { sendHistory } from './history.ts';
import { deletePairs } from './held/send-pairs.sql.ts';
import { registerTransferRoutes } from './transfers.routes.ts';
import { createTransferTasks, transfersCrontab } from './transfers.tasks.ts';
import type {} from './tables.ts';

export { presentBalances, readBalances } from './balances.ts';
export { findArrival } from './held/arrival.ts';
export { createHoldSend } from './held/hold-send.ts';
export { selectLive } from './held/held-sends.sql.ts';
export { watchHolds } from './held/late-metric.ts';
export { startPostingHolds } from './held/post-due.ts';
export { selectHeldOfTransfers } from './held/transfer-rows.ts';
export { returnHeldSend } from './held/undo.ts';
export { presentMovement } from './history.ts';
export { pay, refusalError, type RefusalWords } from './pay.ts';
export { PayTogether, type Refused } from './pay-together.ts';

export { createSendCount } from './send-count.ts';
export { createRecipients, sendAsset, type SendDeps } from './send.ts';

/** The amount of a send that has not arrived yet may be returned, and needs an account to return to. */
const requireNoLiveSend: DeletionGuard = async (tx, userId) => {
  if (!(await hasLive(tx, userId))) return;
  const detail = 'Nothing was deleted. Undo the send, or wait a minute until it has arrived.';
  throw new AppError('sends_open', { detail });
};

export const transfers = {
  registerRoutes: registerTransferRoutes,
  history: sendHistory,
  transferObjects: heldObjects,
  liveEvents: heldEvents,
  createTasks: createTransferTasks,
  crontab: transfersCrontab,
  deletionGuard: requireNoLiveSend,
  eraseUser: deletePairs,
} satisfies Capability;
