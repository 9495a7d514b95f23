import { z } from 'zod';
import { timeText, unitsText } from './common.ts';

/** The code is the path id (decisions "API"), as a person typed it: whether it can be one is for the server to say. */
export const rewardCodeParam = z.object({ id: z.string().min(1) });

export const redeemAnswer = z
  .object({
    /** Micro-units credited. */
    amount: unitsText,
    claimed_at: timeText,
  })
  .meta({ id: 'RewardClaim' });
