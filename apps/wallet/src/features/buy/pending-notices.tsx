import { mainToken } from '@athos/brand/brand';
import { formatAthRoundedUp, formatUsd } from '@athos/domain/money';
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { Notice } from '@athos/ui/primitives/notice';
import { OpenOrderNotice } from '@athos/ui/money/open-order-notice';
import { useCancelPayment } from '../../api/cancel-payment.ts';
import {
  paymentNowMs,
  refreshPendingPayments,
  usePendingPayments,
  type PendingPayment,
} from '../../api/pending-payments.ts';
import { useOfflineReason } from '../../state/offline-reason.ts';

const describe = ({ amount, totalUsdCents }: PendingPayment) => ({
  amount: formatAthRoundedUp(amount),
  symbol: mainToken.symbol,
  total: formatUsd(totalUsdCents),
});

interface PendingNoticesProps {
  /** The payment in the open card form, which needs no notice. */
  shownId: string | undefined;
  onResume: (payment: PendingPayment) => void;
}

/** Lists purchases without a final outcome (D-127). One that waits for its card can be continued and canceled here. */
export function PendingNotices({ shownId, onResume }: PendingNoticesProps) {
  const pending = usePendingPayments().filter(({ id }) => id !== shownId);
  const processing = pending.filter(({ state }) => state === 'processing');
  // Each opening of the card form may have left a payment. The user remembers the newest.
  const newestOpen = pending.find(({ state }) => state === 'open');
  return (
    <>
      {processing.map((payment) => (
        <Notice key={payment.id} kind="info" title={m.buy_pending_title()}>
          {m.buy_pending_text(describe(payment))}
        </Notice>
      ))}
      {newestOpen !== undefined && (
        <OpenOrder key={newestOpen.id} payment={newestOpen} onResume={onResume} />
      )}
    </>
  );
}

function OpenOrder(props: { payment: PendingPayment } & Pick<PendingNoticesProps, 'onResume'>) {
  const { payment, onResume } = props;
  const offlineReason = useOfflineReason();
  const { isCanceling, onCancel } = useCancelPayment(payment);
  return (
    <OpenOrderNotice
      endsAtMs={payment.endsAtMs}
      nowMs={paymentNowMs}
      onEnd={refreshPendingPayments}
      isCanceling={isCanceling}
      isOffline={offlineReason !== undefined}
      onCancel={onCancel}
      resume={
        <Button
          variant="quiet"
          isCompact
          isDisabled={isCanceling}
          disabledReason={offlineReason}
          onClick={() => onResume(payment)}
        >
          {m.buy_open_resume()}
        </Button>
      }
    >
      {m.buy_open_text(describe(payment))}
    </OpenOrderNotice>
  );
}
