/** The case of one dispute: its facts and movements, beside the evidence for the bank. */
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react';
import { useParams } from 'react-router';
import { useAdminItem } from '../../api/admin.ts';
import type { AdminAnswer } from '../../api/call.ts';
import { AuditOf } from '../../kit/audit-of.tsx';
import { Badge } from '../../kit/badge.tsx';
import { Detail, DetailOf } from '../../kit/detail.tsx';
import { useLack } from '../../kit/permission.ts';
import { paths } from '../../routes/paths.ts';
import type { DisputeAct } from './dispute-dialogs.tsx';
import { DisputeAmounts, DisputeDebts, DisputeFacts, DisputeJournal } from './dispute-facts.tsx';
import { DisputeNotices } from './dispute-notices.tsx';
import { reasonTitle, statusTitle, statusTone } from './dispute-words.ts';
import { isOverdue } from './due-date.tsx';
import { Evidence } from './evidence.tsx';
import { useEvidenceDraft } from './evidence-draft.ts';
import { Voidable } from './voidable.tsx';

const DisputeDialog = lazy(async () => ({
  default: (await import('./dispute-dialogs.tsx')).DisputeDialog,
}));

export type Dispute = AdminAnswer<'consoleDispute'>;

const SUBMITTING_POLL_MS = 3000;
const POLL_MS = 10_000;

export function DisputeScreen() {
  const { id = '' } = useParams();
  const read = useAdminItem('consoleDispute', { params: { id } });
  return (
    <DetailOf read={read} kind={m.disputes_one()} backTo={paths.disputes}>
      {(dispute) => <DisputePage key={dispute.id} dispute={dispute} reload={read.reload} />}
    </DetailOf>
  );
}

/** Reads the case again once the list shows another state. Every read of the case writes an audit entry, so it is not polled. */
function useFollowed(
  { id, customerUuid, status, evidenceState }: Dispute,
  reload: () => void,
): void {
  const query = { view: 'all', customerUuid, limit: 100 } as const;
  const pollMs = evidenceState === 'submitting' ? SUBMITTING_POLL_MS : POLL_MS;
  const { item } = useAdminItem('consoleDisputes', { query }, { pollMs: () => pollMs });
  const listed = item?.items.find((one) => one.id === id);
  const isOld =
    listed !== undefined && (listed.status !== status || listed.evidenceState !== evidenceState);
  const handleOld = useEffectEvent(reload);
  useEffect(() => {
    if (!isOld) return undefined;
    handleOld();
    // A read may fail, or happen just before the next change.
    const timer = setInterval(() => handleOld(), POLL_MS);
    return () => clearInterval(timer);
  }, [isOld, listed?.status, listed?.evidenceState]);
}

/** The reason why nothing can be sent; `undefined` if the bank waits for evidence. */
export function obstacleOf(dispute: Dispute): string | undefined {
  if (dispute.awaitsEvidence) return undefined;
  if (dispute.evidenceState === 'submitting') return m.disputes_reason_submitting();
  const isDecided = dispute.phase === 'closed' || dispute.phase === 'lost';
  return dispute.evidenceState === 'submitted' && !isDecided
    ? m.disputes_reason_submitted()
    : m.disputes_reason_not_asked();
}

function DisputePage({ dispute, reload }: { dispute: Dispute; reload: () => void }) {
  useFollowed(dispute, reload);
  const [act, setAct] = useState<DisputeAct>();
  const [nowMs] = useState(() => Date.now());
  const draft = useEvidenceDraft(dispute);
  const lack = useLack();
  const title = reasonTitle(dispute.reason);
  const obstacle = lack('disputes.manage') ?? obstacleOf(dispute);
  const isEmpty = Object.keys(dispute.evidence).length === 0 && dispute.files.length === 0;
  // A notice or the form's save bar already says so.
  const shownElsewhere =
    (isOverdue(dispute, nowMs) ? m.disputes_reason_overdue() : undefined) ??
    (draft.isChanged ? m.disputes_reason_unsaved() : undefined);
  const submitObstacle =
    obstacle ?? shownElsewhere ?? (isEmpty ? m.disputes_reason_empty() : undefined);
  return (
    <Detail
      kind={m.disputes_one()}
      title={title}
      plainTitle={`${m.disputes_one()}: ${title}`}
      state={<Badge tone={statusTone(dispute)}>{statusTitle(dispute.status)}</Badge>}
      actions={
        dispute.awaitsEvidence && (
          <>
            <Button
              variant="quiet"
              isDense
              disabledReason={obstacle}
              onClick={() => setAct('accept')}
            >
              {m.disputes_accept()}
            </Button>
            <Button
              isDense
              disabledReason={submitObstacle}
              isReasonAtField={shownElsewhere !== undefined}
              onClick={() => setAct('submit')}
            >
              {m.disputes_submit()}
            </Button>
          </>
        )
      }
      backTo={paths.disputes}
    >
      <DisputeNotices dispute={dispute} nowMs={nowMs} />
      <div className="@desk/shell:grid-cols-[24rem_minmax(0,1fr)] grid grid-cols-[minmax(0,1fr)] items-start gap-x-10 gap-y-6">
        <div className="flex min-w-0 flex-col gap-6">
          <DisputeAmounts dispute={dispute} />
          <DisputeFacts dispute={dispute} nowMs={nowMs} />
          <DisputeDebts debts={dispute.debts} />
          <Voidable dispute={dispute} />
          <DisputeJournal dispute={dispute} />
        </div>
        <div className="flex min-w-0 flex-col gap-6">
          <Evidence dispute={dispute} draft={draft} />
          <AuditOf type="dispute" id={dispute.id} />
        </div>
      </div>
      {act !== undefined && (
        <Suspense fallback={null}>
          <DisputeDialog act={act} dispute={dispute} onClose={() => setAct(undefined)} />
        </Suspense>
      )}
    </Detail>
  );
}
