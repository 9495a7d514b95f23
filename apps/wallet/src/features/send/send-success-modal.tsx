import { formatAthRoundedUp } from '@athos/domain/money';
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { Dialog } from '@athos/ui/overlays/dialog';
import { SuccessMoment } from '@athos/ui/overlays/success-moment';
import { tokenBrand } from '@athos/ui/money/token-icon';
import { useFocusAfter } from '@athos/ui/primitives/use-focus-after';
import { useRef, type RefObject } from 'react';
import { useHolds, type Hold } from '../../api/holds.ts';
import { useUndo } from '../../api/undo.ts';
import { draftAmount, type SendDraft, type Sent } from '../../state/send-draft.ts';

interface SendSuccessModalProps {
  /** The completed send. The dialog is closed while this is `undefined`. */
  sent: SendDraft | undefined;
  /** `undefined` if the amount has arrived. */
  hold: Sent['hold'];
  onClose: () => void;
}

/**
 * Spec 2: the amount, 'Successfully sent' and the address, and until the amount arrives the way to undo it. Backdrop, Esc and the button
 * close it.
 */
export function SendSuccessModal({ sent, hold, onClose }: SendSuccessModalProps) {
  const done = useRef<HTMLButtonElement>(null);
  const amount = sent === undefined ? undefined : draftAmount(sent);
  return (
    <Dialog
      isOpen={sent !== undefined}
      onClose={onClose}
      hasCloseButton={false}
      // Not 'Undo', which a second press of Enter would trigger.
      focusFirst={done}
      isTitleHidden
      title={m.send_success_title()}
      actions={
        <Button ref={done} isWide onClick={onClose}>
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
          {hold !== undefined && (
            <WayBack
              holdId={hold.id}
              // A sender who was warned already knows.
              saysFirstTime={hold.isFirstTime && sent.warned !== true}
              onBack={onClose}
              nextRef={done}
            />
          )}
        </div>
      )}
    </Dialog>
  );
}

interface WayBackProps {
  holdId: string;
  /** Whether to say that it is the first send to this account, because no warning has said so before. */
  saysFirstTime: boolean;
  onBack: () => void;
  nextRef: RefObject<HTMLElement | null>;
}

/** A countdown to the arrival, with 'Undo'. */
function WayBack({ holdId, ...props }: WayBackProps) {
  const hold = useHolds()?.sent.find(({ id }) => id === holdId);
  return hold && <Undo hold={hold} {...props} />;
}

function Undo({
  hold,
  saysFirstTime,
  onBack,
  nextRef,
}: { hold: Hold } & Omit<WayBackProps, 'holdId'>) {
  const box = useRef<HTMLDivElement>(null);
  const { arrives, undo, isUndoing, offlineReason } = useUndo(hold);
  useFocusAfter(box, () => nextRef.current);
  const handleUndo = async (): Promise<void> => {
    if (await undo()) onBack();
    // The disabled button has lost the focus.
    else nextRef.current?.focus();
  };
  return (
    <div ref={box} className="flex flex-col items-center gap-2 pt-3">
      {saysFirstTime && <p className="text-body">{m.send_first_time()}</p>}
      <p role="timer" aria-live="off" className="text-body tabular">
        {arrives}
      </p>
      <Button
        variant="quiet"
        isPending={isUndoing}
        disabledReason={offlineReason}
        onClick={() => void handleUndo()}
      >
        {m.send_undo()}
      </Button>
    </div>
  );
}
