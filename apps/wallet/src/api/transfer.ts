/** Sending tokens to another user (spec 7). */
import type { ConfirmedIntent } from '@athos/app-core/intents/intent';
import { moveValue, type Outcome } from '@athos/client/outcome';
import { NO_UNITS } from '@athos/domain/money';
import { m } from '@athos/messages/messages';
import { toasts } from '@athos/ui/overlays/toast-store';
import { chosenUndoSeconds } from '../state/own-choices.ts';
import { session } from '../state/session.ts';
import { draftAmount, type SendDraft, type Sent } from '../state/send-draft.ts';
import { syncBalance } from './balance.ts';
import { refreshHistory } from './history-updates.ts';
import { noteHold } from './holds.ts';
import { client } from './http.ts';

/**
 * Sends a draft that has an amount, and refreshes the balance. The server decides for how long the send can be undone. On failure shows the
 * toast of spec 8.
 */
export async function sendTokens({
  key,
  content: draft,
  isRepeat,
}: ConfirmedIntent<SendDraft>): Promise<Outcome<Sent>> {
  const { asset, address, met, warned = false } = draft;
  const amountUnits = draftAmount(draft) ?? NO_UNITS;
  const undo = { warned, ...(met !== undefined && { met }) };
  const current = session.get();
  const chosen = current.status === 'signed_in' ? chosenUndoSeconds(current.uuid) : undefined;
  const body = {
    amount: String(amountUnits),
    to_uuid: address,
    asset,
    undo,
    ...(chosen !== undefined && { undo_seconds: chosen }),
  };
  const show = toasts.attempt('transfer');
  const outcome = await moveValue(() => client.call('transfer', { body, key }), isRepeat);
  if (outcome.status !== 'done') {
    show('danger', m.send_failed(), 5000);
    return outcome;
  }
  void syncBalance();
  void refreshHistory();
  const { hold } = outcome.data;
  if (hold === undefined) return { status: 'done', data: {} };
  const { id, post_at: postAt, is_first_time: isFirstTime = false } = hold;
  const held = { id, atMs: Date.parse(postAt) };
  noteHold({ ...held, toUuid: address, asset, amountUnits });
  return { status: 'done', data: { hold: { ...held, isFirstTime } } };
}
