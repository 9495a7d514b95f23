/** Redeeming a reward code (spec 7). Moves value: never repeated under another key than its own. */
import { ApiError, isOutcomeUnknown, isTurnedAway } from '@athos/client/errors';
import type { ErrorCode } from '@athos/contract/errors';
import { microAth, parseUnits, type MicroAth } from '@athos/domain/money';
import type { RedemptionFailure } from '../state/redemption.ts';
import { syncBalance } from './balance.ts';
import { refreshHistory } from './history.ts';
import { client } from './http.ts';

/** Redeems it, and asks for the new balance. Answers what was credited. Throws what the client throws. */
export async function redeemReward(code: string, key: string): Promise<MicroAth> {
  const { amount } = await client.call('redeemReward', { params: { id: code }, key });
  void syncBalance();
  void refreshHistory();
  return microAth(parseUnits(amount));
}

const FAILURES: Partial<Record<ErrorCode, RedemptionFailure>> = {
  invalid_reward_code: 'not_valid',
  // Of an address that is too long for any code.
  not_found: 'not_valid',
  reward_not_running: 'not_running',
  reward_used_up: 'used_up',
  reward_claimed: 'claimed',
  reward_limit_reached: 'limit_reached',
  too_many_attempts: 'too_many',
};

/** What an error of `redeemReward` says; of a repeat, what it says of all attempts with its key. */
export function redemptionFailure(error: unknown, isRepeat: boolean): RedemptionFailure {
  if (isOutcomeUnknown(error) || !(error instanceof ApiError)) return 'unknown';
  if (isRepeat && isTurnedAway(error)) return 'unknown';
  return (error.code === undefined ? undefined : FAILURES[error.code]) ?? 'refused';
}
