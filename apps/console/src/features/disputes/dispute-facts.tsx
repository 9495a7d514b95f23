import { m } from '@athos/messages/messages';
import { CopyId } from '../../kit/copy-id.tsx';
import { Facts, ObjectLink, Section } from '../../kit/detail.tsx';
import { inWords } from '../../kit/in-words.ts';
import { Money, moneyText } from '../../kit/money.tsx';
import { SubjectLink } from '../../kit/subject-link.tsx';
import { Time } from '../../kit/time.tsx';
import { Timeline } from '../../kit/timeline.tsx';
import { paths } from '../../routes/paths.ts';
import { KIND_TITLES } from '../../kit/ledger-words.ts';
import { Progress } from './debt-progress.tsx';
import type { Dispute } from './dispute-screen.tsx';
import { DueFact } from './due-date.tsx';

/** The amount that the cardholder claims, and the money that the dispute has taken so far. */
export function DisputeAmounts({ dispute }: { dispute: Dispute }) {
  const { amountUsdCents, withdrawnUsdCents, takenTokenAmount, owedTokenAmount } = dispute;
  return (
    <section aria-label={m.disputes_amount()} className="flex flex-col gap-3">
      <p className="amount text-headline">
        <Money units={amountUsdCents} asset="USD" />
      </p>
      <Facts
        facts={[
          {
            label: m.disputes_withdrawn(),
            value: <Money units={withdrawnUsdCents} asset="USD" />,
          },
          { label: m.disputes_taken(), value: <Money units={takenTokenAmount} asset="ATH" /> },
          {
            label: m.disputes_owed(),
            value: <Money units={owedTokenAmount} asset="ATH" />,
            isHidden: owedTokenAmount === '0',
          },
        ]}
      />
    </section>
  );
}

export function DisputeFacts({ dispute, nowMs }: { dispute: Dispute; nowMs: number }) {
  const { payment, paymentId, customerUuid, submittedAt, submissionCount } = dispute;
  return (
    <Section title={m.disputes_facts()}>
      <Facts
        facts={[
          {
            label: m.disputes_due(),
            value: <DueFact dispute={dispute} nowMs={nowMs} />,
            isHidden: dispute.dueAt === null,
          },
          { label: m.disputes_opened(), value: <Time at={dispute.openedAt} /> },
          {
            label: m.disputes_submitted(),
            value: submittedAt !== null && <Time at={submittedAt} />,
            isHidden: submittedAt === null,
          },
          {
            label: m.disputes_submission_count(),
            value: submissionCount,
            isHidden: submissionCount < 2,
          },
          {
            label: m.disputes_payment(),
            value: (
              <span className="flex flex-col">
                <SubjectLink type="card_order" id={paymentId} />
                <span className="text-caption text-ink-quiet">
                  {m.disputes_payment_of({
                    tokens: moneyText(payment.tokenAmount, 'ATH'),
                    total: moneyText(payment.totalUsdCents, 'USD'),
                  })}
                  {', '}
                  <Time at={payment.createdAt} precision="day" />
                </span>
              </span>
            ),
          },
          {
            label: m.disputes_customer(),
            value: <SubjectLink type="customer" id={customerUuid} />,
          },
          { label: m.disputes_provider_id(), value: <CopyId id={dispute.providerDisputeId} /> },
          { label: m.console_id(), value: <CopyId id={dispute.id} isShort /> },
        ]}
      />
    </Section>
  );
}

/**
 * The part that the customer had already spent, and how much of it has been recovered. A dispute that is won cancels the rest of its debt.
 */
export function DisputeDebts(props: Pick<Dispute, 'debts'>) {
  const debts = props.debts.filter(({ tokenAmount }) => tokenAmount !== '0');
  if (debts.length === 0) return null;
  return (
    <Section title={m.disputes_debts()}>
      <ul className="flex flex-col gap-4">
        {debts.map((debt) => (
          <li key={debt.id}>
            <Progress debt={debt} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** The ledger movements caused by the dispute. */
export function DisputeJournal({ dispute: { journal } }: { dispute: Dispute }) {
  const nameOf = (code: string | null): string =>
    code === null ? m.customers_one() : inWords(code);
  return (
    <Section title={m.disputes_journal()}>
      {journal.length === 0 ? (
        <p className="text-dense text-ink-quiet">{m.disputes_journal_none()}</p>
      ) : (
        <Timeline
          label={m.disputes_journal()}
          entries={journal.map(({ id, at, kind, debit, credit, amount, asset }) => ({
            key: id,
            at,
            title: <ObjectLink to={paths.ledgerTransfer(id)}>{KIND_TITLES[kind]()}</ObjectLink>,
            text: (
              <>
                {nameOf(debit)} <span className="sr-only">{m.ledger_to()}</span>
                <span aria-hidden="true">→</span> {nameOf(credit)}
              </>
            ),
            trailing: <Money units={amount} asset={asset} />,
          }))}
        />
      )}
    </Section>
  );
}
