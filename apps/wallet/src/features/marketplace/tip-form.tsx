import { brand, mainToken } from '@athos/brand/brand';
import { m } from '@athos/messages/messages';
import { AmountInput } from '@athos/ui/money/amount-input';
import { Button } from '@athos/ui/primitives/button';
import { Notice } from '@athos/ui/primitives/notice';
import { lazy, Suspense, useState } from 'react';
import type { Offer } from '../../api/offer.ts';
import { tipBlockReason } from './offer-words.ts';
import { useBuyer } from '../../api/buyer.ts';
import { useTip, type TipFlow } from './use-tip.ts';
import { useOfflineReason } from '../../state/offline-reason.ts';

const TipDetailsModal = lazy(async () => ({
  default: (await import('./tip-details-modal.tsx')).TipDetailsModal,
}));

/** Spec 2: the amount of a tip, and the button that opens its details. */
export function TipForm({ offer }: { offer: Offer }) {
  const tip = useTip(offer.id);
  const buyer = useBuyer();
  const offlineReason = useOfflineReason();
  const [wasOpened, setWasOpened] = useState(false);
  const isSending = tip.step === 'sending';
  const failure = failureText(tip.intent);

  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        setWasOpened(true);
        tip.openDetails();
      }}
    >
      <AmountInput
        label={m.marketplace_tip_amount()}
        unit={mainToken.symbol}
        placeholder="?"
        value={tip.draft.amount}
        onValueChange={(amount) => tip.change({ amount })}
        isDisabled={tip.isFrozen}
      />
      <Button
        type="submit"
        isWide
        isPending={isSending}
        disabledReason={offlineReason ?? (tip.isFrozen ? undefined : tipBlockReason(offer, buyer))}
      >
        {isSending ? m.marketplace_tipping() : m.marketplace_tip_now()}
      </Button>
      {failure !== undefined && <Notice kind="danger">{failure}</Notice>}
      {wasOpened && (
        <Suspense>
          <TipDetailsModal offer={offer} tip={tip} balance={buyer.balance} />
        </Suspense>
      )}
    </form>
  );
}

/** The details of a failure, shown until the next attempt or change. The toast only reports that the tip failed. */
function failureText(intent: TipFlow['intent']): string | undefined {
  if (intent.status === 'unknown') return m.marketplace_tip_failed_unknown();
  if (intent.status !== 'refused') return undefined;
  switch (intent.code) {
    case 'insufficient_balance':
      return m.marketplace_tip_failed_balance();
    case 'offer_unavailable':
    case 'not_found':
      return m.marketplace_tip_failed_unavailable();
    case 'terms_not_accepted':
      return m.errors_terms();
    case 'confirmation_required':
      return m.security_confirm_declined();
    case 'stopped':
      return m.marketplace_tip_failed_stopped({ notice: intent.problem?.detail ?? '' });
    case 'account_restricted':
      return m.marketplace_tip_failed_restricted({ address: brand.supportAddress });
    case undefined:
    default:
      return m.marketplace_tip_failed_nothing();
  }
}
