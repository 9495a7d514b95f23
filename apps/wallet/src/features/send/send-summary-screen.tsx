import { isFrozen, type IntentState } from '@athos/app-core/intents/intent';
import { brand } from '@athos/brand/brand';
import { isUuid } from '@athos/domain/uuid';
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { Notice } from '@athos/ui/primitives/notice';
import { Screen } from '@athos/ui/layout/screen';
import { toasts } from '@athos/ui/overlays/toast-store';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { usePastSends } from '../../api/past-sends.ts';
import { sendTokens } from '../../api/transfer.ts';
import { paths } from '../../routes/paths.ts';
import { useOfflineReason } from '../../state/offline-reason.ts';
import { draftAmount, useSendDraft, type SendDraft, type Sent } from '../../state/send-draft.ts';
import { AskedAmount } from './asked-amount.tsx';
import { DraftDetails, TokenCard, useIsUnusual } from './draft-details.tsx';
import { unusualText } from './recipient-warning.tsx';
import { finishSteps, useIsOver } from './finished-steps.ts';
import { SendSuccessModal } from './send-success-modal.tsx';

/** Spec 2 `/app/send/summary`. Redirects to the step whose amount or recipient is missing. */
export function SendSummaryScreen() {
  const { draft } = useSendDraft();
  // Checked once, because the draft is empty as soon as it is sent, but its summary stays.
  const [missing] = useState(() => missingStep(draft));
  if (useIsOver()) return null;
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

type Sending = IntentState<SendDraft, Sent>;

/** The details of the send, and its button. */
function Summary() {
  const { draft: current, intent, store } = useSendDraft();
  const navigate = useNavigate();
  const offlineReason = useOfflineReason();
  // Once sent, the draft is empty, but the screen still shows its content.
  const draft = intent.status === 'done' ? intent.content : current;
  const isBusy = intent.status === 'asking' || intent.status === 'done';
  const isUnusual = useIsUnusual(draft);
  const failure = failureText(intent);
  // Another tab has sent it, so nothing is left to confirm here.
  const isSentElsewhere = intent.status === 'idle' && current.address === '';
  useEffect(() => {
    if (intent.status === 'done') finishSteps();
    if (isSentElsewhere) void navigate(paths.home, { replace: true });
  }, [intent.status, isSentElsewhere, navigate]);

  const handleSubmit = (): void => {
    if (store.intent.get().status === 'done') return;
    if (draftAmount(store.get()) === undefined) toasts.show('info', m.send_missing_amount(), 3000);
    else {
      if (isUnusual) store.change({ warned: true });
      void store.submit(sendTokens);
    }
  };
  const handleClose = (): void => {
    store.intent.reset();
    void navigate(paths.home, { replace: true });
  };

  return (
    <Screen
      title={m.send_summary_title()}
      backTo={paths.sendRecipient}
      width="form"
      action={
        <Button
          isWide
          isPending={intent.status === 'asking'}
          isDisabled={intent.status === 'done'}
          disabledReason={isBusy ? undefined : offlineReason}
          onClick={handleSubmit}
        >
          {submitLabel(intent)}
        </Button>
      }
    >
      <TokenCard draft={draft} />
      <DraftDetails draft={draft} />
      {!isFrozen(intent) && <AskedAmount />}
      {isUnusual && <UnusualNotice draft={draft} />}
      {failure !== undefined && <Notice kind="danger">{failure}</Notice>}
      <SendSuccessModal
        sent={intent.status === 'done' ? intent.content : undefined}
        hold={intent.status === 'done' ? intent.data.hold : undefined}
        onClose={handleClose}
      />
    </Screen>
  );
}

/** Says for how long it can be undone, except after a scan of the recipient's screen, which may let it arrive at once. */
function UnusualNotice({ draft: { address, met } }: { draft: SendDraft }) {
  const { past } = usePastSends(met === undefined && isUuid(address) ? address : undefined);
  return <Notice kind="info">{unusualText(past?.warnedSeconds)}</Notice>;
}

function submitLabel({ status }: Sending): string {
  switch (status) {
    case 'idle':
    case 'refused':
    case 'unknown':
      return m.send_submit();
    case 'asking':
      return m.send_submitting();
    case 'done':
      return m.send_submitted();
  }
}

/** The details of a failure, shown until the next attempt or change. The toast only reports that the send failed. */
function failureText(intent: Sending): string | undefined {
  if (intent.status === 'unknown') return m.send_failed_unknown();
  if (intent.status !== 'refused') return undefined;
  switch (intent.code) {
    case 'recipient_not_found':
      return m.send_failed_recipient();
    case 'insufficient_balance':
      return m.send_failed_balance();
    case 'amount_below_minimum':
      return m.send_failed_minimum();
    case 'send_limit_reached':
      return m.send_failed_limit();
    case 'recovery_limit_reached':
      return m.send_failed_recovery();
    case 'holds_full':
      return m.send_failed_holds_full();
    case 'terms_not_accepted':
      return m.errors_terms();
    case 'confirmation_required':
      return m.security_confirm_declined();
    case 'stopped':
      return m.send_failed_stopped({ notice: intent.problem?.detail ?? '' });
    case 'account_restricted':
      return m.send_failed_restricted({ address: brand.supportAddress });
    case 'recipient_restricted':
      return m.send_failed_recipient_restricted();
    case undefined:
    default:
      return m.send_failed_nothing();
  }
}
