import { networkFailure, problem, silence } from '../fake-api.ts';
import { press, see, seen, write } from '../steps/acts.ts';
import { giveCamera } from '../steps/staff.ts';
import { statesOf, type ScreenState } from './screen-state.ts';

const enterCodeScreen = statesOf(
  'enter-reward-code',
  { path: '/app/settings/reward-code' },
  {
    empty: { reach: seen('Enter the code to continue.') },
    refused: {
      reach: async (page) => {
        await write(page, 'Reward code', '7K4T-DS21-3SB5-5QDV');
        await press(page, 'Redeem');
        await see(page, 'This is not a reward code.');
      },
    },
    scanning: {
      prepare: (context) => giveCamera(context, 'picture'),
      reach: async (page) => {
        await press(page, 'Scan a reward code');
        await see(page, 'Stop Scanning');
      },
    },
    'camera-denied': {
      prepare: (context) => giveCamera(context, 'denied'),
      reach: async (page) => {
        await press(page, 'Scan a reward code');
        await see(page, 'The camera permission is missing');
      },
    },
  },
);

const redeemScreen = statesOf(
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

export const rewardStates: readonly ScreenState[] = [...redeemScreen, ...enterCodeScreen];
