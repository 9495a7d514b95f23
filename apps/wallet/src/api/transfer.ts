/** Sending tokens to another user (spec 7). */
import type { ConfirmedIntent } from '@athos/app-core/intents/intent';
import { moveValue, type Outcome } from '@athos/client/outcome';
import { m } from '@athos/messages/messages';
import { toasts } from '@athos/ui/overlays/toast-store';
import { draftAmount, type SendDraft } from '../state/send-draft.ts';
import { syncBalance } from './balance.ts';
import { refreshHistory } from './history.ts';
import { client } from './http.ts';

/**
 * Whether somebody can receive at this address. Without an answer it says yes, because the send asks again: it is refused
 * and moves nothing if nobody is there.
 */
export async function canReceive(address: string): Promise<boolean> {
  try {
    const { exists } = await client.call('recipient', { body: { text: address } });
    return exists;
  } catch {
    return true;
  }
}

/** Sends a draft that has an amount, and refreshes the balance. On failure shows the toast of spec 8. */
export async function sendTokens({
  key,
  content: draft,
  isRepeat,
}: ConfirmedIntent<SendDraft>): Promise<Outcome<unknown>> {
  const { asset, address } = draft;
  const body = { amount: String(draftAmount(draft)), to_uuid: address, asset };
  const show = toasts.attempt('transfer');
  const outcome = await moveValue(() => client.call('transfer', { body, key }), isRepeat);
  if (outcome.status === 'done') {
    void syncBalance();
    void refreshHistory();
  } else {
    show('danger', m.send_failed(), 5000);
  }
  return outcome;
}
