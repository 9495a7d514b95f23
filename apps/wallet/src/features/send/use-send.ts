import { m } from '@athos/messages/messages';
import { toasts } from '@athos/ui/overlays/toast-store';
import { useRef, useState } from 'react';
import { sendTokens, type SendFailure } from '../../api/transfer.ts';
import { draftAmount, type SendDraft } from '../../state/send-draft.ts';
import { useSendDraft } from './use-send-draft.ts';

export type SendState =
  /** `failure`: of the last attempt, until the next one. */
  | { readonly status: 'idle'; readonly failure?: SendFailure }
  | { readonly status: 'submitting'; readonly draft: SendDraft }
  /** The draft is settled and gone; this is what was sent. */
  | { readonly status: 'submitted'; readonly draft: SendDraft };

/** Sending the draft (spec 4): idle, submitting, submitted; idle again on failure and after the success is closed. */
export function useSend(): { state: SendState; submit: () => Promise<void>; reset: () => void } {
  const { store } = useSendDraft();
  const [state, setState] = useState<SendState>({ status: 'idle' });
  // Clicks of one moment all see the same state.
  const isBusy = useRef(false);

  async function submit(): Promise<void> {
    if (isBusy.current || state.status !== 'idle') return;
    if (draftAmount(store.get()) === undefined) {
      toasts.show('info', m.send_missing_amount(), 3000);
      return;
    }
    // Another than is shown where a tab of before left one open: that one is told, and asked for first.
    const draft = store.confirm();
    const amount = draftAmount(draft);
    if (amount === undefined) return;
    isBusy.current = true;
    setState({ status: 'submitting', draft });
    const { asset, address: toUuid, key, isRepeat } = draft;
    const outcome = await sendTokens({ asset, amount, toUuid, key, isRepeat });
    isBusy.current = false;
    if (outcome === 'sent') {
      // Also when the screen is left by now: what is sent must not be offered again.
      store.clear();
      setState({ status: 'submitted', draft });
    } else {
      if (outcome !== 'unknown') store.noteRefusal();
      setState({ status: 'idle', failure: outcome });
    }
  }

  return { state, submit, reset: () => setState({ status: 'idle' }) };
}
