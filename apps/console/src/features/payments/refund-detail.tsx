import { m } from '@athos/messages/messages';
import { ButtonLink } from '@athos/ui/primitives/button';
import { Notice } from '@athos/ui/primitives/notice';
import { useAdminItem } from '../../api/admin.ts';
import type { AdminAnswer } from '../../api/call.ts';
import { Amounts } from '../../kit/amounts.tsx';
import { AuditOf } from '../../kit/audit-of.tsx';
import { Badge } from '../../kit/badge.tsx';
import { shareLines, toCardText } from '../../kit/card-words.ts';
import { CopyId } from '../../kit/copy-id.tsx';
import { Detail, DetailOf, Facts, Section, type Fact } from '../../kit/detail.tsx';
import { JournalLines } from '../../kit/journal-lines.tsx';
import { Money, moneyText } from '../../kit/money.tsx';
import { SubjectLink } from '../../kit/subject-link.tsx';
import { Time } from '../../kit/time.tsx';
import { paths } from '../../routes/paths.ts';
import { isMoving, REFUND_STATE } from './payment-words.ts';

type Refund = AdminAnswer<'consoleRefund'>;

const POLL_SOON_MS = 5_000;

/** One refund: its money, its progress, and the person whose decision it waits for. */
export function RefundDetail({ id }: { id: string }) {
  const read = useAdminItem(
    'consoleRefund',
    { params: { id } },
    { pollMs: (refund) => (refund !== undefined && isMoving(refund) ? POLL_SOON_MS : false) },
  );
  return (
    <DetailOf read={read} kind={m.payments_refund_one()} backTo={paths.refunds}>
      {(refund) => (
        <Detail
          kind={m.payments_refund_one()}
          title={<Money units={refund.totalUsdCents} asset="USD" />}
          plainTitle={`${m.payments_refund_one()} ${moneyText(refund.totalUsdCents, 'USD')}`}
          state={
            <Badge tone={REFUND_STATE[refund.state].tone}>
              {REFUND_STATE[refund.state].title()}
            </Badge>
          }
          actions={
            refund.state === 'requested' && (
              <ButtonLink variant="quiet" isDense to={paths.approval(refund.id)}>
                {m.payments_refund_to_request()}
              </ButtonLink>
            )
          }
          backTo={paths.refunds}
        >
          <RefundNotice refund={refund} />
          <Section title={m.payments_amounts()}>
            <RefundAmounts refund={refund} />
          </Section>
          <RefundFacts refund={refund} />
          <JournalLines keys={[refund.id]} />
          {!refund.isAdopted && <AuditOf type="approval" id={refund.id} />}
        </Detail>
      )}
    </DetailOf>
  );
}

/** The meaning of the state for money and tokens, and what to do. */
function RefundNotice({ refund }: { refund: Refund }) {
  const { state, failure } = refund;
  switch (state) {
    case 'failed':
      return (
        <Notice kind="danger" title={m.payments_refund_failed_title()}>
          {m.payments_refund_failed()} {failure}
        </Notice>
      );
    case 'refused':
      return (
        <Notice kind="danger" title={m.payments_refund_refused_title()}>
          {m.payments_refund_refused()} {failure}
        </Notice>
      );
    case 'requested':
      return <Notice kind="info">{m.payments_refund_waits()}</Notice>;
    case 'pending':
      return <Notice kind="info">{m.payments_refund_pending()}</Notice>;
    case 'approved':
    case 'sending':
    case 'succeeded':
    case 'rejected':
    case 'withdrawn':
    case 'expired':
      return refund.isAdopted ? <Notice kind="info">{m.payments_refund_adopted()}</Notice> : null;
  }
}

function RefundAmounts({ refund }: { refund: Refund }) {
  const { isUncredited, tokenAmount, takenTokenAmount, totalUsdCents } = refund;
  const uncovered = BigInt(tokenAmount) - BigInt(takenTokenAmount);
  return (
    <>
      <Amounts
        lines={[
          ...(isUncredited ? [] : shareLines(refund)),
          { label: m.payments_refund_to_card(), units: totalUsdCents, asset: 'USD', isSum: true },
          { label: m.payments_refund_taken(), units: takenTokenAmount, asset: 'ATH' },
        ]}
      />
      {takenTokenAmount !== tokenAmount && (
        <p className="text-caption text-ink-quiet">
          {m.payments_refund_uncovered({ tokens: moneyText(uncovered.toString(), 'ATH') })}
        </p>
      )}
      {isUncredited && (
        <p className="text-caption text-ink-quiet">{m.payments_refund_uncredited()}</p>
      )}
    </>
  );
}

const moment = (label: string, at: string | null): Fact => ({
  label,
  value: at !== null && <Time at={at} />,
  isHidden: at === null,
});

function RefundFacts({ refund }: { refund: Refund }) {
  const { paymentId, customerUuid, card, reason, requestedBy, providerRefundId } = refund;
  return (
    <Section title={m.payments_facts()}>
      <Facts
        facts={[
          { label: m.payments_one(), value: <SubjectLink type="payment" id={paymentId} /> },
          {
            label: m.payments_customer(),
            value: <SubjectLink type="customer" id={customerUuid} />,
          },
          { label: m.payments_card(), value: toCardText(card), isHidden: card === null },
          { label: m.console_reason(), value: reason },
          {
            label: m.payments_refund_by(),
            value: requestedBy?.name,
            isHidden: requestedBy === null,
          },
          moment(m.payments_refund_asked(), refund.createdAt),
          moment(m.payments_refund_sent(), refund.sentAt),
          moment(m.payments_refund_accepted(), refund.acceptedAt),
          moment(m.payments_refund_ended(), refund.closedAt),
          { label: m.console_id(), value: <CopyId id={refund.id} /> },
          {
            label: m.payments_refund_provider_id(),
            value: <CopyId id={providerRefundId ?? ''} />,
            isHidden: providerRefundId === null,
          },
        ]}
      />
    </Section>
  );
}
