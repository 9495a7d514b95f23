/** The refunds of a payment, and the bank's inquiries and disputes. */
import { m } from '@athos/messages/messages';
import { Badge } from '../../kit/badge.tsx';
import { Section } from '../../kit/detail.tsx';
import { Money } from '../../kit/money.tsx';
import { SubjectLink } from '../../kit/subject-link.tsx';
import { Table } from '../../kit/table.tsx';
import { Time } from '../../kit/time.tsx';
import { paths } from '../../routes/paths.ts';
import type { Payment } from './payment-screen.tsx';
import { REFUND_STATE } from './payment-words.ts';

export function PaymentRefunds({ refunds }: Pick<Payment, 'refunds'>) {
  if (refunds.length === 0) return null;
  return (
    <Section title={m.payments_refunds_title()}>
      <Table
        label={m.payments_refunds_title()}
        rows={refunds}
        keyOf={({ id }) => id}
        pathOf={({ id }) => paths.refund(id)}
        columns={[
          {
            id: 'total',
            title: m.payments_total(),
            cell: ({ totalUsdCents }) => <Money units={totalUsdCents} asset="USD" />,
          },
          {
            id: 'state',
            title: m.console_state(),
            cell: ({ state }) => (
              <Badge tone={REFUND_STATE[state].tone}>{REFUND_STATE[state].title()}</Badge>
            ),
          },
          {
            id: 'tokens',
            title: m.payments_refund_taken(),
            cell: ({ takenTokenAmount }) => <Money units={takenTokenAmount} asset="ATH" />,
            align: 'end',
            from: 'medium',
          },
          {
            id: 'createdAt',
            title: m.payments_refund_asked(),
            cell: ({ createdAt }) => <Time at={createdAt} />,
            align: 'end',
            from: 'medium',
          },
        ]}
      />
    </Section>
  );
}

type Dispute = Payment['disputes'][number];

const PHASE_TITLES: Readonly<Record<Dispute['phase'], () => string>> = {
  inquiry: m.payments_dispute_inquiry,
  open: m.payments_dispute_open,
  closed: m.payments_dispute_closed,
  lost: m.payments_dispute_lost,
};

export function PaymentDisputes({ disputes }: Pick<Payment, 'disputes'>) {
  if (disputes.length === 0) return null;
  return (
    <Section title={m.payments_disputes_title()}>
      <ul className="divide-line flex flex-col divide-y">
        {disputes.map((dispute) => (
          <li
            key={dispute.id}
            className="text-dense flex flex-wrap items-center gap-x-4 gap-y-1 py-2 first:pt-0"
          >
            <span className="font-semibold">
              <Money units={dispute.amountUsdCents} asset="USD" />
            </span>
            <Badge tone={dispute.phase === 'closed' ? 'neutral' : 'danger'}>
              {PHASE_TITLES[dispute.phase]()}
            </Badge>
            <span className="text-ink-quiet">{dispute.reason.replaceAll('_', ' ')}</span>
            {dispute.dueAt !== null && dispute.phase !== 'closed' && dispute.phase !== 'lost' && (
              <span className="text-ink-quiet">
                {m.payments_dispute_due()} <Time at={dispute.dueAt} />
              </span>
            )}
            <span className="ml-auto">
              <SubjectLink type="dispute" id={dispute.id} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
