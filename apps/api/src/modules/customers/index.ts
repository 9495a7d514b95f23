/** The door of customers: the data of a customer across all capabilities, and the acts of staff for a customer. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Capability } from '../../capability.ts';
import { emptyAuditDetails } from '../../platform/audit/audit.sql.ts';
import type { Tx } from '../../platform/database/database.ts';
import { deleteOldSentMails, eraseSentMails } from '../../platform/mail/sent-mails.sql.ts';
import { selectUser } from '../identity/index.ts';
import { registerBulkRoutes } from './bulk/bulk.routes.ts';
import { pruneBulk, runBulk, type BulkJobDeps } from './bulk/run-bulk.ts';
import { registerCustomerActs, type ActDeps } from './acts.routes.ts';
import { registerCustomerRoutes, type CustomerDeps } from './customers.routes.ts';
import { eraseAction, registerErasure, type EraseDeps } from './erase-customer.ts';
import type { TimelineDeps } from './customer-timelines.ts';
import { gatherEvidence } from './gather-evidence.ts';
import { eraseNotes } from './notes.sql.ts';
import { registerHeldSends, type HeldSendDeps } from './held-sends.ts';
import { registerPaletteRoutes } from './palette.routes.ts';
import { registerPublicNameActs } from './public-names.ts';
import { registerRecoveryActs, shortenAction } from './recoveries.ts';
import type {} from './tables.ts';

export { createCustomerTimeline, type TimelineDeps } from './customer-timelines.ts';
export { presentCustomer, presentSummaries, type PresentDeps } from './present-customer.ts';
export { readTimeline } from './timeline.ts';

type TaskDeps = TimelineDeps & BulkJobDeps;
const ofDispute = z.object({ disputeId: z.string() });
const ofRun = z.object({ id: z.string() });

/** After this time, nobody asks whether a mail was sent. */
const MAILS_KEPT_MS = 90 * 24 * 60 * 60_000;

async function eraseUser(tx: Tx, userId: bigint): Promise<void> {
  await eraseNotes(tx, userId);
  await eraseSentMails(tx, userId);
  const user = await selectUser(tx, userId);
  if (user !== undefined) await emptyAuditDetails(tx, [{ type: 'customer', id: user.uuid }]);
}

export const customers = {
  registerConsoleRoutes(
    app: FastifyInstance,
    deps: CustomerDeps & ActDeps & EraseDeps & HeldSendDeps,
  ) {
    registerCustomerRoutes(app, deps);
    registerCustomerActs(app, deps);
    registerErasure(app, deps);
    registerRecoveryActs(app, deps);
    registerPublicNameActs(app, deps);
    registerHeldSends(app, deps);
    registerPaletteRoutes(app, deps);
    registerBulkRoutes(app, deps);
  },
  createTasks: (deps: TaskDeps) => ({
    upkeep: {
      customers_prune: () =>
        deleteOldSentMails(deps.db, new Date(deps.clock.nowMs() - MAILS_KEPT_MS)),
      bulk_run: (payload: unknown) => runBulk(deps, ofRun.parse(payload).id),
      bulk_prune: () => pruneBulk(deps),
      dispute_gather: (payload: unknown) =>
        gatherEvidence(deps, ofDispute.parse(payload).disputeId),
    },
  }),
  crontab: `
37 3 * * * customers_prune ?jobKey=customers_prune&max=3
43 * * * * bulk_prune ?jobKey=bulk_prune&max=3
`,
  eraseUser,
  actions: [eraseAction, shortenAction],
} satisfies Capability<CustomerDeps & ActDeps & EraseDeps & TaskDeps>;
