/** Tipping through an offer (spec 7). Moves value: never repeated under another key than its own. */
import { ApiError, isOutcomeUnknown, isTurnedAway } from '@athos/client/errors';
import type { MicroAth } from '@athos/domain/money';
import { syncBalance } from './balance.ts';
import { refreshHistory } from './history.ts';
import { client } from './http.ts';

export interface Tip {
  readonly offerId: number;
  /** Above 0, in whole hundredths of an ATH. */
  readonly amount: MicroAth;
  /** Empty: anonymous. */
  readonly from: string;
  readonly note: string;
  /** Of the intent, over all its repeats. */
  readonly key: string;
}

/** Sends it, and asks for the new balance. Throws what the client throws. */
export async function sendTip({ offerId, amount, from, note, key }: Tip): Promise<void> {
  await client.call('tip', {
    body: {
      offer_id: offerId,
      amount: amount.toString(),
      tip_from: from.trim(),
      note: note.trim(),
    },
    key,
  });
  void syncBalance();
  void refreshHistory();
}

/** `unknown`: no answer came, so it may have been sent. The others moved nothing. */
export type TipFailure = 'unknown' | 'balance_too_low' | 'unavailable' | 'refused';

/** What an error of `sendTip` says; of a repeat, what it says of all attempts with its key. */
export function tipFailure(error: unknown, isRepeat: boolean): TipFailure {
  if (isOutcomeUnknown(error) || !(error instanceof ApiError)) return 'unknown';
  if (isRepeat && isTurnedAway(error)) return 'unknown';
  if (error.code === 'insufficient_balance') return 'balance_too_low';
  return error.code === 'offer_unavailable' || error.code === 'not_found'
    ? 'unavailable'
    : 'refused';
}
