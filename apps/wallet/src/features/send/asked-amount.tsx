import { formatAthExact, parseAth, type TokenAsset, type TokenUnits } from '@athos/domain/money';
import { m } from '@athos/messages/messages';
import { tokenBrand } from '@athos/ui/money/token-icon';
import { toasts } from '@athos/ui/overlays/toast-store';
import { Button } from '@athos/ui/primitives/button';
import { Notice } from '@athos/ui/primitives/notice';
import { useFocusAfter } from '@athos/ui/primitives/use-focus-after';
import { useRef } from 'react';
import { useNavigate } from 'react-router';
import type { AskedFor } from '../../api/recipients.ts';
import { paths } from '../../routes/paths.ts';
import { draftAmount, useSendDraft, type SendDraft } from '../../state/send-draft.ts';
import { useAmountStep } from './use-amount-step.ts';

/** The fields of the draft for what a pay link asks for; empty for any other recipient. */
export const askedFields = (
  pay: AskedFor | undefined,
): Pick<SendDraft, 'asked' | 'askedAmount' | 'askedAsset'> => ({
  asked: pay?.note,
  askedAmount: pay?.amount,
  askedAsset: pay?.amount === undefined ? undefined : pay.asset,
});

interface Asked {
  readonly asset: TokenAsset;
  readonly text: string;
  readonly units: TokenUnits;
}

/** The amount that the pay link asks for, unless it is the one to be sent. */
function otherAmountAsked(draft: SendDraft): Asked | undefined {
  const { askedAmount: text = '', askedAsset: asset } = draft;
  const units = parseAth(text);
  if (asset === undefined || units === undefined) return undefined;
  const isSent = asset === draft.asset && units === draftAmount(draft);
  return isSent ? undefined : { asset, text, units };
}

/** Says that the pay link asks for another amount than the one to be sent, and offers to take it over. */
export function AskedAmount() {
  const { draft } = useSendDraft();
  const asked = otherAmountAsked(draft);
  return asked === undefined ? null : <OtherAmount asked={asked} />;
}

function OtherAmount({ asked: { asset, text, units } }: { asked: Asked }) {
  const step = useAmountStep();
  const navigate = useNavigate();
  const part = useRef<HTMLDivElement>(null);
  // Not to the button that sends, which the second half of a double press would press.
  useFocusAfter(part, () => document.getElementById('content'));
  const words = { amount: formatAthExact(units), symbol: tokenBrand(asset).symbol };

  const handleUse = (): void => {
    if (step.take(asset, text) === undefined) {
      toasts.show('success', m.send_asked_used(words), 3000);
    } else {
      void navigate(paths.send);
    }
  };

  return (
    <div ref={part}>
      <Notice
        kind="info"
        action={
          <Button variant="quiet" isCompact onClick={handleUse}>
            {m.send_asked_use()}
          </Button>
        }
      >
        {m.send_asked_amount(words)}
      </Notice>
    </div>
  );
}
