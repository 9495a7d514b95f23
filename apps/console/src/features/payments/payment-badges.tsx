import { m } from '@athos/messages/messages';
import type { RowOf } from '../../api/admin.ts';
import { Badge } from '../../kit/badge.tsx';
import { PAYMENT_STATE, refundedTokens } from './payment-words.ts';

type Payment = RowOf<'consolePayments'>;

/** The later states of a credited payment, and how a person ended its review. Several may apply. */
function furtherTexts(payment: Payment): string[] {
  const { resolution, tokenAmount, isRefundUnderWay, isChargedBack } = payment;
  const refunded = refundedTokens(payment);
  const texts: string[] = [];
  if (resolution === 'settled_elsewhere') texts.push(m.payments_settled_elsewhere());
  if (isChargedBack) texts.push(m.payments_charged_back());
  if (isRefundUnderWay) texts.push(m.payments_refund_under_way());
  if (refunded === tokenAmount || (resolution === 'refunded' && !isRefundUnderWay)) {
    texts.push(m.payments_refunded());
  } else if (refunded !== '0') texts.push(m.payments_refunded_partly());
  return texts;
}

export function PaymentBadges({ payment }: { payment: Payment }) {
  const { title, tone } = PAYMENT_STATE[payment.state];
  return (
    <span className="inline-flex flex-wrap gap-1">
      <Badge tone={tone}>{title()}</Badge>
      {furtherTexts(payment).map((text) => (
        <Badge key={text}>{text}</Badge>
      ))}
    </span>
  );
}
