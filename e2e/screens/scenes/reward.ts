import type { Answers } from '../answers.ts';
import { see } from '../acts.ts';
import { scenesOf } from '../scene.ts';
import type { Stage } from '../stage.ts';

const redeemed =
  (answer: NonNullable<Answers['redeemReward']>, text: string) => async (stage: Stage) =>
    see(
      await stage.member('/app/redeem?code=7K4T-DS21-3SB5-5QDT', {
        answers: { redeemReward: answer },
      }),
      text,
    );

export const rewardScenes = scenesOf('redeem reward', {
  redeeming: redeemed('never', 'Redeeming code'),
  redeemed: redeemed(
    { amount: '25000000', claimed_at: '2026-11-20T12:00:00.000Z' },
    'Your account has been credited',
  ),
  'not a code': redeemed({ problem: 'invalid_reward_code' }, 'This is not a reward code.'),
  'used up': redeemed({ problem: 'reward_used_up' }, 'This code has been used up.'),
});
