/** Tipping through an offer (spec 7). */
import type { ConfirmedIntent } from '@athos/app-core/intents/intent';
import { moveValue, type Outcome } from '@athos/client/outcome';
import { m } from '@athos/messages/messages';
import { toasts } from '@athos/ui/overlays/toast-store';
import { tipAmount, type TipDraft } from '../state/tip-draft.ts';
import { syncBalance } from './balance.ts';
import { refreshHistory } from './history-updates.ts';
import { client } from './http.ts';

/** Sends a tip of whole hundredths of an ATH, refreshes the balance, and shows the toast of spec 8. */
export async function sendTip(
  offerId: number,
  { key, content: tip, isRepeat }: ConfirmedIntent<TipDraft>,
): Promise<Outcome<unknown>> {
  const body = {
    offer_id: offerId,
    amount: String(tipAmount(tip)),
    tip_from: tip.from.trim(),
    note: tip.note.trim(),
  };
  const show = toasts.attempt('tip');
  const outcome = await moveValue(() => client.call('tip', { body, key }), isRepeat);
  if (outcome.status === 'done') {
    show('success', m.marketplace_tip_sent(), 4000);
    void syncBalance();
    void refreshHistory();
  } else {
    show('danger', m.marketplace_tip_failed(), 3000);
  }
  return outcome;
}
