import { m } from '@athos/messages/messages';
import { toasts } from '@athos/ui/overlays/toast-store';
import { useRef, useState, useSyncExternalStore } from 'react';
import { sendTip, tipFailure, type TipFailure } from '../../api/tip.ts';
import { useUserUuid } from '../../state/current-user.ts';
import { tipAmount, tipDraftOf, type TipDraft, type TipFields } from '../../state/tip-draft.ts';

export type TipState =
  /** `failure`: of the last attempt, until the next one. */
  | { readonly status: 'idle'; readonly failure?: TipFailure }
  | { readonly status: 'details' }
  | { readonly status: 'sending' };

export interface TipFlow {
  readonly state: TipState;
  readonly draft: TipDraft;
  change: (fields: Partial<TipFields>) => void;
  /** From idle to details; without an amount says so instead. */
  openDetails: () => void;
  /** Back to idle, nothing sent. */
  cancel: () => void;
  send: () => Promise<void>;
}

/** Spec 4: idle, details, sending, idle. */
export function useTip(offerId: number): TipFlow {
  const store = tipDraftOf(useUserUuid(), offerId);
  const draft = useSyncExternalStore(store.subscribe, store.get);
  const [state, setState] = useState<TipState>({ status: 'idle' });
  // Clicks of one moment all see the same state.
  const isBusy = useRef(false);

  /** Says what is missing, and whether anything is. */
  function isAmountMissing(): boolean {
    const isMissing = tipAmount(store.get()) === undefined;
    if (isMissing) toasts.show('info', m.marketplace_tip_missing(), 3000);
    return isMissing;
  }

  async function send(): Promise<void> {
    if (isBusy.current || isAmountMissing()) return;
    const tip = store.confirm();
    const amount = tipAmount(tip);
    if (amount === undefined) return;
    isBusy.current = true;
    setState({ status: 'sending' });
    try {
      await sendTip({ ...tip, offerId, amount });
      store.clear();
      toasts.show('success', m.marketplace_tip_sent(), 4000);
      setState({ status: 'idle' });
    } catch (error) {
      const failure = tipFailure(error, tip.isRepeat);
      if (failure !== 'unknown') store.noteRefusal();
      toasts.show('danger', m.marketplace_tip_failed(), 3000);
      setState({ status: 'idle', failure });
    }
    isBusy.current = false;
  }

  return {
    state,
    draft,
    change: (fields) => store.change(fields),
    openDetails() {
      if (!isBusy.current && !isAmountMissing()) setState({ status: 'details' });
    },
    cancel() {
      if (!isBusy.current) setState({ status: 'idle' });
    },
    send,
  };
}
