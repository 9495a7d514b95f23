/** Unusual facts about a payment, shown above everything else. */
import { m } from '@athos/messages/messages';
import { Notice } from '@athos/ui/primitives/notice';
import type { Payment } from './payment-screen.tsx';
import { ReviewPanel } from './review-panel.tsx';

export function PaymentNotices({ payment }: { payment: Payment }) {
  const { state, resolution, errorMessage, warnings } = payment;
  return (
    <>
      {state === 'review' && <ReviewPanel payment={payment} />}
      {resolution === 'settled_elsewhere' && (
        <Notice kind="info">{m.payments_settled_elsewhere_note()}</Notice>
      )}
      {warnings.length > 0 && (
        <Notice kind="danger" title={m.payments_warning_title()}>
          {m.payments_warning({
            types: warnings.map((warning) => warning.fraudType.replaceAll('_', ' ')).join(', '),
          })}
        </Notice>
      )}
      {errorMessage !== null && (
        <Notice kind="info" title={m.payments_declined_title()}>
          {errorMessage}
        </Notice>
      )}
    </>
  );
}
