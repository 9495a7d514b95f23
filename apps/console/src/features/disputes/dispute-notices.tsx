import { m } from '@athos/messages/messages';
import { Notice } from '@athos/ui/primitives/notice';
import { isKnownStatus } from './dispute-words.ts';
import type { Dispute } from './dispute-screen.tsx';
import { isOverdue } from './due-date.tsx';

/** Notices to read before acting on a dispute. */
export function DisputeNotices({ dispute, nowMs }: { dispute: Dispute; nowMs: number }) {
  const { status, evidenceState, evidenceAct, evidenceFailure, submissionCount } = dispute;
  const isUndecided = dispute.phase === 'inquiry' || dispute.phase === 'open';
  return (
    <>
      {!isKnownStatus(status) && (
        <Notice kind="danger">{m.disputes_notice_unknown({ status })}</Notice>
      )}
      {evidenceState === 'submitting' && (
        <Notice kind="info" title={m.disputes_notice_submitting()}>
          {m.disputes_notice_submitting_text()}
        </Notice>
      )}
      {evidenceState === 'refused' && dispute.awaitsEvidence && (
        <Notice kind="danger" title={m.disputes_notice_refused()}>
          {evidenceFailure}
        </Notice>
      )}
      {evidenceState === 'submitted' && isUndecided && evidenceAct === 'submit' && (
        <Notice kind="success" title={m.disputes_notice_submitted()}>
          {m.disputes_notice_submitted_text()}
        </Notice>
      )}
      {evidenceState === 'submitted' && evidenceAct === 'accept' && (
        <Notice kind="info">{m.disputes_notice_accepted()}</Notice>
      )}
      {dispute.awaitsEvidence && submissionCount > 0 && (
        <Notice kind="info" title={m.disputes_notice_reopened()}>
          {m.disputes_notice_reopened_text()}
        </Notice>
      )}
      {isOverdue(dispute, nowMs) && (
        <Notice kind="danger" title={m.disputes_notice_overdue()}>
          {m.disputes_notice_overdue_text()}
        </Notice>
      )}
    </>
  );
}
