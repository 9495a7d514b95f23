/** Everything about one card payment: its money and ids beside its timeline, and the possible actions. */
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import Undo2 from 'lucide-react/icons/undo-2';
import { lazy, Suspense, useState } from 'react';
import { useParams } from 'react-router';
import { useAdminItem } from '../../api/admin.ts';
import type { AdminAnswer } from '../../api/call.ts';
import { AuditOf } from '../../kit/audit-of.tsx';
import { Detail, DetailOf } from '../../kit/detail.tsx';
import { JournalLines } from '../../kit/journal-lines.tsx';
import { Money, moneyText } from '../../kit/money.tsx';
import { useLack } from '../../kit/permission.ts';
import { paths } from '../../routes/paths.ts';
import { PaymentBadges } from './payment-badges.tsx';
import { PaymentAmounts, PaymentFacts } from './payment-facts.tsx';
import { PaymentNotices } from './payment-notices.tsx';
import { PaymentDisputes, PaymentRefunds } from './payment-parts.tsx';
import { PaymentTimeline } from './payment-timeline.tsx';
import { isMoving } from './payment-words.ts';

const CardRefundDialog = lazy(async () => ({
  default: (await import('../../kit/card-refund-dialog.tsx')).CardRefundDialog,
}));

export type Payment = AdminAnswer<'consolePayment'>;

/** Polling intervals: while money is on its way, and otherwise. */
const POLL_SOON_MS = 5_000;
const POLL_MS = 30_000;

function pollMsOf(payment: Payment | undefined): number {
  if (payment === undefined) return POLL_MS;
  const isOpen = payment.state === 'creating' || payment.state === 'open';
  return isOpen || payment.refunds.some(isMoving) ? POLL_SOON_MS : POLL_MS;
}

export function PaymentScreen() {
  const { id = '' } = useParams();
  return <PaymentPage key={id} id={id} />;
}

function PaymentPage({ id }: { id: string }) {
  const read = useAdminItem('consolePayment', { params: { id } }, { pollMs: pollMsOf });
  const [isRefunding, setIsRefunding] = useState(false);
  return (
    <DetailOf read={read} kind={m.payments_one()} backTo={paths.payments}>
      {(payment) => (
        <Detail
          kind={m.payments_one()}
          title={<Money units={payment.totalUsdCents} asset="USD" />}
          plainTitle={`${m.payments_one()} ${moneyText(payment.totalUsdCents, 'USD')}`}
          state={<PaymentBadges payment={payment} />}
          actions={<RefundButton payment={payment} onPress={() => setIsRefunding(true)} />}
          backTo={payment.state === 'review' ? paths.reviews : paths.payments}
        >
          <PaymentNotices payment={payment} />
          <div className="@desk/shell:grid-cols-[22rem_minmax(0,1fr)] grid grid-cols-[minmax(0,1fr)] items-start gap-x-10 gap-y-6">
            <div className="flex min-w-0 flex-col gap-6">
              <PaymentAmounts payment={payment} />
              <PaymentFacts payment={payment} />
            </div>
            <div className="flex min-w-0 flex-col gap-6">
              <PaymentRefunds refunds={payment.refunds} />
              <PaymentDisputes disputes={payment.disputes} />
              <PaymentTimeline payment={payment} />
              <JournalLines keys={keysOf(payment)} />
              <AuditOf type="payment" id={payment.id} />
            </div>
          </div>
          {isRefunding && (
            <Suspense fallback={null}>
              <CardRefundDialog payment={payment} onClose={() => setIsRefunding(false)} />
            </Suspense>
          )}
        </Detail>
      )}
    </DetailOf>
  );
}

/** No payment has more journal lines than one response holds, and no more keys than this. */
const KEYS_MAX = 40;

/**
 * A payment's transfers have its id as their key, a refund's transfers the refund's id, and those of the provider's bookings the booking's
 * id.
 */
const keysOf = ({ id, refunds, bookings }: Payment): readonly string[] =>
  [...new Set([id, ...refunds.map((refund) => refund.id), ...bookings.map((one) => one.id)])].slice(
    0,
    KEYS_MAX,
  );

/** The reason why nothing of the payment can be returned. The amount that can be is shown by the dialog. */
function obstacleOf({ state, tokenAmount, returnedTokenAmount, disputes }: Payment) {
  if (state !== 'credited') return m.payments_refund_not_credited();
  if (tokenAmount === returnedTokenAmount) return m.payments_refund_nothing_left();
  const isDisputed = disputes.some(({ phase }) => phase === 'open' || phase === 'lost');
  return isDisputed ? m.payments_refund_disputed() : undefined;
}

function RefundButton({ payment, onPress }: { payment: Payment; onPress: () => void }) {
  const lack = useLack();
  // A payment in review has its own refund, and an unpaid one has none.
  if (payment.state !== 'credited') return null;
  return (
    <Button
      isDense
      icon={<Undo2 size={16} aria-hidden />}
      disabledReason={lack('payments.refund') ?? obstacleOf(payment)}
      onClick={onPress}
    >
      {m.payments_refund()}
    </Button>
  );
}
