/** The three ways to end a request: approve, reject and withdraw. */
import { m } from '@athos/messages/messages';
import { useAdminAction } from '../../api/admin.ts';
import { ActionDialog } from '../../kit/action-dialog.tsx';
import type { Approval } from './approval-detail.tsx';
import { actionTitle, requesterName } from './approval-words.ts';
import { Worth } from './worth.tsx';

export type ApprovalAct = 'approve' | 'reject' | 'withdraw';

interface ApprovalDialogProps {
  approval: Approval;
  onClose: () => void;
}

export function ApprovalDialog({ act, ...props }: ApprovalDialogProps & { act: ApprovalAct }) {
  if (act === 'approve') return <ApproveDialog {...props} />;
  return act === 'reject' ? <RejectDialog {...props} /> : <WithdrawDialog {...props} />;
}

function ApproveDialog({ approval, onClose }: ApprovalDialogProps) {
  const { run, isPending } = useAdminAction('approveRequest');
  const { id, action, amount, votesNeeded, votesGiven } = approval;
  const moreNeeded = votesNeeded - votesGiven - 1;
  return (
    <ActionDialog
      title={m.approvals_approve()}
      effect={
        <>
          {moreNeeded === 0
            ? m.approvals_approve_last({ name: requesterName(approval) })
            : m.approvals_approve_first({ count: moreNeeded })}{' '}
          <strong>
            {actionTitle(action)}
            {amount !== null && (
              <>
                , <Worth amount={amount} />
              </>
            )}
          </strong>
          .
        </>
      }
      actLabel={m.approvals_approve()}
      doneText={m.approvals_approve_done()}
      hasReason={false}
      isPending={isPending}
      run={() => run({ params: { id } })}
      onClose={onClose}
    />
  );
}

function RejectDialog({ approval, onClose }: ApprovalDialogProps) {
  const { run, isPending } = useAdminAction('rejectRequest');
  const { id } = approval;
  return (
    <ActionDialog
      title={m.approvals_reject()}
      effect={m.approvals_reject_effect({ name: requesterName(approval) })}
      actLabel={m.approvals_reject()}
      isDanger
      doneText={m.approvals_reject_done()}
      isPending={isPending}
      run={(reason) => run({ params: { id }, body: { reason } })}
      onClose={onClose}
    />
  );
}

function WithdrawDialog({ approval, onClose }: ApprovalDialogProps) {
  const { run, isPending } = useAdminAction('withdrawRequest');
  return (
    <ActionDialog
      title={m.approvals_withdraw()}
      effect={m.approvals_withdraw_effect()}
      actLabel={m.approvals_withdraw()}
      isDanger
      doneText={m.approvals_withdraw_done()}
      hasReason={false}
      isPending={isPending}
      run={() => run({ params: { id: approval.id } })}
      onClose={onClose}
    />
  );
}
