import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { Notice } from '@athos/ui/primitives/notice';
import { Screen } from '@athos/ui/layout/screen';
import { toasts } from '@athos/ui/overlays/toast-store';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import type { SendFailure } from '../../api/transfer.ts';
import { paths } from '../../routes/paths.ts';
import { draftAmount, type SendDraft } from '../../state/send-draft.ts';
import { DraftDetails, TokenCard } from './draft-details.tsx';
import { SendSuccessModal } from './send-success-modal.tsx';
import { useSend, type SendState } from './use-send.ts';
import { useSendDraft } from './use-send-draft.ts';
import { useOfflineReason } from '../../state/offline-reason.ts';

/** Spec 2 `/app/send/summary`. Without an amount or a receiver it leads to the step that asks for it. */
export function SendSummaryScreen() {
  const { draft } = useSendDraft();
  // Looked at once: the draft is gone as soon as it is sent, and its summary stays.
  const [missing] = useState(() => missingStep(draft));
  return missing === undefined ? <Summary /> : <ToMissingStep path={missing} />;
}

function missingStep(draft: SendDraft): string | undefined {
  if (draftAmount(draft) === undefined) return paths.send;
  return draft.address === '' ? paths.sendRecipient : undefined;
}

function ToMissingStep({ path }: { path: string }) {
  const navigate = useNavigate();
  const hasLeft = useRef(false);
  useEffect(() => {
    if (hasLeft.current) return;
    hasLeft.current = true;
    if (path === paths.send) toasts.show('info', m.send_missing_amount(), 3000);
    void navigate(path, { replace: true });
  }, [navigate, path]);
  return null;
}

/** What goes where, and the button that sends it. */
function Summary() {
  const { state, submit, reset } = useSend();
  const { draft: current } = useSendDraft();
  const navigate = useNavigate();
  const offlineReason = useOfflineReason();
  // What was confirmed stays on the screen, although the draft is gone once it is sent.
  const draft = state.status === 'idle' ? current : state.draft;
  const failure = state.status !== 'idle' ? undefined : current.isOpen ? 'unknown' : state.failure;

  const handleClose = (): void => {
    reset();
    void navigate(paths.home);
  };

  return (
    <Screen
      title={m.send_summary_title()}
      backTo={paths.sendRecipient}
      width="form"
      action={
        <Button
          isWide
          isPending={state.status === 'submitting'}
          isDisabled={state.status === 'submitted'}
          disabledReason={state.status === 'idle' ? offlineReason : undefined}
          onClick={() => void submit()}
        >
          {submitLabel(state)}
        </Button>
      }
    >
      <TokenCard draft={draft} />
      <DraftDetails draft={draft} />
      {failure !== undefined && <Notice kind="danger">{failureText(failure)}</Notice>}
      <SendSuccessModal
        sent={state.status === 'submitted' ? state.draft : undefined}
        onClose={handleClose}
      />
    </Screen>
  );
}

function submitLabel({ status }: SendState): string {
  switch (status) {
    case 'idle':
      return m.send_submit();
    case 'submitting':
      return m.send_submitting();
    case 'submitted':
      return m.send_submitted();
  }
}

/** What is known of a failure, for as long as it matters; the toast says only that there was one. */
function failureText(failure: SendFailure): string {
  switch (failure) {
    case 'unknown':
      return m.send_failed_unknown();
    case 'no_recipient':
      return m.send_failed_recipient();
    case 'balance_too_low':
      return m.send_failed_balance();
    case 'refused':
      return m.send_failed_nothing();
  }
}
