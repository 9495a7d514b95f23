/** Texts that say what each brake stops. */
import type { BrakeName } from '@athos/contract/brakes';
import { m } from '@athos/messages/messages';

export const BRAKE_TITLES: Readonly<Record<BrakeName, () => string>> = {
  buying: m.brakes_buying,
  sending: m.brakes_sending,
  spending: m.brakes_spending,
  redeeming: m.brakes_redeeming,
  rewards: m.brakes_rewards,
};

export const BRAKE_TEXTS: Readonly<Record<BrakeName, () => string>> = {
  buying: m.brakes_buying_text,
  sending: m.brakes_sending_text,
  spending: m.brakes_spending_text,
  redeeming: m.brakes_redeeming_text,
  rewards: m.brakes_rewards_text,
};
