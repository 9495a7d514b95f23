import { mainToken } from '@athos/brand/brand';
import { m } from '@athos/messages/messages';
import { AmountInput } from '@athos/ui/money/amount-input';
import { Button } from '@athos/ui/primitives/button';
import { Notice } from '@athos/ui/primitives/notice';
import { lazy, Suspense, useState } from 'react';
import type { Offer } from '../../api/offer.ts';
import type { TipFailure } from '../../api/tip.ts';
import { tipBlockReason } from './offer-words.ts';
import { useBuyer } from '../../api/buyer.ts';
import { useTip } from './use-tip.ts';
import { useOfflineReason } from '../../state/offline-reason.ts';

const TipDetailsModal = lazy(async () => ({
  default: (await import('./tip-details-modal.tsx')).TipDetailsModal,
}));

/** Spec 2: how much to tip, and the way to its details. */
export function TipForm({ offer }: { offer: Offer }) {
  const tip = useTip(offer.id);
  const buyer = useBuyer();
  const offlineReason = useOfflineReason();
  const [wasOpened, setWasOpened] = useState(false);
  const { state, draft } = tip;
  const isSending = state.status === 'sending';
  // What may have been sent already is not changed, and asking for it again needs nothing.
  const isOpen = draft.isOpen === true;
  const failure = isOpen ? 'unknown' : state.status === 'idle' ? state.failure : undefined;

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
        value={draft.amount}
        onValueChange={(amount) => tip.change({ amount })}
        isDisabled={isSending || isOpen}
      />
      <Button
        type="submit"
        isWide
        isPending={isSending}
        disabledReason={offlineReason ?? (isOpen ? undefined : tipBlockReason(offer, buyer))}
      >
        {isSending ? m.marketplace_tipping() : m.marketplace_tip_now()}
      </Button>
      {!isSending && failure !== undefined && <Notice kind="danger">{failureText(failure)}</Notice>}
      {wasOpened && (
        <Suspense>
          <TipDetailsModal tip={tip} balance={buyer.balance} />
        </Suspense>
      )}
    </form>
  );
}

/** What is known of a failure, for as long as it matters; the toast says only that there was one. */
function failureText(failure: TipFailure): string {
  switch (failure) {
    case 'unknown':
      return m.marketplace_tip_failed_unknown();
    case 'balance_too_low':
      return m.marketplace_tip_failed_balance();
    case 'unavailable':
      return m.marketplace_tip_failed_unavailable();
    case 'refused':
      return m.marketplace_tip_failed_nothing();
  }
}
