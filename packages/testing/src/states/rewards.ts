import { networkFailure, problem, silence } from '../fake-api.ts';
import { see, seen } from '../steps/acts.ts';
import { statesOf } from './screen-state.ts';

export const rewardStates = statesOf(
  'redeem-reward',
  { path: '/app/redeem?code=7K4T-DS21-3SB5-5QDT' },
  {
    redeemed: {
      answers: {
        redeemReward: () => ({ amount: '25000000', claimed_at: '2026-11-21T12:00:00.000Z' }),
      },
      reach: seen('Redeemed!'),
    },
    redeeming: { answers: { redeemReward: silence }, reach: seen('Redeeming code') },
    'not-a-code': {
      answers: { redeemReward: () => problem('invalid_reward_code') },
      reach: seen('This is not a reward code.'),
    },
    'used-up': {
      answers: { redeemReward: () => problem('reward_used_up') },
      reach: seen('This code has been used up.'),
    },
    'outcome-unknown': {
      answers: { redeemReward: networkFailure },
      reach: async (page) => {
        // The client retries the call after a second.
        await page.clock.runFor(1500);
        await see(page, 'We do not know yet whether your code was redeemed.');
      },
    },
  },
);
