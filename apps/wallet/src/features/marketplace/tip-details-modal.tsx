import { mainToken } from '@athos/brand/brand';
import { TIP_FROM_LENGTH_MAX, TIP_NOTE_LENGTH_MAX } from '@athos/domain/cart-limits';
import { formatAthExact, isShownRounded, type MicroAth } from '@athos/domain/money';
import { m } from '@athos/messages/messages';
import { AmountInput } from '@athos/ui/money/amount-input';
import { Button } from '@athos/ui/primitives/button';
import { Dialog } from '@athos/ui/overlays/dialog';
import { TextField } from '@athos/ui/fields/text-field';
import type { TipFlow } from './use-tip.ts';
import { tipAmount, type TipDraft } from '../../state/tip-draft.ts';
import { useOfflineReason } from '../../state/offline-reason.ts';

/** Spec 2 'Tip Details'. It cannot be closed while the tip is being sent. */
export function TipDetailsModal({ tip, balance }: { tip: TipFlow; balance: MicroAth | undefined }) {
  const { draft, isFrozen } = tip;
  const offlineReason = useOfflineReason();
  const isSending = tip.step === 'sending';
  return (
    <Dialog
      isOpen={tip.step !== 'idle'}
      onClose={isSending ? undefined : tip.cancel}
      hasCloseButton={false}
      title={m.marketplace_tip_details()}
      actions={
        <>
          <Button variant="quiet" isWide isDisabled={isSending} onClick={tip.cancel}>
            {m.common_cancel()}
          </Button>
          <Button
            isWide
            isPending={isSending}
            disabledReason={offlineReason ?? (isFrozen ? undefined : tipReason(draft, balance))}
            onClick={tip.send}
          >
            {m.marketplace_tip_send()}
          </Button>
        </>
      }
    >
      <AmountInput
        label={m.common_amount()}
        unit={mainToken.symbol}
        placeholder="?"
        value={draft.amount}
        onValueChange={(amount) => tip.change({ amount })}
        isDisabled={isFrozen}
      />
      <TextField
        label={m.marketplace_tip_from()}
        placeholder={m.marketplace_tip_from_placeholder()}
        maxLength={TIP_FROM_LENGTH_MAX}
        value={draft.from}
        onValueChange={(from) => tip.change({ from })}
        readOnly={isFrozen}
      />
      <TextField
        label={m.marketplace_tip_note()}
        maxLength={TIP_NOTE_LENGTH_MAX}
        value={draft.note}
        onValueChange={(note) => tip.change({ note })}
        readOnly={isFrozen}
      />
    </Dialog>
  );
}

/** Why the tip cannot be sent; `undefined` if it can, or if its amount is missing, which is reported on sending. */
function tipReason(draft: TipDraft, balance: MicroAth | undefined): string | undefined {
  const amount = tipAmount(draft);
  if (amount === undefined) return undefined;
  // D-179: a tip is a whole number of hundredths.
  if (isShownRounded(amount)) return m.marketplace_tip_decimals();
  if (balance === undefined) return m.marketplace_reason_balance_unknown();
  if (amount <= balance) return undefined;
  return m.marketplace_reason_tip_balance({
    balance: formatAthExact(balance),
    symbol: mainToken.symbol,
  });
}
