/** Sending tokens to another user (spec 7). Moves value: never repeated under another key than its own. */
import { ApiError, isOutcomeUnknown, isTurnedAway } from '@athos/client/errors';
import type { TokenAsset, TokenUnits } from '@athos/domain/money';
import { m } from '@athos/messages/messages';
import { toasts } from '@athos/ui/overlays/toast-store';
import { syncBalance } from './balance.ts';
import { refreshHistory } from './history.ts';
import { client } from './http.ts';

export interface Transfer {
  readonly asset: TokenAsset;
  /** In the asset's smallest unit, above 0. */
  readonly amount: TokenUnits;
  readonly toUuid: string;
  /** Of the intent, over all its repeats. */
  readonly key: string;
  /** It was asked for before, and may have been sent then. */
  readonly isRepeat: boolean;
}

/** `unknown`: no answer came, so it may have been sent. The others moved nothing. */
export type SendFailure = 'unknown' | 'no_recipient' | 'balance_too_low' | 'refused';
export type SendOutcome = 'sent' | SendFailure;

/** What an error says; of a repeat, what it says of all attempts with its key. */
function failureOf(error: unknown, isRepeat: boolean): SendFailure {
  if (isOutcomeUnknown(error) || !(error instanceof ApiError)) return 'unknown';
  if (isRepeat && isTurnedAway(error)) return 'unknown';
  if (error.code === 'recipient_not_found') return 'no_recipient';
  return error.code === 'insufficient_balance' ? 'balance_too_low' : 'refused';
}

/** Sends, and asks for the new balance. On failure shows the toast of spec 8 and says what is known of it. */
export async function sendTokens(transfer: Transfer): Promise<SendOutcome> {
  const { asset, amount, toUuid, key, isRepeat } = transfer;
  try {
    await client.call('transfer', {
      body: { amount: amount.toString(), to_uuid: toUuid, asset },
      key,
    });
  } catch (error) {
    toasts.show('danger', m.send_failed(), 5000);
    return failureOf(error, isRepeat);
  }
  void syncBalance();
  void refreshHistory();
  return 'sent';
}
