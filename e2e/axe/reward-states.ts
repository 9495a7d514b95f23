import type { Page } from '@playwright/test';
import type { State } from './state.ts';

const CODE = '7K4T-DS21-3SB5-5QDT';
const link = { path: `/app/redeem?code=${CODE}` };
const see = (text: string) => (page: Page) => page.getByText(text).waitFor();

export const rewardStates: readonly State[] = [
  {
    name: 'reward/redeemed',
    ...link,
    answers: { redeemReward: { amount: '25000000', claimed_at: '2026-11-21T12:00:00.000Z' } },
    reach: see('Redeemed!'),
  },
  {
    name: 'reward/redeeming',
    ...link,
    answers: { redeemReward: 'silence' },
    reach: see('Redeeming code'),
  },
  {
    name: 'reward/not-valid',
    ...link,
    answers: { redeemReward: { problem: 'invalid_reward_code' } },
    reach: see('This is not a reward code.'),
  },
  {
    name: 'reward/used-up',
    ...link,
    answers: { redeemReward: { problem: 'reward_used_up' } },
    reach: see('This code has been used up.'),
  },
  {
    name: 'reward/unknown',
    ...link,
    answers: { redeemReward: 'lost' },
    reach: async (page) => {
      // The client asks again a second later.
      await page.clock.runFor(1500);
      await see('We do not know yet whether your code was redeemed.')(page);
    },
  },
];
