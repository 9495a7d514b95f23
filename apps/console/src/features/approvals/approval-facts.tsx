import { m } from '@athos/messages/messages';
import { Notice } from '@athos/ui/primitives/notice';
import { CopyId } from '../../kit/copy-id.tsx';
import { Facts, Section, type Fact } from '../../kit/detail.tsx';
import { Money } from '../../kit/money.tsx';
import { SubjectLink } from '../../kit/subject-link.tsx';
import { Time } from '../../kit/time.tsx';
import { Timeline } from '../../kit/timeline.tsx';
import type { Approval } from './approval-detail.tsx';
import { requesterName, RISK_TEXTS, VOTERS_TITLES } from './approval-words.ts';
import { Worth } from './worth.tsx';

/** The value of a request, in its own asset and in US dollars. */
export function Value({ approval }: { approval: Approval }) {
  const { amount, usdCents, isValueHeld } = approval;
  if (amount === null) return null;
  return (
    <div className="flex flex-col gap-1">
      <p className="flex flex-wrap items-baseline gap-x-3">
        <span className="amount text-headline">
          <Worth amount={amount} />
        </span>
        {usdCents !== null && amount.asset !== 'USD' && (
          <span className="text-dense text-ink-quiet">
            ≈ <Money units={String(usdCents)} asset="USD" />
          </span>
        )}
      </p>
      {isValueHeld && <p className="text-caption text-ink-quiet">{m.approvals_held()}</p>}
    </div>
  );
}

/** Points that voters should check, and the reason why a request failed. */
export function Warnings({ approval }: { approval: Approval }) {
  const { state, risks, failure, voterCount, votesNeeded, votesGiven } = approval;
  const isPending = state === 'pending';
  return (
    <>
      {isPending && risks.length > 0 && (
        <Notice kind="info" title={m.approvals_risks()}>
          <ul className="text-dense list-disc pl-4">
            {risks.map((risk) => (
              <li key={risk}>{RISK_TEXTS[risk]()}</li>
            ))}
          </ul>
        </Notice>
      )}
      {isPending && voterCount < votesNeeded - votesGiven && (
        <Notice kind="danger">
          {m.approvals_too_few({ count: voterCount, needed: votesNeeded - votesGiven })}
        </Notice>
      )}
      {state === 'stale' && <Notice kind="info">{m.approvals_stale()}</Notice>}
      {failure !== null && <Notice kind="danger">{m.approvals_failure({ code: failure })}</Notice>}
    </>
  );
}

export function ApprovalFacts({ approval }: { approval: Approval }) {
  const { subject, customerUuid, votesGiven, votesNeeded, endedAt } = approval;
  const isAboutCustomer = customerUuid !== null && customerUuid !== subject.id;
  const facts: readonly Fact[] = [
    { label: m.console_reason(), value: approval.reason || m.console_difference_empty() },
    { label: m.approvals_subject(), value: <SubjectLink type={subject.type} id={subject.id} /> },
    {
      label: m.approvals_customer(),
      value: <SubjectLink type="customer" id={customerUuid ?? ''} />,
      isHidden: !isAboutCustomer,
    },
    { label: m.approvals_by(), value: requesterName(approval) },
    { label: m.approvals_at(), value: <Time at={approval.requestedAt} /> },
    {
      label: endedAt === null ? m.approvals_expires() : m.approvals_ended(),
      value: <Time at={endedAt ?? approval.expiresAt} />,
    },
    {
      label: m.approvals_votes(),
      value: m.approvals_votes_of({ given: votesGiven, needed: votesNeeded }),
    },
    { label: m.approvals_voters(), value: VOTERS_TITLES[approval.voters]() },
    { label: m.console_audit_code(), value: <CopyId id={approval.action} /> },
    { label: m.console_id(), value: <CopyId id={approval.id} /> },
  ];
  return <Facts facts={facts} />;
}

export function Votes({ votes }: Pick<Approval, 'votes'>) {
  if (votes.length === 0) return null;
  return (
    <Section title={m.approvals_votes()}>
      <Timeline
        label={m.approvals_votes()}
        entries={votes.map(({ staff, isApproved, at, reason }) => ({
          key: staff.id,
          at,
          title: isApproved
            ? m.approvals_approved_by({ name: staff.name })
            : m.approvals_rejected_by({ name: staff.name }),
          text: reason ?? undefined,
        }))}
      />
    </Section>
  );
}
