import { m } from '@athos/messages/messages';
import { useState } from 'react';
import { useAdminAction } from '../../api/admin.ts';
import { ActionDialog } from '../../kit/action-dialog.tsx';
import { DenseField } from '../../kit/dense-field.tsx';
import { figures } from '../../kit/figures.ts';
import { moneyText } from '../../kit/money.tsx';
import { fundingOf } from './campaign-draft.ts';
import { type Campaign } from './campaign-words.ts';

interface DialogProps {
  campaign: Campaign;
  onClose: () => void;
}

export function FundDialog({ campaign, onClose }: DialogProps) {
  const { run, isPending } = useAdminAction('fundCampaign');
  const [typed, setTyped] = useState('');
  const funding = fundingOf(typed, campaign.amount);
  const amount = moneyText(funding?.units ?? '0', 'ATH');
  return (
    <ActionDialog
      title={m.campaigns_fund()}
      effect={
        funding === undefined
          ? m.campaigns_fund_effect_none()
          : m.campaigns_fund_effect({ amount, claims: figures(funding.claims) })
      }
      actLabel={funding === undefined ? m.campaigns_fund() : m.campaigns_fund_act({ amount })}
      doneText={m.campaigns_fund_done()}
      disabledReason={funding === undefined ? m.campaigns_reason_amount() : undefined}
      isPending={isPending}
      run={(reason) =>
        run({ params: { id: campaign.id }, body: { amount: funding?.units ?? '', reason } })
      }
      onClose={onClose}
    >
      <DenseField
        label={m.campaigns_fund_amount({ symbol: 'ATH' })}
        inputMode="decimal"
        value={typed}
        onValueChange={setTyped}
      />
    </ActionDialog>
  );
}

export function EndDialog({ campaign, onClose }: DialogProps) {
  const { run, isPending } = useAdminAction('endCampaign');
  const left = moneyText(campaign.left, 'ATH');
  return (
    <ActionDialog
      title={m.campaigns_end_title()}
      effect={m.campaigns_end_effect({ left })}
      actLabel={m.campaigns_end_act({ left })}
      isDanger
      doneText={m.campaigns_end_done()}
      isPending={isPending}
      run={(reason) => run({ params: { id: campaign.id }, body: { reason } })}
      onClose={onClose}
    />
  );
}
