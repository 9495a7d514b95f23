import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { useState } from 'react';
import { useAdminAction, useAdminItem } from '../../api/admin.ts';
import type { AdminAnswer } from '../../api/call.ts';
import { ActionDialog } from '../../kit/action-dialog.tsx';
import { AuditOf } from '../../kit/audit-of.tsx';
import { Badge } from '../../kit/badge.tsx';
import { CopyId } from '../../kit/copy-id.tsx';
import { Detail, DetailOf, Facts } from '../../kit/detail.tsx';
import { Money, moneyText } from '../../kit/money.tsx';
import { useLack } from '../../kit/permission.ts';
import { SubjectLink } from '../../kit/subject-link.tsx';
import { Time } from '../../kit/time.tsx';
import { paths } from '../../routes/paths.ts';
import { Progress } from './debt-progress.tsx';

type Debt = AdminAnswer<'consoleDebt'>;

export function DebtState({ debt: { closedAt, writtenOffTokenAmount } }: { debt: Debt }) {
  if (closedAt === null) return <Badge tone="info">{m.disputes_debts_state_open()}</Badge>;
  return writtenOffTokenAmount === '0' ? (
    <Badge tone="success">{m.disputes_debts_state_repaid()}</Badge>
  ) : (
    <Badge>{m.disputes_debts_state_written_off()}</Badge>
  );
}

export function DebtDetail({ id }: { id: string }) {
  const read = useAdminItem('consoleDebt', { params: { id } });
  const [isWritingOff, setIsWritingOff] = useState(false);
  const lack = useLack();
  return (
    <DetailOf read={read} kind={m.disputes_debts_one()} backTo={paths.debts}>
      {(debt) => (
        <Detail
          kind={m.disputes_debts_one()}
          title={<Money units={debt.owedTokenAmount} asset="ATH" />}
          plainTitle={`${m.disputes_debts_one()} ${moneyText(debt.owedTokenAmount, 'ATH')}`}
          state={<DebtState debt={debt} />}
          actions={
            debt.closedAt === null && (
              <Button
                variant="quiet"
                isDense
                disabledReason={lack('customers.write_off')}
                onClick={() => setIsWritingOff(true)}
              >
                {m.disputes_debts_write_off()}
              </Button>
            )
          }
          backTo={paths.debts}
        >
          <Progress debt={debt} />
          {debt.closedAt === null && (
            <p className="text-caption text-ink-quiet">{m.disputes_debts_repaid_by()}</p>
          )}
          <DebtFacts debt={debt} />
          <AuditOf type="debt" id={debt.id} />
          {isWritingOff && <WriteOffDialog debt={debt} onClose={() => setIsWritingOff(false)} />}
        </Detail>
      )}
    </DetailOf>
  );
}

function DebtFacts({ debt }: { debt: Debt }) {
  const { tokenAmount, writtenOffTokenAmount, createdAt, closedAt } = debt;
  return (
    <Facts
      facts={[
        { label: m.disputes_debts_amount(), value: <Money units={tokenAmount} asset="ATH" /> },
        {
          label: m.disputes_debts_written_off(),
          value: <Money units={writtenOffTokenAmount} asset="ATH" />,
          isHidden: writtenOffTokenAmount === '0',
        },
        {
          label: m.disputes_customer(),
          value: <SubjectLink type="customer" id={debt.customerUuid} />,
        },
        {
          label: m.disputes_debts_dispute(),
          value: <SubjectLink type="dispute" id={debt.disputeId} />,
        },
        {
          label: m.disputes_payment(),
          value: <SubjectLink type="card_order" id={debt.paymentId} />,
        },
        { label: m.disputes_debts_since(), value: <Time at={createdAt} /> },
        {
          label: m.disputes_debts_closed_at(),
          value: closedAt !== null && <Time at={closedAt} />,
          isHidden: closedAt === null,
        },
        { label: m.console_id(), value: <CopyId id={debt.id} isShort /> },
      ]}
    />
  );
}

function WriteOffDialog({ debt, onClose }: { debt: Debt; onClose: () => void }) {
  const { run, isPending } = useAdminAction('writeOffDebt');
  const owed = moneyText(debt.owedTokenAmount, 'ATH');
  return (
    <ActionDialog
      title={m.disputes_debts_write_off_title()}
      effect={m.disputes_debts_write_off_effect({ owed })}
      actLabel={m.disputes_debts_write_off_act({ owed })}
      isDanger
      doneText={m.disputes_debts_write_off_done()}
      isPending={isPending}
      run={(reason) => run({ params: { id: debt.id }, body: { reason } })}
      onClose={onClose}
    />
  );
}
