import { z } from 'zod';
import type { Calls } from '../call.ts';
import { timeText, unitsText } from '../values.ts';

export const campaignCalls = {
  redeemReward: {
    method: 'POST',
    path: '/reward/:id/redeem',
    auth: 'user',
    keyed: true,
    needsTerms: true,
    device: true,
    summary: 'Redeem a reward code',
    /** The id is the code as the user typed it. The server decides whether it is well formed (D-041). */
    params: z.object({ id: z.string().min(1) }),
    answer: z
      .object({
        /** The credited amount, in micro-units. */
        amount: unitsText,
        claimed_at: timeText,
      })
      .meta({ id: 'RewardClaim' }),
  },
} as const satisfies Calls;
