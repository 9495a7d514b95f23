/** The door of campaigns: reward campaigns, their codes and claims. */
import type { Capability } from '../../capability.ts';
import { registerCampaignRoutes } from './campaigns.routes.ts';
import { rewardHistory, rewardObjects } from './books.ts';
import type {} from './tables.ts';

export { openCampaign, type CampaignDraft } from './open-campaign.ts';

export const campaigns = {
  registerRoutes: registerCampaignRoutes,
  history: rewardHistory,
  transferObjects: rewardObjects,
} satisfies Capability;
