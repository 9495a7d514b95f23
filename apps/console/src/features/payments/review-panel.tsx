/** A payment that did not match its order: the reason, and the three ways to resolve it. Each requires another person's approval. */
import type { ReviewOutcome } from '@athos/contract/console/payments';
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { useId, useState } from 'react';
import { useAdminAction, useAdminList } from '../../api/admin.ts';
import { ActionDialog } from '../../kit/action-dialog.tsx';
import { toCardText } from '../../kit/card-words.ts';
import { ObjectLink } from '../../kit/detail.tsx';
import { moneyText } from '../../kit/money.tsx';
import { useHolds, useLack } from '../../kit/permission.ts';
import { paths } from '../../routes/paths.ts';
import type { Payment } from './payment-screen.tsx';

interface Way {
  readonly outcome: ReviewOutcome;
  readonly title: string;
  /** The effect, in numbers. */
  readonly effect: string;
  readonly actLabel: string;
}

/** The amount received above or below the order's total; `undefined` if they match. */
function differenceText(received: string, total: string): string | undefined {
  const difference = BigInt(received) - BigInt(total);
  return difference.toString() === '0' ? undefined : moneyText(difference.toString(), 'USD');
}

function waysOf({ tokenAmount, totalUsdCents, receivedUsdCents, card }: Payment): readonly Way[] {
  const receivedCents = receivedUsdCents ?? totalUsdCents;
  const tokens = moneyText(tokenAmount, 'ATH');
  const received = moneyText(receivedCents, 'USD');
  const difference = differenceText(receivedCents, totalUsdCents);
  return [
    {
      outcome: 'credit',
      title: m.payments_review_credit(),
      effect:
        difference === undefined
          ? m.payments_review_credit_effect({ tokens })
          : m.payments_review_credit_differs({ tokens, difference }),
      actLabel: m.payments_review_credit_act({ tokens }),
    },
    {
      outcome: 'refund',
      title: m.payments_review_refund(),
      effect: m.payments_review_refund_effect({ received, card: toCardText(card) }),
      actLabel: m.payments_refund_act({ amount: received }),
    },
    {
      outcome: 'settled_elsewhere',
      title: m.payments_review_elsewhere(),
      effect: m.payments_review_elsewhere_effect({ received }),
      actLabel: m.payments_review_elsewhere_act(),
    },
  ];
}

export function ReviewPanel({ payment }: { payment: Payment }) {
  const titleId = useId();
  const lack = useLack();
  const [chosen, setChosen] = useState<Way>();
  const { totalUsdCents, receivedUsdCents, refunds, disputes } = payment;
  const isOnItsWay = refunds.some(({ closedAt }) => closedAt === null);
  const isDisputed = disputes.some(({ phase }) => phase === 'open' || phase === 'lost');
  const obstacle =
    lack('payments.review') ??
    (isOnItsWay ? m.payments_review_refunding() : undefined) ??
    (isDisputed ? m.payments_refund_disputed() : undefined);
  return (
    <section
      aria-labelledby={titleId}
      className="rounded-medium bg-surface inset-ring-line-strong flex flex-col gap-4 p-4 inset-ring"
    >
      <div className="flex flex-col gap-1">
        <h2 id={titleId} className="text-body font-bold">
          {m.payments_review_title()}
        </h2>
        <p className="text-dense wrap-anywhere">
          {m.payments_review_because({ reason: payment.reviewReason ?? '' })}{' '}
          {m.payments_review_amounts({
            total: moneyText(totalUsdCents, 'USD'),
            received: moneyText(receivedUsdCents ?? totalUsdCents, 'USD'),
          })}
        </p>
        <OpenRequest paymentId={payment.id} />
        {obstacle !== undefined && <p className="text-caption text-ink-quiet">{obstacle}</p>}
      </div>
      <ul className="divide-line border-line flex flex-col divide-y border-t">
        {waysOf(payment).map((way) => (
          <li
            key={way.outcome}
            className="flex flex-wrap items-center gap-x-6 gap-y-2 py-3 last:pb-0"
          >
            <div className="text-dense flex min-w-0 flex-[1_1_16rem] flex-col">
              <span className="font-semibold">{way.title}</span>
              <span className="text-ink-quiet">{way.effect}</span>
            </div>
            <Button
              variant="quiet"
              isDense
              isDisabled={obstacle !== undefined}
              onClick={() => setChosen(way)}
            >
              {way.actLabel}
            </Button>
          </li>
        ))}
      </ul>
      {chosen !== undefined && (
        <ReviewDialog paymentId={payment.id} way={chosen} onClose={() => setChosen(undefined)} />
      )}
    </section>
  );
}

/** The open approval request for this payment, if one of the ways was requested. */
function OpenRequest({ paymentId }: { paymentId: string }) {
  const holds = useHolds();
  return holds('approvals.read') ? <FoundRequest paymentId={paymentId} /> : null;
}

function FoundRequest({ paymentId }: { paymentId: string }) {
  const { rows } = useAdminList('approvals', {
    view: 'all',
    state: 'pending',
    action: 'payment.resolve_review',
    subjectId: paymentId,
    limit: '1',
  });
  const request = rows?.[0];
  if (request === undefined) return null;
  return (
    <p className="text-dense" role="status">
      <ObjectLink to={paths.approval(request.id)}>
        {m.payments_review_asked({ name: request.requestedBy?.name ?? m.approvals_by_programme() })}
      </ObjectLink>
    </p>
  );
}

function ReviewDialog(props: { paymentId: string; way: Way; onClose: () => void }) {
  const { paymentId: id, way, onClose } = props;
  const { run, isPending } = useAdminAction('resolveReview');
  return (
    <ActionDialog
      title={way.title}
      effect={
        <>
          {way.effect} {m.payments_review_vote()}
        </>
      }
      actLabel={way.actLabel}
      doneText={m.payments_review_done()}
      isPending={isPending}
      run={(reason) => run({ params: { id }, body: { outcome: way.outcome, reason } })}
      onClose={onClose}
    />
  );
}
