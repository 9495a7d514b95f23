/** The two answers to a dispute. Neither can be undone. */
import { m } from '@athos/messages/messages';
import { useAdminAction } from '../../api/admin.ts';
import { ActionDialog } from '../../kit/action-dialog.tsx';
import { moneyText } from '../../kit/money.tsx';
import type { Dispute } from './dispute-screen.tsx';

export type DisputeAct = 'submit' | 'accept';

interface DisputeDialogProps {
  dispute: Dispute;
  onClose: () => void;
}

export function DisputeDialog({ act, ...props }: DisputeDialogProps & { act: DisputeAct }) {
  return act === 'submit' ? <SubmitDialog {...props} /> : <AcceptDialog {...props} />;
}

function SubmitDialog({ dispute, onClose }: DisputeDialogProps) {
  const { run, isPending } = useAdminAction('submitEvidence');
  const { id, version, evidence, files, amountUsdCents } = dispute;
  return (
    <ActionDialog
      title={m.disputes_submit_title()}
      effect={m.disputes_submit_effect({
        texts: m.disputes_submit_texts({ count: Object.keys(evidence).length }),
        files: m.disputes_submit_files({ count: files.length }),
        amount: moneyText(amountUsdCents, 'USD'),
      })}
      actLabel={m.disputes_submit()}
      doneText={m.disputes_submit_done()}
      hasReason={false}
      isPending={isPending}
      run={() => run({ params: { id } }, version)}
      onClose={onClose}
    />
  );
}

function AcceptDialog({ dispute, onClose }: DisputeDialogProps) {
  const { run, isPending } = useAdminAction('acceptDispute');
  const { id, amountUsdCents, takenTokenAmount } = dispute;
  const amount = moneyText(amountUsdCents, 'USD');
  return (
    <ActionDialog
      title={m.disputes_accept_title()}
      effect={
        takenTokenAmount === '0'
          ? m.disputes_accept_effect_untaken({ amount })
          : m.disputes_accept_effect({ amount, tokens: moneyText(takenTokenAmount, 'ATH') })
      }
      actLabel={m.disputes_accept_act({ amount })}
      isDanger
      doneText={m.disputes_accept_done()}
      isPending={isPending}
      run={(reason) => run({ params: { id }, body: { reason } })}
      onClose={onClose}
    />
  );
}
