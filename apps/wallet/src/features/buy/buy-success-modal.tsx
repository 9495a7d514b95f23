import { mainToken } from '@athos/brand/brand';
import { formatAthRoundedUp } from '@athos/domain/money';
import { m } from '@athos/messages/messages';
import { Button, ButtonLink } from '@athos/ui/primitives/button';
import { Dialog } from '@athos/ui/overlays/dialog';
import { richText } from '@athos/ui/text/rich-text';
import { SuccessMoment } from '@athos/ui/overlays/success-moment';
import type { Quote } from '../../state/card-order.ts';

export interface WayBack {
  readonly to: string;
  readonly label: string;
}

interface BuySuccessModalProps {
  /** The completed purchase. The dialog is closed while this is `undefined`. */
  bought: Quote | undefined;
  /** Leads back to the purchase that lacked ATH. */
  wayBack: WayBack | undefined;
  onClose: () => void;
}

/** Spec 4: '{amount} ATH Successfully purchased'. Backdrop, Esc and the button close it. */
export function BuySuccessModal({ bought, wayBack, onClose }: BuySuccessModalProps) {
  return (
    <Dialog
      isOpen={bought !== undefined}
      onClose={onClose}
      hasCloseButton={false}
      isTitleHidden
      title={m.buy_success_title()}
      actions={
        <>
          <Button variant={wayBack === undefined ? 'primary' : 'quiet'} isWide onClick={onClose}>
            {m.buy_success_close()}
          </Button>
          {wayBack !== undefined && (
            <ButtonLink to={wayBack.to} isWide>
              {wayBack.label}
            </ButtonLink>
          )}
        </>
      }
    >
      {bought !== undefined && (
        <div className="flex flex-col items-center gap-3 text-center">
          <SuccessMoment />
          <p className="text-lead font-semibold text-balance">
            {richText(m.buy_success_text, {
              amount: (
                <span className="amount text-headline">
                  {formatAthRoundedUp(bought.amountMicroAth)}
                </span>
              ),
              symbol: (
                <>
                  <span className="amount text-headline">{mainToken.symbol}</span>
                  <br />
                </>
              ),
            })}
          </p>
        </div>
      )}
    </Dialog>
  );
}
