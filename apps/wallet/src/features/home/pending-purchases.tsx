import { mainToken } from '@athos/brand/brand';
import { formatAthRoundedUp, formatUsd } from '@athos/domain/money';
import { m } from '@athos/messages/messages';
import { ButtonLink } from '@athos/ui/primitives/button';
import { Notice } from '@athos/ui/primitives/notice';
import { OpenOrderNotice } from '@athos/ui/money/open-order-notice';
import { useCancelPayment } from '../../api/cancel-payment.ts';
import {
  paymentNowMs,
  refreshPendingPayments,
  usePendingPayments,
  type PendingPayment,
} from '../../api/pending-payments.ts';
import { paths } from '../../routes/paths.ts';
import { useOfflineReason } from '../../state/offline-reason.ts';

/** Shows card purchases without a final outcome (D-128). Renders nothing if there are none. */
export function PendingPurchases() {
  const pending = usePendingPayments();
  const processing = pending.filter(({ state }) => state === 'processing');
  // Each opening of the card form may have left a payment. The user remembers the newest.
  const newestOpen = pending.find(({ state }) => state === 'open');
  return (
    <>
      {processing.map((payment) => (
        <Notice key={payment.id} kind="info" title={m.wallet_pending_title()}>
          {m.wallet_pending_text({
            amount: formatAthRoundedUp(payment.amount),
            symbol: mainToken.symbol,
          })}
        </Notice>
      ))}
      {newestOpen !== undefined && <OpenPurchase key={newestOpen.id} payment={newestOpen} />}
    </>
  );
}

function OpenPurchase({ payment }: { payment: PendingPayment }) {
  const { isCanceling, onCancel } = useCancelPayment(payment);
  return (
    <OpenOrderNotice
      endsAtMs={payment.endsAtMs}
      nowMs={paymentNowMs}
      onEnd={refreshPendingPayments}
      isCanceling={isCanceling}
      isOffline={useOfflineReason() !== undefined}
      onCancel={onCancel}
      resume={
        <ButtonLink to={paths.buy} variant="quiet" isCompact>
          {m.buy_open_resume()}
        </ButtonLink>
      }
    >
      {m.wallet_pending_open_text({
        amount: formatAthRoundedUp(payment.amount),
        symbol: mainToken.symbol,
        total: formatUsd(payment.totalUsdCents),
      })}
    </OpenOrderNotice>
  );
}
