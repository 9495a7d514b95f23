import { formatAthRoundedUp } from '@athos/domain/money';
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { Dialog } from '@athos/ui/overlays/dialog';
import { SuccessMoment } from '@athos/ui/overlays/success-moment';
import { tokenBrand } from '@athos/ui/money/token-icon';
import { draftAmount, type SendDraft } from '../../state/send-draft.ts';

interface SendSuccessModalProps {
  /** What was sent. The dialog is closed while this is `undefined`. */
  sent: SendDraft | undefined;
  onClose: () => void;
}

/** Spec 2: the amount, 'Successfully sent' and the address. Backdrop, Esc and the button close it. */
export function SendSuccessModal({ sent, onClose }: SendSuccessModalProps) {
  const amount = sent === undefined ? undefined : draftAmount(sent);
  return (
    <Dialog
      isOpen={sent !== undefined}
      onClose={onClose}
      hasCloseButton={false}
      isTitleHidden
      title={m.send_success_title()}
      actions={
        <Button isWide onClick={onClose}>
          {m.common_done()}
        </Button>
      }
    >
      {sent !== undefined && amount !== undefined && (
        <div className="flex flex-col items-center gap-1 text-center">
          <SuccessMoment />
          <p className="amount text-headline">
            {m.send_success_amount({
              amount: formatAthRoundedUp(amount),
              symbol: tokenBrand(sent.asset).symbol,
            })}
          </p>
          <p aria-hidden="true" className="text-lead font-semibold">
            {m.send_success_title()}
          </p>
          <p className="text-caption text-ink-quiet break-all">
            {m.send_success_to({ address: sent.address })}
          </p>
        </div>
      )}
    </Dialog>
  );
}
