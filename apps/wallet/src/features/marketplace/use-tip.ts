import { isFrozen, type IntentState } from '@athos/app-core/intents/intent';
import { m } from '@athos/messages/messages';
import { toasts } from '@athos/ui/overlays/toast-store';
import { useValue } from '@athos/app-core/value';
import { useState } from 'react';
import { sendTip } from '../../api/tip.ts';
import { useUserUuid } from '../../state/current-user.ts';
import { tipAmount, tipDraftOf, type TipDraft } from '../../state/tip-draft.ts';

export interface TipFlow {
  readonly step: 'idle' | 'details' | 'sending';
  readonly draft: TipDraft;
  readonly intent: IntentState<TipDraft, unknown>;
  /** The tip may have been sent. It cannot be changed, and a retry needs neither balance nor stock. */
  readonly isFrozen: boolean;
  change: (fields: Partial<TipDraft>) => void;
  /** Changes from idle to details. Shows a toast instead if the amount is missing. */
  openDetails: () => void;
  /** Returns to idle without sending. */
  cancel: () => void;
  send: () => void;
}

/** Spec 4: idle, details, sending, idle. */
export function useTip(offerId: number): TipFlow {
  const store = tipDraftOf(useUserUuid(), offerId);
  const draft = useValue(store);
  const intent = useValue(store.intent);
  const [isInDetails, setIsInDetails] = useState(false);

  /** Shows a toast if the amount is missing, and returns whether it is. */
  function isAmountMissing(): boolean {
    const isMissing = tipAmount(store.get()) === undefined;
    if (isMissing) toasts.attempt('tip')('info', m.marketplace_tip_missing(), 3000);
    return isMissing;
  }

  return {
    step: intent.status === 'asking' ? 'sending' : isInDetails ? 'details' : 'idle',
    draft,
    intent,
    isFrozen: isFrozen(intent),
    change: (fields) => store.change(fields),
    openDetails() {
      if (store.intent.get().status === 'asking' || isAmountMissing()) return;
      store.intent.reset();
      setIsInDetails(true);
    },
    cancel: () => setIsInDetails(false),
    send() {
      if (isAmountMissing()) return;
      setIsInDetails(false);
      void store.submit((confirmed) => sendTip(offerId, confirmed));
    },
  };
}
