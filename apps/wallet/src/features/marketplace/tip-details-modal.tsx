import { mainToken } from '@athos/brand/brand';
import { TIP_FROM_LENGTH_MAX, TIP_NOTE_LENGTH_MAX } from '@athos/domain/cart-limits';
import {
  exactAthText,
  formatAthExact,
  isShownRounded,
  missingOf,
  type MicroAth,
} from '@athos/domain/money';
import { m } from '@athos/messages/messages';
import { AmountInput } from '@athos/ui/money/amount-input';
import { BalanceAfter, BuyMissing } from '@athos/ui/money/balance-after';
import { Button } from '@athos/ui/primitives/button';
import { Dialog } from '@athos/ui/overlays/dialog';
import { TextField } from '@athos/ui/fields/text-field';
import type { Offer } from '../../api/offer.ts';
import { useDisplayRate } from '../../api/rate.ts';
import { paths } from '../../routes/paths.ts';
import type { TipFlow } from './use-tip.ts';
import { tipAmount, type TipDraft } from '../../state/tip-draft.ts';
import { useOfflineReason } from '../../state/offline-reason.ts';

interface TipDetailsModalProps {
  offer: Offer;
  tip: TipFlow;
  balance: MicroAth | undefined;
}

/** Spec 2 'Tip Details'. It cannot be closed while the tip is being sent. */
export function TipDetailsModal({ offer, tip, balance }: TipDetailsModalProps) {
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
      {!isFrozen && <TipBalance offer={offer} amount={tipAmount(draft)} balance={balance} />}
    </Dialog>
  );
}

interface TipBalanceProps {
  offer: Offer;
  amount: MicroAth | undefined;
  balance: MicroAth | undefined;
}

/** The balance left after the tip, or the way to buy the missing ATH. */
function TipBalance({ offer, amount, balance }: TipBalanceProps) {
  const usdPerAth = useDisplayRate();
  if (amount === undefined) return null;
  const missing = balance === undefined ? undefined : missingOf(balance, amount);
  const { symbol } = mainToken;
  return (
    <>
      <BalanceAfter balance={balance} cost={amount} symbol={symbol} />
      {missing !== undefined && (
        <BuyMissing
          missing={missing}
          usdPerAth={usdPerAth}
          symbol={symbol}
          to={paths.buyMissing(exactAthText(missing), paths.offer(offer))}
        />
      )}
    </>
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
