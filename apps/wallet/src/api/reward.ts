/** Claiming a reward code (spec 7). */
import type { ConfirmedIntent } from '@athos/app-core/intents/intent';
import { moveValue, type Outcome } from '@athos/client/outcome';
import { microAth, parseUnits, type MicroAth } from '@athos/domain/money';
import { m } from '@athos/messages/messages';
import { toasts } from '@athos/ui/overlays/toast-store';
import { syncBalance } from './balance.ts';
import { refreshHistory } from './history-updates.ts';
import { client } from './http.ts';

/** Returns the credited amount and refreshes the balance. On failure shows the toast of spec 8. */
export async function claimReward({
  key,
  content: code,
  isRepeat,
}: ConfirmedIntent<string>): Promise<Outcome<MicroAth>> {
  const show = toasts.attempt('redeemReward');
  const outcome = await moveValue(async () => {
    const { amount } = await client.call('redeemReward', { params: { id: code }, key });
    return microAth(parseUnits(amount));
  }, isRepeat);
  if (outcome.status === 'done') {
    void syncBalance();
    void refreshHistory();
  } else {
    show('danger', m.errors_redeem(), 4000);
  }
  return outcome;
}
