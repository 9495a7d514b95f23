/** Sending tokens to another user (spec 7). Moves value: never repeated under another key than its own. */
import { ApiError, isOutcomeUnknown } from '@athos/client/errors';
import type { TokenAsset, Units } from '@athos/domain/money';
import { m } from '@athos/messages/messages';
import { toasts } from '@athos/ui/toast-store';
import { syncBalance } from './balance.ts';
import { refreshHistory } from './history.ts';
import { client } from './http.ts';

export interface Transfer {
  readonly asset: TokenAsset;
  /** In the asset's smallest unit, above 0. */
  readonly amount: Units;
  readonly toUuid: string;
  /** Of the intent, over all its repeats. */
  readonly key: string;
}

/** `unknown`: no answer came, so it may have been sent. The others moved nothing. */
export type SendFailure = 'unknown' | 'no_recipient' | 'balance_too_low' | 'refused';
export type SendOutcome = 'sent' | SendFailure;

function failureOf(error: unknown): SendFailure {
  if (isOutcomeUnknown(error)) return 'unknown';
  if (!(error instanceof ApiError)) return 'unknown';
  if (error.code === 'recipient_not_found') return 'no_recipient';
  if (error.code === 'insufficient_balance') return 'balance_too_low';
  // A fault of the server, or of a proxy before it, says nothing about what was done.
  return error.status >= 500 ? 'unknown' : 'refused';
}

/** Sends, and asks for the new balance. On failure shows the toast of spec 8 and says what is known of it. */
export async function sendTokens({ asset, amount, toUuid, key }: Transfer): Promise<SendOutcome> {
  try {
    await client.call('transfer', {
      body: { amount: amount.toString(), to_uuid: toUuid, asset },
      key,
    });
  } catch (error) {
    toasts.show('danger', m.send_failed(), 5000);
    return failureOf(error);
  }
  void syncBalance();
  void refreshHistory();
  return 'sent';
}
