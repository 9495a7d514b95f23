/** The door of receipts: the seals over the journal, in addition to the ledger's chain, and proofs that customers can check themselves. */
import type { Capability } from '../../capability.ts';
import { registerReceiptRoutes, type ReceiptDeps } from './receipts.routes.ts';
import { createReceiptTasks, receiptCrontab } from './receipts.tasks.ts';
import { selectDays } from './seals.sql.ts';
import { eraseShares } from './shares.sql.ts';
import type {} from './tables.ts';

export { createSaltKeys } from './leaf.ts';
export { makeReceipt, ownView } from './make-receipt.ts';
export { selectDays };
export { sealNext } from './seal-journal.ts';
export { createSealRound, startSealing, watchSeals } from './sealing.ts';
export { verifySeals, type SealReport } from './verify-seals.ts';

export const receipts = {
  registerRoutes: registerReceiptRoutes,
  createTasks: createReceiptTasks,
  crontab: receiptCrontab,
  readHead: async (db) => (await selectDays(db, { limit: 1 }))[0],
  eraseUser: eraseShares,
} satisfies Capability<ReceiptDeps>;
