/**
 * The timeline of a payment, merged from three sources: our books, the provider's events, and the attempts as the provider reports them
 * now.
 */
import { m } from '@athos/messages/messages';
import { Notice } from '@athos/ui/primitives/notice';
import { Button } from '@athos/ui/primitives/button';
import { useAdminItem } from '../../api/admin.ts';
import type { AdminAnswer } from '../../api/call.ts';
import { Badge } from '../../kit/badge.tsx';
import { cardText } from '../../kit/card-words.ts';
import { CopyId } from '../../kit/copy-id.tsx';
import { Section } from '../../kit/detail.tsx';
import { Money } from '../../kit/money.tsx';
import { Timeline, type TimelineEntry } from '../../kit/timeline.tsx';
import type { Payment } from './payment-screen.tsx';
import { eventTitle } from './payment-words.ts';

type Attempt = AdminAnswer<'paymentAttempts'>['items'][number];

export function PaymentTimeline({ payment }: { payment: Payment }) {
  const { id } = payment;
  const { item, failure, reload } = useAdminItem('paymentAttempts', { params: { id } });
  const entries = [
    ...ownEntries(payment),
    ...payment.events.map(eventEntry),
    ...(item?.items ?? []).map(attemptEntry),
  ].toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at));
  return (
    <Section title={m.payments_timeline()}>
      {failure !== undefined && item === undefined && (
        <Notice
          kind="info"
          action={
            <Button variant="quiet" isDense onClick={reload}>
              {m.common_try_again()}
            </Button>
          }
        >
          {m.payments_attempts_failed()}
        </Notice>
      )}
      <Timeline label={m.payments_timeline()} entries={entries} />
    </Section>
  );
}

const CLOSED_TITLES: Readonly<Record<NonNullable<Payment['resolution']>, () => string>> = {
  credited: m.payments_event_credited,
  refunded: m.payments_event_ended_refunded,
  settled_elsewhere: m.payments_event_ended_elsewhere,
};

/** Entries from our books. A refund that the provider accepted and then failed has three moments. */
function ownEntries(payment: Payment): readonly TimelineEntry[] {
  const { createdAt, closedAt, state, resolution, tokenAmount, refunds } = payment;
  const closed =
    resolution === null
      ? state === 'credited'
        ? m.payments_event_credited()
        : m.payments_event_closed()
      : CLOSED_TITLES[resolution]();
  return [
    ...refunds.flatMap(refundEntries),
    ...(closedAt === null
      ? []
      : [
          {
            key: 'closed',
            at: closedAt,
            title: <strong>{closed}</strong>,
            ...(state === 'credited' && {
              trailing: <Money units={tokenAmount} asset="ATH" isMovement />,
            }),
          },
        ]),
    { key: 'ordered', at: createdAt, title: <strong>{m.payments_event_ordered()}</strong> },
  ];
}

type Refund = Payment['refunds'][number];

function refundEntries({ id, state, createdAt, acceptedAt, closedAt, ...refund }: Refund) {
  const trailing = <Money units={`-${refund.totalUsdCents}`} asset="USD" />;
  const entries: TimelineEntry[] = [];
  if (state === 'failed' && closedAt !== null) {
    entries.push({
      key: `${id} returned`,
      at: closedAt,
      title: <strong>{m.payments_event_refund_returned()}</strong>,
      text: refund.failure ?? undefined,
      trailing: <Money units={refund.totalUsdCents} asset="USD" isMovement />,
    });
  }
  if (acceptedAt !== null) {
    const title = <strong>{m.payments_event_refund_accepted()}</strong>;
    entries.push({ key: `${id} accepted`, at: acceptedAt, title, trailing });
  }
  if (!refund.isAdopted) {
    const title = m.payments_event_refund_asked();
    entries.push({ key: `${id} asked`, at: createdAt, title, text: refund.reason });
  }
  return entries;
}

const eventEntry = ({ id, type, createdAt, processedAt }: Payment['events'][number]) => ({
  key: id,
  at: createdAt,
  title: eventTitle(type),
  text: <code className="font-code">{type}</code>,
  ...(processedAt === null && { trailing: <Badge>{m.payments_event_waiting()}</Badge> }),
});

const ATTEMPTS: Readonly<Record<string, { title: () => string } | undefined>> = {
  succeeded: { title: m.payments_attempt_succeeded },
  pending: { title: m.payments_attempt_pending },
  failed: { title: m.payments_attempt_failed },
};

/** A card attempt, with the bank's response. */
function attemptEntry(attempt: Attempt): TimelineEntry {
  const { chargeId, at, state, amountUsdCents, card, failure, authentication, riskLevel } = attempt;
  const facts = [
    card && [cardText(card), card.funding, card.country].filter(Boolean).join(', '),
    authentication && m.payments_attempt_3ds({ result: authentication.replaceAll('_', ' ') }),
    riskLevel && m.payments_attempt_risk({ level: riskLevel.replaceAll('_', ' ') }),
    failure && `${failure.code.replaceAll('_', ' ')}: ${failure.message}`,
  ].filter(Boolean);
  return {
    key: chargeId,
    at,
    title: <strong>{ATTEMPTS[state]?.title() ?? state}</strong>,
    text: (
      <span className="flex flex-col">
        {facts.join(' · ')}
        <CopyId id={chargeId} isShort />
      </span>
    ),
    trailing: <Money units={amountUsdCents} asset="USD" />,
  };
}
