/** The door of campaigns: reward campaigns, their codes and claims. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Capability } from '../../capability.ts';
import { dateOf } from '../../platform/clock.ts';
import { registerBatchConsole, type BatchConsoleDeps } from './batches/batches.console.routes.ts';
import { makeBatchAction } from './batches/make-batch.ts';
import { deleteEndedBatchFiles, runBatch } from './batches/run-batch.ts';
import { runSheet, sheetJob, type RunSheetDeps } from './batches/run-sheet.ts';
import { campaignTransfers, rewardHistory } from './books.ts';
import { registerCampaignConsole, type CampaignConsoleDeps } from './campaigns.console.routes.ts';
import { registerCodeConsole, type CodeConsoleDeps } from './codes/codes.console.routes.ts';
import { deleteEndedLockOuts, deleteLockOutsOf } from './codes/lock-outs.sql.ts';
import { registerCampaignRoutes } from './campaigns.routes.ts';
import { fundAction } from './fund-campaign.ts';
import type {} from './tables.ts';

export { createClaimReward, type ClaimReward } from './claim-reward.ts';
export { selectCampaignTitles } from './campaigns.sql.ts';
export { openCampaign, type CampaignDraft } from './open-campaign.ts';

type ConsoleParts = CampaignConsoleDeps & BatchConsoleDeps & CodeConsoleDeps;

const ofBatch = z.object({ id: z.string() });

export const campaigns = {
  registerRoutes: registerCampaignRoutes,
  registerConsoleRoutes(app: FastifyInstance, deps: ConsoleParts) {
    registerCampaignConsole(app, deps);
    registerBatchConsole(app, deps);
    registerCodeConsole(app, deps);
  },
  createTasks: (deps: RunSheetDeps) => ({
    upkeep: {
      batch_make: (payload: unknown) => runBatch(deps, ofBatch.parse(payload).id),
      batch_sheet: (payload: unknown) => runSheet(deps, sheetJob.parse(payload)),
      batches_delete_ended: () => deleteEndedBatchFiles(deps),
      lock_outs_delete_ended: () => deleteEndedLockOuts(deps.db, dateOf(deps.clock)),
    },
  }),
  crontab: `
2,12,22,32,42,52 * * * * batches_delete_ended ?jobKey=batches_delete_ended&max=3
18 * * * * lock_outs_delete_ended ?jobKey=lock_outs_delete_ended&max=3
`,
  eraseUser: deleteLockOutsOf,
  history: rewardHistory,
  transferObjects: campaignTransfers,
  actions: [fundAction, makeBatchAction],
} satisfies Capability<Parameters<typeof registerCampaignRoutes>[1] & ConsoleParts & RunSheetDeps>;
