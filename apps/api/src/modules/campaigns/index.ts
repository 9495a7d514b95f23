/** The door of campaigns: reward campaigns, their codes and claims. */
import type { Capability } from '../../capability.ts';
import { campaignTransfers, rewardHistory } from './books.ts';
import { registerCampaignConsole, type CampaignConsoleDeps } from './campaigns.console.routes.ts';
import { registerCampaignRoutes } from './campaigns.routes.ts';
import { fundAction } from './fund-campaign.ts';
import type {} from './tables.ts';

export { openCampaign, type CampaignDraft } from './open-campaign.ts';

export const campaigns = {
  registerRoutes: registerCampaignRoutes,
  registerConsoleRoutes: registerCampaignConsole,
  history: rewardHistory,
  transferObjects: campaignTransfers,
  actions: [fundAction],
} satisfies Capability<Parameters<typeof registerCampaignRoutes>[1] & CampaignConsoleDeps>;
